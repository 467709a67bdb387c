package dev.countersign.signatures;

import static dev.countersign.signatures.ExpectedBase.assertLines;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The examples of RFC 9421, section 2.2: components derived from what is not a field. */
class Rfc9421DerivedComponentsTest {
  private static final WireRequest POST =
      WireRequest.parse(
          """
          POST /path?param=value HTTP/1.1
          Host: www.example.com
          """);

  private static final WireRequest FORM =
      WireRequest.parse(
          """
          GET /path?param=value&foo=bar&baz=batman&qux= HTTP/1.1
          Host: www.example.com
          """);

  private static final WireRequest ENCODED_FORM =
      WireRequest.parse(
          Rfc8792.unfold(
              """
              GET /parameters?var=this%20is%20a%20big%0Amultiline%20value&\\
                bar=with+plus+whitespace&fa%C3%A7ade%22%3A%20=something HTTP/1.1
              Host: www.example.com
              Date: Tue, 20 Apr 2021 02:07:56 GMT
              """));

  private static final WireResponse OK =
      WireResponse.parse(
          """
          HTTP/1.1 200 OK
          Date: Fri, 26 Mar 2010 00:05:00 GMT
          """);

  @Test
  void rfc9421_2_2_1_method() {
    assertLines(POST, "\"@method\": POST\n");
  }

  @Test
  void rfc9421_2_2_1_method_keepsItsCase() {
    assertLines(POST.withMethod("pOsT"), "\"@method\": pOsT\n");
  }

  @Test
  void rfc9421_2_2_2_targetUri() {
    assertLines(POST, "\"@target-uri\": https://www.example.com/path?param=value\n");
  }

  @Test
  void rfc9421_2_2_3_authority() {
    assertLines(POST, "\"@authority\": www.example.com\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"https://WWW.Example.COM/", "https://www.example.com:443/"})
  void rfc9421_2_2_3_authority_isNormalized(String targetUri) {
    assertLines(POST.withTargetUri(targetUri), "\"@authority\": www.example.com\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://www.example.com/path", "HTTP://www.example.com/path"})
  void rfc9421_2_2_4_scheme(String targetUri) {
    assertLines(POST.withTargetUri(targetUri), "\"@scheme\": http\n");
  }

  @Test
  void rfc9421_2_2_5_requestTarget_originForm() {
    assertLines(POST, "\"@request-target\": /path?param=value\n");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, https://www.example.com/path?param=value",
    "CONNECT, www.example.com:80",
    "OPTIONS, *"
  })
  void rfc9421_2_2_5_requestTarget_otherForms(String method, String target) {
    RequestMessage request = new RequestInAnotherForm(POST.withMethod(method), target);
    assertLines(request, "\"@request-target\": " + target + '\n');
  }

  @Test
  void rfc9421_2_2_6_path() {
    assertLines(POST.withMethod("GET"), "\"@path\": /path\n");
  }

  @Test
  void rfc9421_2_2_6_path_empty_isASlash() {
    assertLines(POST.withTargetUri("https://www.example.com?param=value"), "\"@path\": /\n");
  }

  @ParameterizedTest
  @CsvSource({
    "GET, /path?param=value&foo=bar&baz=bat%2Dman, ?param=value&foo=bar&baz=bat%2Dman",
    "POST, /path?queryString, ?queryString",
    "POST, /path, ?"
  })
  void rfc9421_2_2_7_query(String method, String target, String query) {
    WireRequest request =
        WireRequest.parse(method + ' ' + target + " HTTP/1.1\nHost: www.example.com\n");
    assertLines(request, "\"@query\": " + query + '\n');
  }

  @Test
  void rfc9421_2_2_8_queryParam_inAnyOrder() {
    assertLines(
        FORM,
        """
        "@query-param";name="baz": batman
        "@query-param";name="qux":\s
        "@query-param";name="param": value
        """);
  }

  @Test
  void rfc9421_2_2_8_queryParam_isEncodedAgain() {
    assertLines(
        ENCODED_FORM,
        """
        "@query-param";name="var": this%20is%20a%20big%0Amultiline%20value
        "@query-param";name="bar": with%20plus%20whitespace
        "@query-param";name="fa%C3%A7ade%22%3A%20": something
        """);
  }

  @Test
  void rfc9421_2_2_8_queryParam_decodedName_isNoIdentifier() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ComponentIdentifier.queryParam("fa\u00e7ade\": "));
  }

  @ParameterizedTest
  @ValueSource(strings = {"quux", "fa%c3%a7ade%22%3a%20", "Bar"})
  void rfc9421_2_2_8_queryParam_absent_isRefused(String name) {
    assertRefused(ENCODED_FORM, ComponentIdentifier.queryParam(name));
  }

  @Test
  void rfc9421_2_2_8_queryParam_severalTimes_isRefused() {
    WireRequest twice = FORM.withTargetUri(FORM.targetUri() + "&%62az=robin");
    assertRefused(twice, ComponentIdentifier.queryParam("baz"));
  }

  @Test
  void rfc9421_2_2_9_status() {
    assertLines(OK, "\"@status\": 200\n");
  }

  @Test
  void rfc9421_2_2_9_status_ofARequest_isRefused() {
    assertRefused(POST, ComponentIdentifier.of("@status"));
  }

  @Test
  void rfc9421_2_4_req_inARequest_isRefused() {
    assertRefused(POST, ComponentIdentifier.of("@method").withReq());
  }

  private static void assertRefused(HttpMessage message, ComponentIdentifier component) {
    SignatureInput input = new SignatureInput(List.of(component), SignatureParameters.none());
    VerificationException refusal =
        catchThrowableOfType(
            VerificationException.class,
            () -> SignatureBase.of(input, message, StructuredFieldRegistry.registered()));
    assertThat(refusal).as(component.serialize()).isNotNull();
    assertThat(refusal.failure()).isEqualTo(VerificationFailure.COMPONENTS_WRONG);
    assertThat(refusal.component()).contains(component);
  }

  /** A request whose request line has its target in another form than origin form. */
  private record RequestInAnotherForm(WireRequest request, String requestTarget)
      implements RequestMessage {
    @Override
    public String method() {
      return request.method();
    }

    @Override
    public String targetUri() {
      return request.targetUri();
    }

    @Override
    public List<String> fieldLines(String lowerCaseName) {
      return request.fieldLines(lowerCaseName);
    }

    @Override
    public BodyFraming bodyFraming() {
      return request.bodyFraming();
    }
  }
}
