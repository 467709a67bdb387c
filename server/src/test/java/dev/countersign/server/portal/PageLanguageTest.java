package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.Page;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The language of a browser changes nothing, because all pages are in English. */
@SharedService
class PageLanguageTest {
  @ParameterizedTest
  @ValueSource(strings = {"ar-EG", "hi-IN-u-nu-deva", "de-CH"})
  void page_forABrowserOfAnotherLanguage_isInEnglish(String language, TestService service) {
    PortalClient viewer = PortalClient.viewer(service).with("Accept-Language", language);

    PortalClient.Answer page = viewer.get("/audit").expect(200);

    assertThat(page.body()).containsPattern("<span>[0-9]{1,3}(,[0-9]{3})*</span> entries");
    assertThat(page.header("content-language")).isEqualTo("en");
  }

  @Test
  @Tag("full")
  void charts_inABrowserOfAnotherLanguage_haveTheSameDigits(
      TestService service, PortalClient signedIn) {
    PortalInBrowser portal = PortalInBrowser.of(service, signedIn);
    try (BrowserContext context = portal.contextIn("ar-EG")) {
      Page page = context.newPage();
      page.navigate(portal.url(""));
      page.waitForCondition(() -> !labels(page).isBlank());

      assertThat(labels(page)).matches("[0-9:., ]+");
    }
  }

  /** The times and numbers at the axes of the first chart. */
  private static String labels(Page page) {
    return (String)
        page.evaluate(
            """
            () => {
              const chart = Chart.getChart("requests-chart");
              const numbers = chart.scales.y.ticks.map((tick) => tick.label);
              return chart.data.labels.length ? [...chart.data.labels, ...numbers].join(" ") : "";
            }
            """);
  }
}
