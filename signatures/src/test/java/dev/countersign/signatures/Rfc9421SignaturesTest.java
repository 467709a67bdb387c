package dev.countersign.signatures;

import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.keys.TestedProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The examples of RFC 9421, sections 2.3, 2.5, 3.1, 3.2, 4.1 and 4.2: one signed request. */
class Rfc9421SignaturesTest {
  private static final WireRequest REQUEST =
      WireRequest.parse(
          Rfc8792.unfold(
              """
              POST /foo?param=Value&Pet=dog HTTP/1.1
              Host: example.com
              Date: Tue, 20 Apr 2021 02:07:55 GMT
              Content-Type: application/json
              Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+T\\
                aPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
              Content-Length: 18

              {"hello": "world"}"""));

  private static final String BASE =
      Rfc8792.unfold(
          """
          "@method": POST
          "@authority": example.com
          "@path": /foo
          "content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX\\
            +TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
          "content-length": 18
          "content-type": application/json
          "@signature-params": ("@method" "@authority" "@path" \\
            "content-digest" "content-length" "content-type")\\
            ;created=1618884473;keyid="test-key-rsa-pss"\
          """);

  private static final String SIGNATURE =
      Rfc8792.unfold(
          """
          HIbjHC5rS0BYaa9v4QfD4193TORw7u9edguPh0AW3dMq9WImrlFrCGUDih47vAxi4L2\\
          YRZ3XMJc1uOKk/J0ZmZ+wcta4nKIgBkKq0rM9hs3CQyxXGxHLMCy8uqK488o+9jrptQ\\
          +xFPHK7a9sRL1IXNaagCNN3ZxJsYapFj+JXbmaI5rtAdSfSvzPuBCh+ARHBmWuNo1Uz\\
          VVdHXrl8ePL4cccqlazIJdC4QEjrF+Sn4IxBQzTZsL9y9TP5FsZYzHvDqbInkTNigBc\\
          E9cKOYNFCn4D/WM7F6TNuZO9EgtzepLWcjTymlHzK7aXq6Am6sfOrpIC49yXjj3ae6H\\
          RalVc/g==\
          """);

  private static final SignedExample SIG1 =
      new SignedExample(
          REQUEST,
          Rfc8792.unfold(
              """
              sig1=("@method" "@authority" "@path" \\
                "content-digest" "content-length" "content-type")\\
                ;created=1618884473;keyid="test-key-rsa-pss"\
              """),
          Rfc8792.unfold(
              """
              sig1=:HIbjHC5rS0BYaa9v4QfD4193TORw7u9edguPh0AW3dMq9WImrl\\
                FrCGUDih47vAxi4L2YRZ3XMJc1uOKk/J0ZmZ+wcta4nKIgBkKq0rM9hs3CQyxXGxH\\
                LMCy8uqK488o+9jrptQ+xFPHK7a9sRL1IXNaagCNN3ZxJsYapFj+JXbmaI5rtAdSf\\
                SvzPuBCh+ARHBmWuNo1UzVVdHXrl8ePL4cccqlazIJdC4QEjrF+Sn4IxBQzTZsL9y\\
                9TP5FsZYzHvDqbInkTNigBcE9cKOYNFCn4D/WM7F6TNuZO9EgtzepLWcjTymlHzK7\\
                aXq6Am6sfOrpIC49yXjj3ae6HRalVc/g==:\
              """),
          BASE,
          SignedExample.exactly("sig1", BASE)
              .withAlgorithms(SignatureAlgorithm.RSA_PSS_SHA512)
              .withDigestAlgorithm(SHA_512));

  @Test
  void rfc9421_2_3_signatureParams_areReadAndWrittenInTheirOrder() {
    String params =
        Rfc8792.unfold(
            """
            ("@target-uri" "@authority" "date" "cache-control")\\
              ;keyid="test-key-rsa-pss";alg="rsa-pss-sha512";\\
              created=1618884475;expires=1618884775\
            """);
    SignatureInput read = SignatureInput.parse(params);
    SignatureInput written =
        new SignatureInput(
            Stream.of("@target-uri", "@authority", "date", "cache-control")
                .map(ComponentIdentifier::of)
                .toList(),
            SignatureParameters.none()
                .withKeyid("test-key-rsa-pss")
                .withAlg("rsa-pss-sha512")
                .withCreated(Instant.ofEpochSecond(1618884475))
                .withExpires(Instant.ofEpochSecond(1618884775)));

    assertThat(read).isEqualTo(written);
    assertThat(read.signatureParams()).isEqualTo(params);
    assertThat(written.signatureParams()).isEqualTo(params);
  }

  @Test
  void rfc9421_2_5_base() {
    ExpectedBase.assertBase(REQUEST, BASE);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_3_1_sig1_isMadeFromItsParts(TestedProvider provider) {
    assertThat(SIG1.signature()).isEqualTo("sig1=:" + SIGNATURE + ':');
    SIG1.assertSignedAnew(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_3_2_sig1_verifies(TestedProvider provider) {
    SIG1.assertVerified(provider);
    SIG1.assertGuarded(provider);
  }

  /** Section 3.2 asks that the creation time "be recent enough". */
  @ParameterizedTest
  @EnumSource
  void rfc9421_3_2_sig1_notRecentEnough_isRefused(TestedProvider provider) {
    SignedExample strict = SIG1.with(profile -> profile.withMaximumAge(Duration.ofSeconds(10)));
    assertThat(strict.refusal(strict.signed(), Duration.ofSeconds(11), provider).failure())
        .isEqualTo(VerificationFailure.CREATED_TOO_OLD);
  }

  @Test
  void rfc9421_4_1_signatureInput_isReadAndWritten() {
    String field =
        Rfc8792.unfold(
            """
            sig1=("@method" "@target-uri" "@authority" \\
              "content-digest" "cache-control");\\
              created=1618884475;keyid="test-key-rsa-pss"\
            """);
    SignatureFields fields = fields(field, "sig1=:AA==:");
    SignatureInput input =
        new SignatureInput(
            fields.components("sig1"), SignatureParameters.received(fields.parameters("sig1")));

    assertThat(fields.labels()).containsExactly("sig1");
    assertThat(input.components())
        .extracting(ComponentIdentifier::name)
        .containsExactly("@method", "@target-uri", "@authority", "content-digest", "cache-control");
    assertThat(input.parameters().created()).hasValue(1618884475);
    assertThat(input.parameters().keyid()).contains("test-key-rsa-pss");
    assertThat("sig1=" + fields.signatureParams("sig1")).isEqualTo(field);
    assertThat("sig1=" + input.signatureParams()).isEqualTo(field);
  }

  /**
   * Section 4.2 prints a signature without its message. It comes from the drafts, where it was made
   * over the example of their section 2.3 (draft 07 has both), and it verifies over that.
   */
  @ParameterizedTest
  @EnumSource
  void rfc9421_4_2_signature_verifiesOverTheExampleOfTheDrafts(TestedProvider provider) {
    SignedExample example = exampleOfTheDrafts();
    assertThat(signatureBytes(example.signature())).hasSize(256);
    example.assertVerified(provider);
    example.assertGuarded(provider);
  }

  private static SignedExample exampleOfTheDrafts() {
    String base =
        Rfc8792.unfold(
            """
            "@method": GET
            "@path": /foo
            "@authority": example.org
            "cache-control": max-age=60, must-revalidate
            "x-empty-header":\s
            "x-example": Example header with some whitespace.
            "@signature-params": ("@method" "@path" "@authority" \\
              "cache-control" "x-empty-header" "x-example")\\
              ;created=1618884475;keyid="test-key-rsa-pss"\
            """);
    return new SignedExample(
        WireRequest.parse(
            """
            GET /foo HTTP/1.1
            Host: example.org
            Date: Tue, 20 Apr 2021 02:07:55 GMT
            X-Example: Example header
                    with some whitespace.
            X-Empty-Header:\s
            Cache-Control: max-age=60
            Cache-Control: must-revalidate
            """),
        "sig1=" + ExpectedBase.signatureParams(base),
        Rfc8792.unfold(
            """
            sig1=:P0wLUszWQjoi54udOtydf9IWTfNhy+r53jGFj9XZuP4uKwxyJo\\
              1RSHi+oEF1FuX6O29d+lbxwwBao1BAgadijW+7O/PyezlTnqAOVPWx9GlyntiCiHz\\
              C87qmSQjvu1CFyFuWSjdGa3qLYYlNm7pVaJFalQiKWnUaqfT4LyttaXyoyZW84jS8\\
              gyarxAiWI97mPXU+OVM64+HVBHmnEsS+lTeIsEQo36T3NFf2CujWARPQg53r58Rmp\\
              Z+J9eKR2CD6IJQvacn5A4Ix5BUAVGqlyp8JYm+S/CWJi31PNUjRRCusCVRj05NrxA\\
              BNFv3r5S9IXf2fYJK+eyW4AiGVMvMcOg==:\
            """),
        base,
        SignedExample.exactly("sig1", base).withAlgorithms(SignatureAlgorithm.RSA_PSS_SHA512));
  }

  private static byte[] signatureBytes(String field) {
    Item member = (Item) Dictionary.parse(List.of(field)).get("sig1").orElseThrow();
    return ((ByteSequence) member.value()).bytes();
  }

  private static SignatureFields fields(String signatureInput, String signature) {
    return SignatureFields.of(
        REQUEST.plus("Signature-Input", signatureInput).plus("Signature", signature));
  }
}
