package dev.countersign.signatures;

import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.TestedProvider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of RFC 9421, section 2.4: responses signed together with their requests. */
class Rfc9421ResponsesTest {
  private static final WireRequest REQUEST =
      WireRequest.parse(
          Rfc8792.unfold(
              """
              POST /foo?param=Value&Pet=dog HTTP/1.1
              Host: example.com
              Date: Tue, 20 Apr 2021 02:07:55 GMT
              Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+T\\
                aPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
              Content-Type: application/json
              Content-Length: 18

              {"hello": "world"}"""));

  private static final WireResponse RESPONSE =
      WireResponse.parse(
          Rfc8792.unfold(
              """
              HTTP/1.1 503 Service Unavailable
              Date: Tue, 20 Apr 2021 02:07:56 GMT
              Content-Type: application/json
              Content-Length: 62
              Content-Digest: sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObfwn\\
                HJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:

              {"busy": true, "message": "Your call is very important to us"}"""));

  private static final String BASE =
      Rfc8792.unfold(
          """
          "@status": 503
          "content-digest": sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObf\\
            wnHJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:
          "content-type": application/json
          "@authority";req: example.com
          "@method";req: POST
          "@path";req: /foo
          "content-digest";req: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A\\
            2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
          "@signature-params": ("@status" "content-digest" "content-type" \\
            "@authority";req "@method";req "@path";req "content-digest";req)\\
            ;created=1618884479;keyid="test-key-ecc-p256"\
          """);

  private static final SignedExample REQRES =
      new SignedExample(
          RESPONSE.answering(REQUEST),
          Rfc8792.unfold(
              """
              reqres=("@status" "content-digest" "content-type" \\
                "@authority";req "@method";req "@path";req "content-digest";req)\\
                ;created=1618884479;keyid="test-key-ecc-p256"\
              """),
          Rfc8792.unfold(
              """
              reqres=:dMT/A/76ehrdBTD/2Xx8QuKV6FoyzEP/I9hdzKN8LQJLNgzU\\
                4W767HK05rx1i8meNQQgQPgQp8wq2ive3tV5Ag==:\
              """),
          BASE,
          SignedExample.exactly("reqres", BASE)
              .withAlgorithms(SignatureAlgorithm.ECDSA_P256_SHA256)
              .withDigestAlgorithm(SHA_512));

  /**
   * The RFC does not print the base of the signed request; this follows from its Signature-Input.
   */
  private static final String SIGNED_REQUEST_BASE =
      Rfc8792.unfold(
          """
          "@method": POST
          "@authority": example.com
          "@path": /foo
          "@query": ?param=Value&Pet=dog
          "content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX\\
            +TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
          "content-type": application/json
          "content-length": 18
          "@signature-params": ("@method" "@authority" "@path" "@query" \\
            "content-digest" "content-type" "content-length")\\
            ;created=1618884475;keyid="test-key-rsa-pss"\
          """);

  private static final SignedExample SIGNED_REQUEST =
      new SignedExample(
          REQUEST,
          Rfc8792.unfold(
              """
              sig1=("@method" "@authority" "@path" "@query" \\
                "content-digest" "content-type" "content-length")\\
                ;created=1618884475;keyid="test-key-rsa-pss"\
              """),
          Rfc8792.unfold(
              """
              sig1=:e8UJ5wMiRaonlth5ERtE8GIiEH7Akcr493nQ07VPNo6y3qvjdK\\
                t0fo8VHO8xXDjmtYoatGYBGJVlMfIp06eVMEyNW2I4vN7XDAz7m5v1108vGzaDljr\\
                d0H8+SJ28g7bzn6h2xeL/8q+qUwahWA/JmC8aOC9iVnwbOKCc0WSrLgWQwTY6VLp4\\
                2Qt7jjhYT5W7/wCvfK9A1VmHH1lJXsV873Z6hpxesd50PSmO+xaNeYvDLvVdZlhtw\\
                5PCtUYzKjHqwmaQ6DEuM8udRjYsoNqp2xZKcuCO1nKc0V3RjpqMZLuuyVbHDAbCzr\\
                0pg2d2VM/OC33JAU7meEjjaNz+d7LWPg==:\
              """),
          SIGNED_REQUEST_BASE,
          SignedExample.exactly("sig1", SIGNED_REQUEST_BASE)
              .withAlgorithms(SignatureAlgorithm.RSA_PSS_SHA512)
              .withDigestAlgorithm(SHA_512));

  private static final String BASE_WITH_SIGNED_REQUEST =
      Rfc8792.unfold(
          """
          "@status": 503
          "content-digest": sha-512=:0Y6iCBzGg5rZtoXS95Ijz03mslf6KAMCloESHObf\\
            wnHJDbkkWWQz6PhhU9kxsTbARtY2PTBOzq24uJFpHsMuAg==:
          "content-type": application/json
          "@authority";req: example.com
          "@method";req: POST
          "@path";req: /foo
          "@query";req: ?param=Value&Pet=dog
          "content-digest";req: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A\\
            2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
          "content-type";req: application/json
          "content-length";req: 18
          "@signature-params": ("@status" "content-digest" "content-type" \\
            "@authority";req "@method";req "@path";req "@query";req \\
            "content-digest";req "content-type";req "content-length";req)\\
            ;created=1618884479;keyid="test-key-ecc-p256"\
          """);

  private static final SignedExample REQRES_WITH_SIGNED_REQUEST =
      new SignedExample(
          RESPONSE.answering((RequestMessage) SIGNED_REQUEST.signed()),
          Rfc8792.unfold(
              """
              reqres=("@status" "content-digest" "content-type" \\
                "@authority";req "@method";req "@path";req "@query";req \\
                "content-digest";req "content-type";req "content-length";req)\\
                ;created=1618884479;keyid="test-key-ecc-p256"\
              """),
          Rfc8792.unfold(
              """
              reqres=:C73J41GVKc+TYXbSobvZf0CmNcptRiWN+NY1Or0A36ISg6ym\\
                dRN6ZgR2QfrtopFNzqAyv+CeWrMsNbcV2Ojsgg==:\
              """),
          BASE_WITH_SIGNED_REQUEST,
          SignedExample.exactly("reqres", BASE_WITH_SIGNED_REQUEST)
              .withAlgorithms(SignatureAlgorithm.ECDSA_P256_SHA256)
              .withDigestAlgorithm(SHA_512));

  @ParameterizedTest
  @EnumSource
  void rfc9421_2_4_reqres(TestedProvider provider) {
    REQRES.assertVerified(provider);
    REQRES.assertGuarded(provider);
    REQRES.assertSignedAnew(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_2_4_signedRequest(TestedProvider provider) {
    SIGNED_REQUEST.assertVerified(provider);
    SIGNED_REQUEST.assertGuarded(provider);
    SIGNED_REQUEST.assertSignedAnew(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_2_4_reqres_toTheSignedRequest(TestedProvider provider) {
    REQRES_WITH_SIGNED_REQUEST.assertVerified(provider);
    REQRES_WITH_SIGNED_REQUEST.assertGuarded(provider);
    REQRES_WITH_SIGNED_REQUEST.assertSignedAnew(provider);
  }

  /** RFC 9421 section 2.4: the response covers what the request's own signature covers. */
  @Test
  void rfc9421_2_4_reqres_coversEveryComponentOfTheRequestsSignature() {
    List<ComponentIdentifier> covered =
        SignatureInput.parse(ExpectedBase.signatureParams(BASE_WITH_SIGNED_REQUEST)).components();
    assertThat(covered)
        .containsAll(
            SignatureInput.parse(ExpectedBase.signatureParams(SIGNED_REQUEST_BASE))
                .components()
                .stream()
                .map(ComponentIdentifier::withReq)
                .toList());
  }

  /** Without its request, the response cannot be verified. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_2_4_reqres_withoutItsRequest_isRefused(TestedProvider provider) {
    WireResponse alone =
        RESPONSE.plus("Signature-Input", REQRES.input()).plus("Signature", REQRES.signature());
    VerificationException refusal = REQRES.refusal(alone, provider);
    assertThat(refusal.failure()).isEqualTo(VerificationFailure.COMPONENTS_WRONG);
    assertThat(refusal).hasMessageContaining("the request of this response is not available");
  }

  /** A component of the request does not replace that of the response, or the other way round. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_2_4_reqres_whereAComponentOfTheResponseIsDemanded_isRefused(
      TestedProvider provider) {
    SignatureProfile ownLength =
        SignatureProfile.covering("@status", "content-digest", "content-length");
    SignedExample example = REQRES_WITH_SIGNED_REQUEST.with(profile -> ownLength);
    assertThat(example.refusal(example.signed(), provider).failure())
        .isEqualTo(VerificationFailure.COMPONENTS_WRONG);
  }
}
