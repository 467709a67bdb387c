package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.AriaRole;
import dev.countersign.server.TestService;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sign-in with OpenID Connect: a browser, the portal and a provider. */
@Tag("full")
class OpenIdBrowserTest {
  private static TestService service;
  private static Chromium chromium;

  @BeforeAll
  static void start() {
    chromium = Chromium.shared();
    service = OpenIdTestProvider.shared().service();
  }

  @Test
  void memberOfAnAdministratorsGroup_administrates() {
    try (BrowserContext browser = chromium.newContext()) {
      Page page = signIn(browser, "ada");

      page.waitForURL(service.portalUrl());
      assertThat(page.content()).contains("ada").contains("administrator");
      page.navigate(service.portalUrl() + "/operators");
      assertThat(page.content()).contains("OpenID Connect");
      page.navigate(service.portalUrl() + "/audit");
      assertThat(page.content()).contains("operator.added").contains("operator.signed-in");
    }
  }

  @Test
  void memberOfAViewersGroup_looks() {
    try (BrowserContext browser = chromium.newContext()) {
      Page page = signIn(browser, "vic");

      page.waitForURL(service.portalUrl());
      assertThat(page.content()).contains("viewer");
      assertThat(page.navigate(service.portalUrl() + "/operators").status()).isEqualTo(403);
    }
  }

  @Test
  void memberOfNoNamedGroup_isToldSo() {
    try (BrowserContext browser = chromium.newContext()) {
      Page page = signIn(browser, "eve");

      page.waitForURL("**/sign-in?no-role");
      assertThat(page.content()).contains("none of your groups");
    }
  }

  private static Page signIn(BrowserContext browser, String name) {
    Page page = browser.newPage();
    page.navigate(service.portalUrl());
    page.getByRole(
            AriaRole.LINK, new Page.GetByRoleOptions().setName("Sign in with your organisation"))
        .click();
    page.getByLabel("Username").fill(name);
    page.getByLabel("Password").fill(OpenIdTestProvider.PASSWORD);
    page.locator("button[type=submit]").click();
    return page;
  }
}
