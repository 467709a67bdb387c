package dev.countersign.signatures;

import static dev.countersign.signatures.AliceSigning.forged;
import static dev.countersign.signatures.AliceSigning.signed;
import static dev.countersign.signatures.Verdicts.accepted;
import static dev.countersign.signatures.Verdicts.refused;
import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_MALFORMED;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_MISMATCH;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_MISSING;
import static dev.countersign.signatures.base.VerificationFailure.DIGEST_UNEXPECTED;
import static dev.countersign.signatures.base.VerificationFailure.SIGNATURE_MISMATCH;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import dev.countersign.signatures.digest.DigestAlgorithm;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A digest is compared whenever it is present, and required whenever the verifier relies on it. */
class DigestMisuseTest {
  private static final SignatureProfile PROFILE = SignatureProfile.covering("@method");
  private static final SignatureProfile UNSIGNED_BODY = PROFILE.allowUnsignedBody();
  private static final String BODY = "{\"hello\": \"world\"}";
  private static final String COVERED = "(\"@method\" \"content-digest\")";

  /** SHA-512 of {@link #BODY}, from the examples of RFC 9421. */
  private static final String SHA_512 =
      "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHW"
          + "XvJwew==:";

  private static AnyRequest post(String... digestLines) {
    AnyRequest post = AnyRequest.of("POST", "https://a.example/").framed(BodyFraming.PRESENT);
    for (String line : digestLines) {
      post = post.plus("Content-Digest", line);
    }
    return post;
  }

  private static String sha256() {
    return AnyRequest.digest(BODY);
  }

  @ParameterizedTest
  @EnumSource
  void digest_coveredAndNotThatOfTheBody_isAMismatch(BodyFraming framing) {
    AnyRequest request = signed(AnyRequest.post(BODY), COVERED).framed(framing);
    for (SignatureProfile profile : List.of(PROFILE, UNSIGNED_BODY)) {
      accepted(profile, request, BODY);
      for (String other : List.of(BODY + " ", BODY.substring(1), "", "{}")) {
        refused(DIGEST_MISMATCH, profile, request, other);
      }
    }
  }

  @Test
  void digest_thatNobodyCovers_isComparedAllTheSame() {
    AnyRequest request = signed(AnyRequest.post(BODY), "(\"@method\")");
    accepted(UNSIGNED_BODY, request, BODY);
    refused(DIGEST_MISMATCH, UNSIGNED_BODY, request, "{}");
  }

  @ParameterizedTest
  @EnumSource
  void body_withoutADigest_isRefused(BodyFraming framing) {
    AnyRequest request = signed(post().framed(framing), "(\"@method\")");
    refused(DIGEST_MISSING, PROFILE, request, BODY);
    accepted(UNSIGNED_BODY, request, BODY);
  }

  @Test
  void body_thatTurnsOutToBeEmpty_needsNone() {
    accepted(PROFILE, signed(post().framed(BodyFraming.UNKNOWN), "(\"@method\")"));
    accepted(PROFILE, signed(post().framed(BodyFraming.NONE), "(\"@method\")"));
  }

  @Test
  void digest_coveredButAbsent_isRefused() {
    AnyRequest empty = forged(post(), COVERED, "\"@method\": POST", "\"content-digest\": ");
    AnyRequest removed = signed(AnyRequest.post(BODY), COVERED).without("Content-Digest");
    for (SignatureProfile profile : List.of(PROFILE, UNSIGNED_BODY)) {
      for (BodyFraming framing : BodyFraming.values()) {
        refused(DIGEST_MISSING, profile, empty.framed(framing), BODY);
        refused(DIGEST_MISSING, profile, removed.framed(framing), BODY);
        refused(DIGEST_MISSING, profile, removed.framed(framing), "");
      }
    }
  }

  @Test
  void digest_notCovered_isNotCountedOn() {
    AnyRequest request = signed(AnyRequest.post(BODY), "(\"@method\")");
    refused(COMPONENTS_WRONG, PROFILE, request, BODY);
    refused(COMPONENTS_WRONG, PROFILE, request.framed(BodyFraming.UNKNOWN), BODY);
    refused(DIGEST_MISSING, PROFILE, request.framed(BodyFraming.NONE), BODY);
  }

  @Test
  void digest_coveredInTheTrailers_isNeverTakenWithoutBeingCompared() {
    String covered = "(\"@method\" \"content-digest\";tr)";
    AnyRequest request =
        signed(AnyRequest.post(BODY).plusTrailer("Content-Digest", sha256()), covered);
    refused(COMPONENTS_WRONG, PROFILE, request, BODY);
    refused(DIGEST_UNEXPECTED, PROFILE, request.framed(BodyFraming.NONE), BODY);
    refused(DIGEST_UNEXPECTED, UNSIGNED_BODY, request, BODY);
    String both = "(\"@method\" \"content-digest\" \"content-digest\";tr)";
    AnyRequest twice = signed(AnyRequest.post(BODY).plusTrailer("Content-Digest", sha256()), both);
    refused(DIGEST_UNEXPECTED, PROFILE, twice, BODY);
  }

  @Test
  void digest_coveredInOneMember_isNotCountedOn() {
    String covered = "(\"@method\" \"content-digest\";key=\"sha-256\")";
    AnyRequest request = signed(AnyRequest.post(BODY), covered);
    refused(COMPONENTS_WRONG, PROFILE, request, BODY);
    refused(DIGEST_MISSING, PROFILE, request.framed(BodyFraming.NONE), BODY);
    accepted(UNSIGNED_BODY, request, BODY);
    refused(DIGEST_MISMATCH, UNSIGNED_BODY, request, "{}");
  }

  @ParameterizedTest
  @ValueSource(strings = {";sf", ";bs"})
  void digest_coveredInAnotherSpelling_isCountedOnWhereTheProfileDemandsIt(String spelling) {
    String covered = "(\"@method\" \"content-digest\"" + spelling + ")";
    AnyRequest request = signed(AnyRequest.post(BODY), covered);
    SignatureProfile demanding =
        SignatureProfile.covering(
            List.of(
                ComponentIdentifier.of("@method"),
                ComponentIdentifier.parse("\"content-digest\"" + spelling)));
    refused(COMPONENTS_WRONG, PROFILE, request, BODY);
    accepted(demanding, request, BODY);
    refused(DIGEST_MISMATCH, demanding, request, "{}");
    refused(COMPONENTS_WRONG, demanding, signed(AnyRequest.post(BODY), COVERED), BODY);
  }

  @Test
  void digest_ofTheRequest_isNotThatOfTheResponse() {
    SignatureProfile profile = SignatureProfile.covering("@status");
    AnyResponse response = AnyResponse.to(AnyRequest.post(BODY)).withBody(BODY);
    String ofRequest = "(\"@status\" \"content-digest\";req)";
    refused(COMPONENTS_WRONG, profile, signed(response, ofRequest), BODY);
    refused(DIGEST_MISSING, profile, signed(response.without("Content-Digest"), ofRequest), BODY);
    accepted(
        profile, signed(response, "(\"@status\" \"content-digest\" \"content-digest\";req)"), BODY);
  }

  @Test
  void digest_inATrailerAlone_isNoDigest() {
    AnyRequest request = post().framed(BodyFraming.UNKNOWN).plusTrailer("Content-Digest", sha256());
    refused(DIGEST_MISSING, PROFILE, signed(request, "(\"@method\")"), BODY);
    refused(
        DIGEST_UNEXPECTED, PROFILE, signed(request, "(\"@method\" \"content-digest\";tr)"), BODY);
    refused(
        DIGEST_MISSING,
        PROFILE,
        forged(request, COVERED, "\"@method\": POST", "\"content-digest\": " + sha256()),
        BODY);
  }

  @Test
  void digests_ofWhichOneIsWrong_areAMismatch() {
    String wrong512 = SHA_512.replace("WZDP", "XZDP");
    String wrong256 = AnyRequest.digest("{}");
    for (SignatureProfile profile : List.of(PROFILE, UNSIGNED_BODY)) {
      accepted(profile, signed(post(sha256() + ", " + SHA_512), COVERED), BODY);
      accepted(profile, signed(post(SHA_512, sha256()), COVERED), BODY);
      refused(DIGEST_MISMATCH, profile, signed(post(sha256() + "," + wrong512), COVERED), BODY);
      refused(DIGEST_MISMATCH, profile, signed(post(wrong512, sha256()), COVERED), BODY);
      refused(DIGEST_MISMATCH, profile, signed(post(wrong256, SHA_512), COVERED), BODY);
      refused(DIGEST_MISMATCH, profile, signed(post(SHA_512, wrong256), COVERED), BODY);
    }
  }

  @Test
  void digests_unknownOrInsecureBesideAGoodOne_areNotCompared() {
    String others = "md5=:AAAAAAAAAAAAAAAAAAAAAA==:, sha=:AAAA:, crc32c=:AAAAAA==:, sha-999=?1";
    accepted(PROFILE, signed(post(sha256(), others), COVERED), BODY);
    accepted(PROFILE, signed(post(others, sha256()), COVERED), BODY);
    refused(DIGEST_MISMATCH, PROFILE, signed(post(others, sha256()), COVERED), "{}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "md5=:Sd/dVLAcvNLSq16eXua5uQ==:",
        "sha=:07CavjDP4u3/TungoUHJO/Wzr4c=:",
        "unixsum=:GQU=:",
        "sha-999=:AAAA:",
        "",
        "SHA-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
        "sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=",
        "sha-256=\"X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=\"",
        "sha-256",
        "sha-256=()",
        "sha-256=::",
        "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBP==:",
        "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:,",
      })
  void digest_thatIsNone_isRefusedEvenWhereNobodyNeedsOne(String value) {
    for (SignatureProfile profile : List.of(PROFILE, UNSIGNED_BODY)) {
      refused(DIGEST_MALFORMED, profile, signed(post(value), COVERED), BODY);
    }
    refused(DIGEST_MALFORMED, UNSIGNED_BODY, signed(post(value), "(\"@method\")"), BODY);
  }

  @Test
  void digest_ofASecondLine_isNotOverlooked() {
    AnyRequest request = signed(AnyRequest.post(BODY), COVERED);
    refused(DIGEST_MALFORMED, PROFILE, request.plus("Content-Digest", sha256()), BODY);
    refused(
        DIGEST_MALFORMED, PROFILE, request.plus("content-digest", AnyRequest.digest("{}")), BODY);
    refused(SIGNATURE_MISMATCH, PROFILE, request.plus("CONTENT-DIGEST", SHA_512), BODY);
    AnyRequest both = signed(post(sha256(), AnyRequest.digest("{}")), COVERED);
    refused(DIGEST_MALFORMED, PROFILE, both, BODY);
    refused(DIGEST_MALFORMED, PROFILE, both, "{}");
  }

  /** RFC 9530 appendix B.2: a missing content has the digest of zero bytes. */
  @Test
  void digest_ofAnAnswerWithoutContent_isThatOfNoBytes() {
    SignatureProfile profile = SignatureProfile.covering("content-digest");
    AnyResponse toHead = AnyResponse.to(AnyRequest.of("HEAD", "https://a.example/"));
    for (AnyResponse response : List.of(toHead, AnyResponse.of(304), AnyResponse.of(204))) {
      accepted(profile, signed(response.withBody(""), "(\"content-digest\")"));
      refused(DIGEST_MISMATCH, profile, signed(response.withBody(BODY), "(\"content-digest\")"));
    }
  }

  /** Changing the status must not disable the comparison. */
  @ParameterizedTest
  @EnumSource
  void digest_ofAnAnswerThatShouldHaveNoContent_isCompared(BodyFraming framing) {
    SignatureProfile profile = SignatureProfile.covering("content-type");
    AnyResponse response = AnyResponse.of(200).withBody(BODY).plus("Content-Type", "a/b");
    AnyResponse changed =
        signed(response, "(\"content-type\" \"content-digest\")").withStatus(304).framed(framing);
    for (SignatureProfile each : List.of(profile, profile.allowUnsignedBody())) {
      refused(DIGEST_MISMATCH, each, changed, "{}");
      refused(DIGEST_MISMATCH, each, changed, "");
      accepted(each, changed, BODY);
    }
  }

  @Test
  void withDigestAlgorithm_isDemandedAmongThoseSent() {
    SignatureProfile both =
        PROFILE
            .withDigestAlgorithm(DigestAlgorithm.SHA_512)
            .withDigestAlgorithm(DigestAlgorithm.SHA_256);
    accepted(PROFILE, signed(post(SHA_512), COVERED), BODY);
    accepted(both, signed(post(SHA_512, sha256()), COVERED), BODY);
    refused(DIGEST_MALFORMED, both, signed(post(SHA_512), COVERED), BODY);
    refused(DIGEST_MALFORMED, both, signed(post(sha256()), COVERED), BODY);
    refused(DIGEST_MALFORMED, both.allowUnsignedBody(), signed(post(sha256()), COVERED), BODY);
    accepted(both.allowUnsignedBody(), signed(post(), "(\"@method\")"), BODY);
    accepted(both, signed(post().framed(BodyFraming.NONE), "(\"@method\")"));
  }
}
