package dev.countersign.server.portal;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import dev.countersign.server.TestService;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The portal of a service in windows of a browser, with an administrator signed in. */
final class PortalInBrowser {
  private final Chromium browser;
  private final String url;
  private final String session;

  private PortalInBrowser(Chromium browser, String url, String session) {
    this.browser = browser;
    this.url = url;
    this.session = session;
  }

  /** The portal for an operator who is already signed in. */
  static PortalInBrowser of(TestService service, PortalClient operator) {
    return new PortalInBrowser(
        Chromium.shared(), service.portalUrl(), operator.cookies().get(PortalClient.SESSION));
  }

  /** A window. */
  record Look(int width, int height, ColorScheme colors) {
    static Stream<Look> all() {
      return Stream.of(
          new Look(1440, 900, ColorScheme.LIGHT),
          new Look(1440, 900, ColorScheme.DARK),
          new Look(390, 844, ColorScheme.LIGHT),
          new Look(390, 844, ColorScheme.DARK));
    }

    static Look large() {
      return new Look(1440, 900, ColorScheme.LIGHT);
    }

    String suffix() {
      return "-" + width + (colors == ColorScheme.DARK ? "-dark" : "");
    }

    Browser.NewContextOptions options() {
      return new Browser.NewContextOptions().setViewportSize(width, height).setColorScheme(colors);
    }
  }

  /** Sets the first administrator's password with the link and signs in, as a person would. */
  static PortalInBrowser setUp(TestService service, String name) {
    Chromium browser = Chromium.shared();
    try (BrowserContext context = browser.newContext(Look.large().options())) {
      Page page = context.newPage();
      page.navigate(service.firstLink());
      page.getByLabel("Your name").fill(name);
      page.getByLabel("Password", new Page.GetByLabelOptions().setExact(true))
          .fill(PortalClient.PASSWORD);
      page.getByLabel("Confirm password").fill(PortalClient.PASSWORD);
      page.locator("button[type=submit]").click();
      page.waitForURL("**/sign-in?ready");
      page.getByLabel("Name").fill(name);
      page.getByLabel("Password").fill(PortalClient.PASSWORD);
      page.locator("button[type=submit]").click();
      page.waitForURL(service.portalUrl());
      String session =
          context.cookies().stream()
              .filter(cookie -> cookie.name.equals(PortalClient.SESSION))
              .findFirst()
              .orElseThrow()
              .value;
      return new PortalInBrowser(browser, service.portalUrl(), session);
    }
  }

  /** A window in which the administrator is signed in. */
  BrowserContext context(Look look) {
    return signedIn(look.options());
  }

  /** A window in which the administrator is signed in and scripts are disabled. */
  BrowserContext contextWithoutScripts() {
    return signedIn(Look.large().options().setJavaScriptEnabled(false));
  }

  /** A window of a browser in another language, in which the administrator is signed in. */
  BrowserContext contextIn(String locale) {
    return signedIn(Look.large().options().setLocale(locale));
  }

  private BrowserContext signedIn(Browser.NewContextOptions options) {
    BrowserContext context = browser.newContext(options);
    Chromium.addSessionCookie(context, url, session);
    return context;
  }

  String url(String path) {
    return url + path;
  }

  /**
   * Saves a screenshot of the page in target, or in the directory of the property
   * countersign.screenshots.
   */
  void screenshot(Page page, String path, Look look) {
    String name =
        path.isEmpty() ? "overview" : path.substring(1).replaceAll("[?].*", "").replace('/', '-');
    Path folder = Path.of(System.getProperty("countersign.screenshots", "target/screenshots"));
    page.screenshot(
        new Page.ScreenshotOptions()
            .setPath(folder.resolve("portal-" + name + look.suffix() + ".png")));
  }
}
