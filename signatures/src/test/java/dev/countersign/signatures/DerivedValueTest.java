package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.VerificationException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The values of derived components (RFC 9421 section 2.2), and components without a value. */
class DerivedValueTest {
  private static final String REQUEST_PARTS =
      "@method @target-uri @authority @scheme @request-target @path @query";

  private static String valueAt(String uri, String identifier) {
    return Values.of(AnyRequest.of("GET", uri), identifier);
  }

  private static void refusedAt(String uri, String identifier) {
    Values.assertRefused(AnyRequest.of("GET", uri), identifier);
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "get", "M-SEARCH", "PATCH", "!#$%&'*+.^_`|~"})
  void method_isAsSent(String method) {
    assertThat(Values.of(AnyRequest.of(method, "https://a/"), "\"@method\"")).isEqualTo(method);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://A.example:443/a?b=%2f", "HTTPS://a.example", "http://a.example/?", "x:y"})
  void targetUri_isAsSpelled(String uri) {
    assertThat(valueAt(uri, "\"@target-uri\"")).isEqualTo(uri);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example/, a.example",
    "https://A.EXAMPLE/, a.example",
    "https://a.example:443/, a.example",
    "https://a.example:/, a.example",
    "https://a.example:80/, a.example:80",
    "https://a.example:8443/, a.example:8443",
    "https://a.example:0443/, a.example:0443",
    "http://a.example:80/, a.example",
    "HTTP://a.example:80/, a.example",
    "http://a.example:443/, a.example:443",
    "http://a.example, a.example",
    "http://a.example?b, a.example",
    "https://[2001:DB8::1]/, [2001:db8::1]",
    "https://[2001:db8::1]:443/, [2001:db8::1]",
    "https://[2001:db8::1]:/, [2001:db8::1]",
    "https://[::1]:8443/, [::1]:8443",
    "https://[::443]/, [::443]",
    "https://127.0.0.1:443/, 127.0.0.1",
    "https://a.example./, a.example.",
    "https://xn--bcher-kva.example/, xn--bcher-kva.example",
    "ws://a.example:80/, a.example:80",
    "https://a.example/?to=http://b.example/, a.example",
  })
  void authority_isInLowerCaseWithoutItsDefaultPort(String uri, String authority) {
    assertThat(valueAt(uri, "\"@authority\"")).isEqualTo(authority);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://user@a.example/",
        "https://user:secret@a.example:443/",
        "https://@a.example/",
        "https:///path",
        "https://:443/",
        "https://:/",
        "https://:8443/",
        "https://b\u00fccher.example/",
        "https://\u212a.example/",
        "/path",
        "*",
        "",
        "://a.example/",
        "a.example:443",
      })
  void authority_thatIsNone_isRefused(String uri) {
    refusedAt(uri, "\"@authority\"");
  }

  /** The query of a target without scheme and host must not provide them. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login?next=https://evil.example/",
        "a.example/login?next=https://evil.example/",
        "a.example/https://evil.example/",
        "?https://evil.example/",
        "1a://evil.example/",
        "h ttp://evil.example/",
      })
  void parts_ofATargetThatIsNoAbsoluteUri_areRefused(String uri) {
    for (String part : new String[] {"@authority", "@scheme", "@path", "@query"}) {
      refusedAt(uri, "\"" + part + "\"");
    }
    refusedAt(uri, "\"@query-param\";name=\"next\"");
  }

  @Test
  void userInformation_inAPathOrQuery_isNone() {
    assertThat(valueAt("https://a.example/@b?c@d", "\"@authority\"")).isEqualTo("a.example");
    assertThat(valueAt("https://a.example?c@d", "\"@authority\"")).isEqualTo("a.example");
  }

  @ParameterizedTest
  @CsvSource({
    "https://a/, https",
    "HTTPS://a/, https",
    "http://a/, http",
    "Coap+tcp-1.0://a/, coap+tcp-1.0"
  })
  void scheme_isInLowerCase(String uri, String scheme) {
    assertThat(valueAt(uri, "\"@scheme\"")).isEqualTo(scheme);
  }

  @ParameterizedTest
  @CsvSource({
    "https://a.example, /, ?, /",
    "https://a.example/, /, ?, /",
    "https://a.example?, /, ?, /?",
    "https://a.example?b, /, ?b, /?b",
    "https://a.example/b, /b, ?, /b",
    "https://a.example/b/, /b/, ?, /b/",
    "https://a.example//, //, ?, //",
    "https://a.example//b//c, //b//c, ?, //b//c",
    "https://a.example/./../b, /./../b, ?, /./../b",
    "https://a.example/%7eb%2Fc, /%7eb%2Fc, ?, /%7eb%2Fc",
    "https://a.example/B;c=d, /B;c=d, ?, /B;c=d",
    "https://a.example/b?, /b, ?, /b?",
    "https://a.example/b??c, /b, ??c, /b??c",
    "https://a.example/b?c=%2f&d, /b, ?c=%2f&d, /b?c=%2f&d",
    "https://a.example/b?c/d, /b, ?c/d, /b?c/d",
    "https://a.example/b?c+d%20e, /b, ?c+d%20e, /b?c+d%20e",
  })
  void pathAndQuery_areAsSpelledAndNeverEmpty(
      String uri, String path, String query, String requestTarget) {
    assertThat(valueAt(uri, "\"@path\"")).isEqualTo(path);
    assertThat(valueAt(uri, "\"@query\"")).isEqualTo(query);
    assertThat(valueAt(uri, "\"@request-target\"")).isEqualTo(requestTarget);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"https://a.example/b#c", "https://a.example/b?x=1#&x=2", "https://a.example#"})
  void uri_withAFragment_hasNoParts(String uri) {
    // A server that splits the raw target at ? and & would read parameters that nobody signed.
    for (String part : List.of("@authority", "@scheme", "@path", "@query", "@request-target")) {
      assertThatExceptionOfType(VerificationException.class)
          .as(part)
          .isThrownBy(() -> valueAt(uri, '"' + part + '"'))
          .withMessageContaining("fragment");
    }
  }

  @Test
  void requestTarget_ofAnAdapterThatKnowsBetter_isAsSent() {
    RequestMessage options =
        new RequestMessage() {
          @Override
          public String method() {
            return "OPTIONS";
          }

          @Override
          public String targetUri() {
            return "https://a.example";
          }

          @Override
          public String requestTarget() {
            return "*";
          }

          @Override
          public List<String> fieldLines(String lowerCaseName) {
            return List.of();
          }

          @Override
          public BodyFraming bodyFraming() {
            return BodyFraming.NONE;
          }
        };
    assertThat(Values.of(options, "\"@request-target\"")).isEqualTo("*");
    assertThat(Values.of(options, "\"@path\"")).isEqualTo("/");
  }

  @ParameterizedTest
  @ValueSource(ints = {100, 200, 418, 599, 600, 999})
  void status_hasThreeDigits(int status) {
    assertThat(Values.of(AnyResponse.of(status), "\"@status\"")).isEqualTo("" + status);
  }

  @ParameterizedTest
  @ValueSource(ints = {-200, -1, 0, 1, 99, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE})
  void status_ofOtherThanThreeDigits_isRefused(int status) {
    Values.assertRefused(AnyResponse.of(status), "\"@status\"");
  }

  @Test
  void status_ofARequest_isRefused() {
    Values.assertRefused(AnyRequest.GET, "\"@status\"");
    Values.assertRefused(AnyResponse.to(AnyRequest.GET), "\"@status\";req");
  }

  @Test
  void partsOfARequest_areNoPartsOfItsResponse() {
    AnyRequest request = AnyRequest.of("PUT", "https://a.example/b?c=d");
    for (String part : REQUEST_PARTS.split(" ")) {
      String identifier = "\"" + part + "\"";
      Values.assertRefused(AnyResponse.to(request), identifier);
      assertThat(Values.of(AnyResponse.to(request), identifier + ";req"))
          .isEqualTo(Values.of(request, identifier));
      Values.assertRefused(request, identifier + ";req");
      Values.assertRefused(AnyResponse.of(200), identifier + ";req");
    }
    Values.assertRefused(AnyResponse.to(request), "\"@query-param\";name=\"c\"");
    assertThat(Values.of(AnyResponse.to(request), "\"@query-param\";name=\"c\";req"))
        .isEqualTo("d");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"@signature-params", "@unknown", "@request-response", "@query-params", "@host"})
  void derivedComponent_thatIsUnknown_isRefused(String name) {
    Values.assertRefused(AnyRequest.GET.plus(name, "a"), "\"" + name + "\"");
    Values.assertRefused(AnyResponse.to(AnyRequest.GET.plus(name, "a")), "\"" + name + "\";req");
  }
}
