package dev.countersign.server.portal;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.Rule;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.Cookie;
import com.microsoft.playwright.options.ReducedMotion;
import com.microsoft.playwright.options.SameSiteAttribute;
import dev.countersign.testing.Waits;
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
 * the JVM, and each test opens its own windows.
 */
public final class Chromium {
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome");

  /** The limit of each step, in milliseconds: twice the usual one, because a step does a lot. */
  private static final double LIMIT = 2.0 * Waits.LIMIT.toMillis();

  private static Chromium running;

  private final Browser browser;

  private Chromium(Browser browser) {
    this.browser = browser;
  }

  /**
   * Returns the shared browser, and starts it on the first call. If there is no browser on the
   * PATH, the test is skipped, or fails if COUNTERSIGN_REQUIRES_CHROMIUM is set.
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
    PlaywrightAssertions.setDefaultAssertionTimeout(LIMIT);
    Playwright playwright =
        Playwright.create(
            new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    Browser browser =
        playwright
            .chromium()
            .launch(
                new BrowserType.LaunchOptions()
                    .setTimeout(LIMIT)
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

  /**
   * Returns whether a message of the console is an error or a warning. A request that htmx aborts
   * for a newer one is neither, although htmx logs it as an error: a slow service makes it happen.
   * The line of {@code htmx:afterRequest} stands beside one that names the failure.
   */
  public static boolean isComplaint(ConsoleMessage message) {
    return (message.type().equals("error") || message.type().equals("warning"))
        && !message.text().startsWith("htmx:sendAbort,")
        && !message.text().startsWith("htmx:afterRequest,");
  }

  /** Opens a separate window that shares nothing with others. */
  public BrowserContext newContext() {
    return newContext(new Browser.NewContextOptions());
  }

  /**
   * Opens a separate window with options.
   *
   * <p>Design note: a page that scrolls smoothly is slow to test, because Playwright waits before
   * each click until nothing moves.
   */
  public BrowserContext newContext(Browser.NewContextOptions options) {
    BrowserContext context = browser.newContext(options.setReducedMotion(ReducedMotion.REDUCE));
    context.setDefaultTimeout(LIMIT);
    return context;
  }

  /** Signs a window in by adding the cookie of a session, so that no password has to be hashed. */
  public static void addSessionCookie(BrowserContext context, String portalUrl, String token) {
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
   * Returns the violations that axe-core finds in a page.
   *
   * <p>Design note: its legacy mode examines the page itself. The other mode opens a second page to
   * combine the findings of frames, which takes as long again, and the portal has no frames.
   */
  public static List<Rule> violations(Page page) {
    return new AxeBuilder(page).setLegacyMode(true).analyze().getViolations();
  }
}
