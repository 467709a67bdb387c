package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.requests.RequestRecordStore;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The field for the caller's signature base, with and without a script. */
@SharedService
class BaseComparisonPageTest {
  private static TestService service;
  private static PortalClient portal;
  private static long id;
  private static String base;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    TestClient client = service.register();
    portal = signedIn;
    id = Refused.tampered(service, client);
    base =
        Objects.requireNonNull(
            service.part(RequestRecordStore.class).find(id).orElseThrow().signatureBase());
  }

  private static PortalClient.Answer compare(PortalClient who, String pasted) {
    return who.post("/requests/" + id + "/comparison", Map.of("base", pasted));
  }

  @Test
  void base_asTheCallerSignedIt_showsTheDifferenceOnTheWholePage() {
    String page =
        compare(portal, base.replace("?page=1", "?page=0").replace("\n", "\r\n"))
            .expect(200)
            .body();

    assertThat(page)
        .contains("<html", "First difference: line <span>2</span>", "&quot;@target-uri&quot;")
        .contains("?page=</span><mark>0</mark>", "?page=</span><mark>1</mark>")
        .contains("id=\"likely-cause\"");
    assertThat(page).as("the field keeps the pasted text").contains("?page=0\r\n&quot;date&quot;");
  }

  @Test
  void base_forAScript_comesWithoutThePage() {
    PortalClient script = PortalClient.stranger(service).with("HX-Request", "true");
    script.cookies().putAll(portal.cookies());

    String part = compare(script, base.replace("GET", "get")).expect(200).body();
    assertThat(part).startsWith("<div>").doesNotContain("<html", "<form");
    assertThat(part)
        .contains("line <span>1</span>", "<mark>get</mark>", "<mark>GET</mark>", "upper case");
  }

  @Test
  void base_equal_saysThatTheKeysAreNoPair() {
    assertThat(compare(portal, base).expect(200).body())
        .contains(
            "The two texts are equal",
            "key, hash or padding differ",
            "that were live when the request was received")
        .doesNotContain("<mark");
  }

  @Test
  void base_empty_isAskedFor() {
    assertThat(compare(portal, " \n").expect(200).body())
        .contains("paste the caller's signature base first");
  }

  @Test
  void base_tooLarge_isRefusedClearly() {
    String page = compare(portal, "x".repeat(64 * 1024 + 1)).expect(413).body();
    assertThat(page).contains("<div class=\"alert alert-warning\">The text is more than 64 KiB");
    assertThat(page).doesNotContain("xxxxxxxx");
    assertThat(compare(portal, "x".repeat(64 * 1024)).status()).isEqualTo(200);
  }

  @Test
  void base_withMarkup_isEscaped() {
    String page = compare(portal, Refused.HOSTILE + "\n</textarea><script>x</script>").body();
    assertThat(page)
        .doesNotContain("<script>", "</textarea><script")
        .contains("<mark>&lt;script&gt;alert(1)", "[U+202E][U+0007]");
  }

  @Test
  void base_ofAHostileRequest_isEscaped() {
    long hostile = Refused.hostile(service, Refused.HOSTILE);
    String page =
        portal.post("/requests/" + hostile + "/comparison", Map.of("base", "a")).expect(200).body();
    assertThat(page).doesNotContain("<script>", "\u202E").contains("&lt;script&gt;alert(1)");
  }

  @Test
  void viewer_mayCompare_strangerAndForgedFormMayNot() {
    PortalClient viewer = PortalClient.viewer(service);
    assertThat(compare(viewer, base).expect(200).body()).contains("key, hash or padding differ");

    String path = "/requests/" + id + "/comparison";
    assertThat(portal.postAsIs(path, Map.of("base", base)).status()).isEqualTo(403);
    assertThat(PortalClient.stranger(service).post(path, Map.of("base", base)).status())
        .isEqualTo(302);
  }

  @Test
  void comparison_reloaded_isTheRequestAgain() {
    PortalClient.Answer answer = portal.get("/requests/" + id + "/comparison").expect(302);
    assertThat(answer.header("location")).isEqualTo("/portal/requests/" + id);
  }
}
