package dev.countersign.server.portal;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.SameSiteAttribute;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * The browser of this machine, driven by Playwright. The tests of a JVM share one, which ends with
 * the JVM, and each opens windows of its own.
 */
public final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  /** How long anything may take, in milliseconds: a build machine may be slow, and busy. */
  private static final double PATIENCE = 120_000;

  private static Chromium running;

  private final Browser browser;

  private Chromium(Browser browser) {
    this.browser = browser;
  }

  /**
   * The browser, started for its first user. Where there is none the test is skipped, or fails
   * where the build has seen one.
   */
  public static synchronized Chromium shared() {
    if (running == null) {
      running = start();
    }
    return running;
  }

  private static Chromium start() {
    Optional<Path> executable = find();
    if (executable.isEmpty()) {
      String message = "no Chromium on the PATH: install it to run the tests of the portal's pages";
      if (System.getenv("COUNTERSIGN_REQUIRES_CHROMIUM") != null) {
        throw new AssertionError(message);
      }
      Assumptions.abort(message);
    }
    PlaywrightAssertions.setDefaultAssertionTimeout(PATIENCE);
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setTimeout(PATIENCE)
                    .setExecutablePath(executable.orElseThrow())
                    .setArgs(
                        List.of(
                            "--no-sandbox",
                            "--disable-gpu",
                            "--disable-quic",
                            "--no-first-run",
                            "--disable-background-networking",
                            "--disable-component-update",
                            "--disable-sync")));
    return new Chromium(browser);
  }

  private static Optional<Path> find() {
    return Stream.of(System.getenv("PATH").split(":"))
        .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** A window of its own, which shares nothing with others. */
  public BrowserContext newContext() {
    return newContext(new Browser.NewContextOptions());
  }

  /** The same with options. */
  public BrowserContext newContext(Browser.NewContextOptions options) {
    BrowserContext context = browser.newContext(options);
    context.setDefaultTimeout(PATIENCE);
    return context;
  }

  /** Signs a window in by the token of a session, without the work of a password. */
  public static void keepSession(BrowserContext context, String portalUrl, String token) {
    context.addCookies(
        List.of(
            new Cookie(PortalClient.SESSION, token)
                .setDomain(URI.create(portalUrl).getHost())
                .setPath("/")
                .setSecure(true)
                .setHttpOnly(true)
                .setSameSite(SameSiteAttribute.LAX)));
  }

  /**
   * What axe-core finds wrong with a page.
   *
   * <p>Design note: its legacy mode asks the page itself. The other one opens a second page for
   * each to put together what frames found, which takes as long again, and the portal has no
   * frames.
   */
  public static List<Rule> violations(Page page) {
    return new AxeBuilder(page).setLegacyMode(true).analyze().getViolations();
  }
}
