package dev.countersign.signatures;

import static dev.countersign.signatures.AliceVerification.assertAccepted;
import static dev.countersign.signatures.AliceVerification.assertRefused;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.HandSigner.GET_PARAMS;
import static dev.countersign.signatures.HandSigner.POST_PARAMS;
import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_MALFORMED;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_MISMATCH;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_MISSING;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_UNEXPECTED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A digest is required if and only if there is a body, and must match it. */
class ExpectedBodyTest {
  private static final String SHA_256 = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";
  private static final String SHA_512 =
      "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX"
          + "+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:";

  /** Header, body and list are each present or not: all eight cases report the real cause. */
  @ParameterizedTest
  @CsvSource({
    "true, true, true, ",
    "true, true, false, COMPONENTS_WRONG",
    "true, false, true, DIGEST_UNEXPECTED",
    "true, false, false, DIGEST_UNEXPECTED",
    "false, true, true, DIGEST_MISSING",
    "false, true, false, DIGEST_MISSING",
    "false, false, true, COMPONENTS_WRONG",
    "false, false, false, ",
  })
  void digest_headerBodyAndList_nameTheCause(
      boolean header, boolean body, boolean listed, VerificationFailure expected) {
    WireRequest request = WireRequest.POST;
    if (!header) {
      request = request.without("Content-Digest");
    }
    if (!body) {
      request = request.without("Content-Length").withBody("");
    }
    WireRequest signed = ALICE.sign(request, listed ? POST_PARAMS : GET_PARAMS);
    if (expected == null) {
      assertAccepted(signed);
    } else {
      assertRefused(expected, signed);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "true, true, true, ",
    "true, true, false, COMPONENTS_WRONG",
    "true, false, true, DIGEST_UNEXPECTED",
    "true, false, false, COMPONENTS_WRONG",
    "false, true, true, DIGEST_MISSING",
    "false, true, false, DIGEST_MISSING",
    "false, false, true, DIGEST_MISSING",
    "false, false, false, ",
  })
  void digest_ofAChunkedRequest_isHeldAgainstWhatComes(
      boolean header, boolean body, boolean listed, VerificationFailure expected) {
    WireRequest request =
        WireRequest.POST.without("Content-Length").plus("Transfer-Encoding", "chunked");
    if (!header) {
      request = request.without("Content-Digest");
    }
    if (!body) {
      request = request.withBody("");
    }
    WireRequest signed = ALICE.sign(request, listed ? POST_PARAMS : GET_PARAMS);
    if (expected == null) {
      assertAccepted(signed);
    } else {
      assertRefused(expected, signed);
    }
  }

  /** The framing alone decides, so no signature is computed and no body is read. */
  @Test
  void digest_againstTheFraming_isRefusedBeforeTheBodyIsThere() {
    WireRequest noBody = WireRequest.POST.without("Content-Length");
    WireRequest noDigest = WireRequest.POST.without("Content-Digest");
    assertThat(refusalOfExpectedBody(noBody)).isEqualTo(DIGEST_UNEXPECTED);
    assertThat(refusalOfExpectedBody(noDigest)).isEqualTo(DIGEST_MISSING);
    assertThat(refusalOfExpectedBody(WireRequest.POST.with("Content-Digest", "")))
        .isEqualTo(DIGEST_MALFORMED);
  }

  private static VerificationFailure refusalOfExpectedBody(WireRequest request) {
    WireRequest signed = ALICE.sign(request, POST_PARAMS);
    ReceivedSignature received = Profiles.PARTNER_V1.read(signed).checkProfile();
    return catchThrowableOfType(
            VerificationException.class,
            () ->
                ExpectedBody.of(
                    received,
                    signed,
                    ExpectedBody.BodyRule.of(ExpectedBody.BodyRule.Need.EXACTLY_WITH_BODY)))
        .failure();
  }

  @Test
  void contentLength_zero_isNoBody() {
    WireRequest empty = WireRequest.POST.with("Content-Length", "0").withBody("");
    assertAccepted(ALICE.sign(empty.without("Content-Digest"), GET_PARAMS));
    assertRefused(DIGEST_UNEXPECTED, ALICE.sign(empty, POST_PARAMS));
  }

  @Test
  void body_changedInAnyBit_isAMismatch() {
    WireRequest signed = ALICE.sign(WireRequest.POST, POST_PARAMS);
    for (int i = 0; i < signed.bodyText().length(); i++) {
      for (int bit = 0; bit < 7; bit++) {
        char[] body = signed.bodyText().toCharArray();
        body[i] ^= (char) (1 << bit);
        assertRefused(DIGEST_MISMATCH, signed.withBody(new String(body)));
      }
    }
  }

  @Test
  void body_longerOrShorter_isAMismatch() {
    WireRequest signed = ALICE.sign(WireRequest.POST, POST_PARAMS);
    assertRefused(DIGEST_MISMATCH, signed.withBody(signed.bodyText() + "\n"));
    assertRefused(DIGEST_MISMATCH, signed.withBody(signed.bodyText().substring(1)));
    assertRefused(DIGEST_UNEXPECTED, signed.withBody(""));
  }

  @Test
  void digest_replacedWithItsBody_isASignatureMismatch() {
    WireRequest signed = ALICE.sign(WireRequest.POST, POST_PARAMS);
    String other = "sha-256=:ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=:"; // of "abc"
    assertRefused(
        VerificationFailure.SIGNATURE_MISMATCH,
        signed.with("Content-Digest", other).withBody("abc"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SHA_256 + ", " + SHA_512,
        SHA_512 + "," + SHA_256,
        SHA_256 + ", md5=:AAAA:, sha=:AAAA:, unixsum=:AA==:, x=1, md5=()",
        "a;b, " + SHA_256,
      })
  void digests_others_areIgnoredOrMatch(String value) {
    assertAccepted(withDigest(value));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SHA_512,
        "md5=:PuGBoCqJdzPrJNjHIz/J8w==:",
        "sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=",
        "sha-256=\"X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=\"",
        "SHA-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
        "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBA==:",
        "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPEA:",
        "sha-256=::",
        "sha-256",
        "sha-256=(:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:)",
        SHA_256 + ", " + SHA_256,
        SHA_256 + ", sha-512=:AAAA:",
        SHA_256 + ", " + SHA_512 + ", " + SHA_512,
        SHA_256 + ",",
        "",
      })
  void digest_unusable_isMalformed(String value) {
    assertThat(assertRefused(DIGEST_MALFORMED, withDigest(value)))
        .hasMessageStartingWith("Content-Digest: ");
  }

  @Test
  void digest_sha512OfAnotherBody_isAMismatch() {
    String other = "sha-512=:" + Base64.getEncoder().encodeToString(new byte[64]) + ":";
    assertRefused(DIGEST_MISMATCH, withDigest(SHA_256 + ", " + other));
  }

  @Test
  void digest_repeatedInTwoLines_isMalformed() {
    assertRefused(
        DIGEST_MALFORMED,
        ALICE.sign(WireRequest.POST.plus("Content-Digest", SHA_256), POST_PARAMS));
  }

  @Test
  void digest_secondLine_isReadAndSigned() {
    WireRequest signed = ALICE.sign(WireRequest.POST.plus("Content-Digest", SHA_512), POST_PARAMS);
    assertAccepted(signed);
    assertThat(AliceVerification.verify(signed).base().text())
        .contains("\n\"content-digest\": " + SHA_256 + ", " + SHA_512 + "\n");
  }

  @Test
  void digest_coveredWithParameters_isNotTheDigest() {
    String listed = POST_PARAMS.replace("\"content-digest\"", "\"content-digest\";req");
    assertRefused(COMPONENTS_WRONG, ALICE.sign(WireRequest.POST, listed));
  }

  private static WireRequest withDigest(String value) {
    return ALICE.sign(WireRequest.POST.with("Content-Digest", value), POST_PARAMS);
  }
}
