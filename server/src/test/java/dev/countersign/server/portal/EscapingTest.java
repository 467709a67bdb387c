package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.audit.Change;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.NewClient;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.store.Database;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts from anonymous callers are text on every page: neither markup nor a template. */
@SharedService
class EscapingTest {
  /** The product is on no page unless something evaluates the expression. */
  private static final List<String> HOSTILE =
      List.of(
          "<script>alert(1)</script>",
          "\"><img src=x onerror=alert(1)>",
          "'onmouseover='alert(1)",
          "${13371337*7}",
          "*{13371337*7}",
          "#{13371337*7}",
          "__${13371337*7}__::.x",
          "[[${13371337*7}]]",
          "[(${13371337*7})]",
          "~{sign-in-layout :: page}",
          "</textarea></title><svg/onload=alert(1)>",
          "{{13371337*7}}",
          "&lt;script&gt;");

  private static TestService service;
  private static PortalClient administrator;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    administrator = signedIn;
    OperatorStore operators = service.part(OperatorStore.class);
    AuditTrail audit = service.part(AuditTrail.class);
    for (String hostile : HOSTILE) {
      operators.add(hostile, OperatorRole.VIEWER);
      service
          .part(Database.class)
          .write(
              sql -> {
                audit.append(
                    sql,
                    Author.operator(hostile, hostile),
                    new Change(hostile, hostile, Map.of(hostile, hostile), Map.of("a", hostile)));
                return true;
              });
    }
    service
        .part(ClientStore.class)
        .add(
            new NewClient(
                HOSTILE.getFirst(),
                List.of("0.0.0.0"),
                List.of("ledger-viewer"),
                (RSAPublicKey) TestService.newKeyPair().getPublic(),
                "hostile"));
    Wire.get(
        service.port(),
        "/portal/account",
        "User-Agent: " + HOSTILE.getFirst(),
        Wire.cookies(administrator));
    callAsAStranger();
  }

  private static void callAsAStranger() {
    for (String hostile : HOSTILE) {
      Wire.get(
          service.port(),
          "/" + encoded(hostile) + "?" + encoded(hostile),
          "Signature-Input: sig=(\"@method\");keyid=\"" + hostile.replace("\"", "") + "\"",
          "Signature: sig=:AAAA:",
          "User-Agent: " + hostile);
    }
  }

  static List<Routes.Route> pages() {
    return Routes.by("GET").stream()
        .filter(route -> !route.path().endsWith("/live") && !route.path().endsWith(".csv"))
        .filter(route -> !route.path().equals("/overview"))
        .toList();
  }

  static List<Routes.Route> forms() {
    return Routes.by("POST").stream().filter(route -> !route.path().contains("sign-out")).toList();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String query(List<String> names, String value) {
    List<String> all = new ArrayList<>(names);
    all.add("x");
    return all.stream().map(name -> name + "=" + encoded(value)).collect(Collectors.joining("&"));
  }

  private static void assertIsHarmless(RawResponse answer) {
    assertThat(answer.status()).as(answer.body()).isLessThan(500);
    assertThat(answer.body())
        .doesNotContain("<script>alert", "<img src=x", "<svg/onload", "93599359");
    assertThat(answer.header("location")).doesNotContain("93599359", "<");
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_showsWhatStrangersWroteAsText(Routes.Route route) {
    String id = service.part(OperatorStore.class).named(HOSTILE.getFirst()).id();
    assertIsHarmless(
        Wire.get(service.port(), "/portal" + route.at(id), Wire.cookies(administrator)));
    for (String hostile : HOSTILE) {
      assertIsHarmless(
          Wire.get(
              service.port(),
              "/portal" + route.at(id) + "?" + query(route.parameters(), hostile),
              Wire.cookies(administrator),
              "User-Agent: " + hostile,
              "Accept-Language: " + hostile,
              "X-Requested-With: " + hostile));
      assertIsHarmless(
          Wire.get(
              service.port(),
              "/portal" + route.at(encoded(hostile)) + encoded(hostile),
              Wire.cookies(administrator)));
    }
  }

  @ParameterizedTest
  @MethodSource("forms")
  void form_givesWhatItGotBackAsText(Routes.Route route) {
    String id =
        service
            .part(OperatorStore.class)
            .add("for " + route.path(), OperatorRole.VIEWER)
            .operator()
            .id();
    String token = "X-XSRF-TOKEN: " + administrator.token();
    for (String hostile : HOSTILE) {
      assertIsHarmless(
          Wire.post(
              service.port(),
              "/portal" + route.at(id),
              query(route.parameters(), hostile),
              token,
              Wire.cookies(administrator.enter(service))));
    }
  }

  @Test
  void names_areShownAsTheyAre() {
    assertThat(administrator.get("/operators").body())
        .contains(
            "&lt;script&gt;alert(1)&lt;/script&gt;", "[[${13371337*7}]]", "__${13371337*7}__::.x");
    assertThat(administrator.get("/audit").body())
        .contains("&lt;script&gt;alert(1)&lt;/script&gt;", "[[${13371337*7}]]");
  }

  @Test
  void name_thatTurnsTheDirectionOrHides_isRefused() {
    for (String name : new String[] {"ecila\u202e", "a\u200bb", "a\u0000b", "a\nb", "a\ufeffb"}) {
      assertThat(administrator.post("/operators", Map.of("name", name, "role", "VIEWER")).status())
          .as(name)
          .isEqualTo(422);
    }
  }
}
