package dev.countersign.signatures;

import static dev.countersign.signatures.AliceSigning.BY_ALICE;
import static dev.countersign.signatures.AliceSigning.signedAs;
import static dev.countersign.signatures.AliceVerification.CREATED;
import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.Verdicts.accepted;
import static dev.countersign.signatures.Verdicts.acceptedAt;
import static dev.countersign.signatures.Verdicts.refused;
import static dev.countersign.signatures.Verdicts.refusedAt;
import static dev.countersign.signatures.base.VerificationFailure.ALGORITHM_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.CREATED_IN_FUTURE;
import static dev.countersign.signatures.base.VerificationFailure.CREATED_TOO_OLD;
import static dev.countersign.signatures.base.VerificationFailure.EXPIRED;
import static dev.countersign.signatures.base.VerificationFailure.KEY_UNKNOWN;
import static dev.countersign.signatures.base.VerificationFailure.PARAMETERS_WRONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parameters that a profile requires and refuses, and the time limits of a signature. */
class ProfileParametersTest {
  private static final SignatureProfile PROFILE = SignatureProfile.covering("@method");
  private static final String NO_CREATED = ";keyid=\"cl-alice\"";

  private static AnyRequest with(String parameters) {
    return signedAs("sig", AnyRequest.GET, "(\"@method\")" + parameters);
  }

  @Test
  void covering_demandsCreatedAndKeyidInAnyOrder() {
    accepted(PROFILE, with(BY_ALICE));
    accepted(PROFILE, with(";keyid=\"cl-alice\";created=1709622489"));
    accepted(PROFILE, with(BY_ALICE + ";unknown=1;tag=\"any\";nonce=\"any\""));
    assertThat(refused(PARAMETERS_WRONG, PROFILE, with(NO_CREATED)))
        .hasMessageContaining("created is missing");
    assertThat(refused(PARAMETERS_WRONG, PROFILE, with(";created=1709622489")))
        .hasMessageContaining("keyid is missing");
    refused(PARAMETERS_WRONG, PROFILE, with(""));
  }

  @ParameterizedTest
  @ValueSource(strings = {"expires", "nonce", "alg", "tag", "x-own"})
  void withRequiredParameters_missing_isRefused(String name) {
    SignatureProfile profile = PROFILE.withRequiredParameters(name);
    String value =
        switch (name) {
          case "expires" -> "=1709622490";
          case "alg" -> "=\"rsa-v1_5-sha256\"";
          case "x-own" -> "";
          default -> "=\"a\"";
        };
    accepted(profile, with(BY_ALICE + ";" + name + value));
    assertThat(refused(PARAMETERS_WRONG, profile, with(BY_ALICE)))
        .hasMessageContaining(name + " is missing");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"nonce=\"a\"", "tag=\"\"", "alg=\"rsa-v1_5-sha256\"", "x-own", "x-own=?0"})
  void withForbiddenParameters_sent_isRefused(String parameter) {
    String name = parameter.split("=")[0];
    SignatureProfile profile = PROFILE.withForbiddenParameters(name);
    accepted(profile, with(BY_ALICE));
    assertThat(refused(PARAMETERS_WRONG, profile, with(BY_ALICE + ";" + parameter)))
        .hasMessageContaining(name + " must not be sent");
    accepted(profile.withRequiredParameters(name), with(BY_ALICE + ";" + parameter));
  }

  /** Without created the age is unknown: allowing that has its own name. */
  @Test
  void withForbiddenParameters_ofWhatIsRequired_needsTheAllowanceFirst() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROFILE.withForbiddenParameters("created"))
        .withMessageContaining("allowMissingCreated");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROFILE.withForbiddenParameters("tag", "keyid"))
        .withMessageContaining("allowMissingKeyid");
    SignatureProfile without = PROFILE.allowMissingCreated().withForbiddenParameters("created");
    accepted(without, with(NO_CREATED));
    refused(PARAMETERS_WRONG, without, with(BY_ALICE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ";created=1709622489.0",
        ";created=\"1709622489\"",
        ";created=-1",
        ";created",
        ";created=@1709622489",
        ";created=1709622489;expires=1709622490.5",
        ";created=1709622489;expires",
        ";created=1709622489;created=1709622489",
        ";created=1;created=1709622489",
        ";created=1709622489;nonce=n",
        ";created=1709622489;alg=rsa-v1_5-sha256",
        ";created=1709622489;tag=:YQ==:",
        ";created=1709622489;nonce=1",
        ";created=1709622489;keyid=\"cl-bob\"",
      })
  void parameters_ofAnotherTypeOrTwice_areRefused(String parameters) {
    refused(PARAMETERS_WRONG, PROFILE, with(parameters + ";keyid=\"cl-alice\""));
  }

  @Test
  void allowMissingCreated_givesUpTheAgeAndNothingElse() {
    SignatureProfile profile = PROFILE.allowMissingCreated();
    acceptedAt(Instant.EPOCH, profile, with(NO_CREATED));
    acceptedAt(Instant.MAX, profile, with(NO_CREATED));

    refusedAt(NOW.plusSeconds(301), CREATED_TOO_OLD, profile, with(BY_ALICE));
    refusedAt(NOW.minusSeconds(31), CREATED_IN_FUTURE, profile, with(BY_ALICE));
    refusedAt(NOW, EXPIRED, profile, with(NO_CREATED + ";expires=" + CREATED));
    acceptedAt(NOW.minusNanos(1), profile, with(NO_CREATED + ";expires=" + CREATED));
    refused(PARAMETERS_WRONG, profile, with(";expires=1709622490"));
    refused(PARAMETERS_WRONG, profile.withRequiredParameters("expires"), with(NO_CREATED));
    refused(PARAMETERS_WRONG, profile.withRequiredParameters("created"), with(NO_CREATED));
  }

  @Test
  void allowMissingKeyid_givesUpTheNameAndNothingElse() {
    SignatureProfile profile = PROFILE.allowMissingKeyid();
    accepted(profile, with(BY_ALICE));
    refused(KEY_UNKNOWN, profile, with(";created=1709622489"));
    refused(KEY_UNKNOWN, profile, with(";created=1709622489;keyid=\"\""));
    refused(KEY_UNKNOWN, profile, with(";created=1709622489;keyid=\"cl-Alice\""));
    refused(PARAMETERS_WRONG, profile, with(""));
  }

  @Test
  void withAlgorithms_none_isRefusedAtOnce() {
    assertThatIllegalArgumentException().isThrownBy(PROFILE::withAlgorithms);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "none", "RSA-V1_5-SHA256", "rsa-v1_5-sha256 ", "hs2019", "RS256"})
  void alg_thatIsNotRegistered_isRefused(String alg) {
    refused(ALGORITHM_WRONG, PROFILE, with(BY_ALICE + ";alg=\"" + alg + "\""));
  }

  @Test
  void ages_areComparedToTheNanosecond() {
    SignatureProfile profile =
        PROFILE.withMaximumAge(Duration.ofSeconds(10)).withMaximumSkew(Duration.ofSeconds(3));
    AnyRequest request = with(BY_ALICE);

    acceptedAt(NOW.plusSeconds(10), profile, request);
    refusedAt(NOW.plusSeconds(10).plusNanos(1), CREATED_TOO_OLD, profile, request);
    acceptedAt(NOW.minusSeconds(3), profile, request);
    refusedAt(NOW.minusSeconds(3).minusNanos(1), CREATED_IN_FUTURE, profile, request);
    assertThat(profile.endOf(NOW)).isEqualTo(NOW.plusSeconds(10));
  }

  @Test
  void ages_ofLessThanASecond_areKept() {
    SignatureProfile profile =
        PROFILE.withMaximumAge(Duration.ofNanos(5)).withMaximumSkew(Duration.ofNanos(2));
    AnyRequest request = with(BY_ALICE);

    acceptedAt(NOW.plusNanos(5), profile, request);
    refusedAt(NOW.plusNanos(6), CREATED_TOO_OLD, profile, request);
    acceptedAt(NOW.minusNanos(2), profile, request);
    refusedAt(NOW.minusNanos(3), CREATED_IN_FUTURE, profile, request);
  }

  @Test
  void expires_insideTheAge_endsItAndBehindItDoesNotLengthenIt() {
    AnyRequest early = with(BY_ALICE + ";expires=" + (CREATED + 10));
    acceptedAt(NOW.plusSeconds(10).minusNanos(1), PROFILE, early);
    refusedAt(NOW.plusSeconds(10), EXPIRED, PROFILE, early);
    AnyRequest late = with(BY_ALICE + ";expires=999999999999999");
    acceptedAt(NOW.plusSeconds(300), PROFILE, late);
    refusedAt(NOW.plusSeconds(300).plusNanos(1), CREATED_TOO_OLD, PROFILE, late);
    refused(EXPIRED, PROFILE, with(BY_ALICE + ";expires=" + (CREATED - 1)));
    refused(EXPIRED, PROFILE, with(BY_ALICE + ";expires=0"));
  }

  @Test
  void endOf_anAgeOfAnyLength_isTheEndOfTime() {
    Duration longest = Duration.ofSeconds(Long.MAX_VALUE);
    assertThat(PROFILE.withMaximumAge(longest).endOf(NOW)).isEqualTo(Instant.MAX);
    assertThat(PROFILE.withMaximumAge(longest).endOf(Instant.MAX)).isEqualTo(Instant.MAX);
    assertThat(PROFILE.withMaximumAge(Duration.between(NOW, Instant.MAX)).endOf(NOW))
        .isEqualTo(Instant.MAX);
    acceptedAt(Instant.MAX, PROFILE.withMaximumAge(longest), with(BY_ALICE));
    acceptedAt(Instant.MIN, PROFILE.withMaximumSkew(longest), with(BY_ALICE));
  }
}
