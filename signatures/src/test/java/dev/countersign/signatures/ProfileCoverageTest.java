package dev.countersign.signatures;

import static dev.countersign.signatures.AliceSigning.signed;
import static dev.countersign.signatures.Verdicts.accepted;
import static dev.countersign.signatures.Verdicts.refused;
import static dev.countersign.signatures.base.VerificationFailure.COMPONENTS_WRONG;
import static dev.countersign.signatures.base.VerificationFailure.DATE_MISMATCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.FieldType;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The components that a profile requires, allows and refuses. */
class ProfileCoverageTest {
  private static final SignatureProfile PROFILE = SignatureProfile.covering("@method", "@path");
  private static final String DATE = "Tue, 05 Mar 2024 07:08:09 GMT";

  private static ComponentIdentifier component(String identifier) {
    return ComponentIdentifier.parse(identifier);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(\"@method\" \"@path\")",
        "(\"@path\" \"@method\")",
        "(\"@query\" \"@path\" \"@method\" \"@authority\")",
        "(\"@path\" \"@method\" \"@query-param\";name=\"page\")",
      })
  void covering_atLeastTheseInAnyOrder_isAccepted(String components) {
    assertThat(
            ComponentIdentifier.serialize(
                accepted(PROFILE, signed(AnyRequest.GET, components)).components()))
        .isEqualTo(components);
  }

  @ParameterizedTest
  @ValueSource(strings = {"()", "(\"@path\")", "(\"@method\" \"@target-uri\")", "(\"@method\")"})
  void covering_lessThanThese_isRefusedAndShown(String components) {
    VerificationException refusal =
        refused(COMPONENTS_WRONG, PROFILE, signed(AnyRequest.GET, components));
    assertThat(refusal.comparison().orElseThrow())
        .isEqualTo(new VerificationException.Comparison("(\"@method\" \"@path\")", components));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(\"@path\" \"@method\")",
        "(\"@method\" \"@path\" \"@query\")",
        "(\"@query\" \"@method\" \"@path\")",
        "(\"@method\")",
      })
  void withNothingElseCovered_moreOrInAnotherOrder_isRefused(String components) {
    SignatureProfile exact = PROFILE.withNothingElseCovered();
    accepted(exact, signed(AnyRequest.GET, "(\"@method\" \"@path\")"));
    refused(COMPONENTS_WRONG, exact, signed(AnyRequest.GET, components));
  }

  @Test
  void withNothingElseCovered_andABody_coversItsDigestLast() {
    SignatureProfile exact = PROFILE.withNothingElseCovered();
    accepted(
        exact, signed(AnyRequest.post("a"), "(\"@method\" \"@path\" \"content-digest\")"), "a");
    refused(
        COMPONENTS_WRONG,
        exact,
        signed(AnyRequest.post("a"), "(\"content-digest\" \"@method\" \"@path\")"),
        "a");
  }

  @Test
  void withCoveredWhereSent_isDemandedExactlyWhereTheFieldIs() {
    SignatureProfile profile = PROFILE.withCoveredWhereSent(component("\"x-limit\""));
    AnyRequest sent = AnyRequest.GET.plus("X-Limit", "");
    accepted(profile, signed(AnyRequest.GET, "(\"@method\" \"@path\")"));
    accepted(profile, signed(sent, "(\"x-limit\" \"@method\" \"@path\")"));
    refused(COMPONENTS_WRONG, profile, signed(sent, "(\"@method\" \"@path\")"));
    refused(COMPONENTS_WRONG, profile, signed(sent, "(\"@method\" \"@path\" \"x-limit\";bs)"));
    refused(
        COMPONENTS_WRONG,
        profile,
        signed(AnyRequest.GET, "(\"@method\" \"@path\")").plus("x-limit", "1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"@metod\"",
        "\"@signature-params\"",
        "\"@query-param\"",
        "\"@method\";name=\"a\"",
        "\"@method\";sf",
        "\"x-a\";sf;bs",
        "\"x-a\";key",
        "\"x-a\";unknown",
      })
  void component_thatNoMessageHas_isRefusedWhenTheProfileIsMade(String component) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SignatureProfile.covering(List.of(component(component))))
        .withMessageContaining(component);
  }

  @ParameterizedTest
  @CsvSource({
    "filter[name], as filter%5Bname%5D",
    "user id,      as user%20id",
    "user+id,      as user%20id",
    "a~b,          as a%7Eb",
    "fa%c3%a7ade,  as fa%C3%A7ade",
    "%41,          as A",
    "100%,         as 100%25",
    "%FF,          percent-encoded",
  })
  void queryParam_notEncoded_isRefusedWhenTheProfileIsMade(String name, String rule) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROFILE.withCoveredWhereSent(ComponentIdentifier.queryParam(name)))
        .withMessageEndingWith(rule);
  }

  @Test
  void queryParam_encoded_isRequiredHoweverTheQuerySpellsIt() {
    SignatureProfile profile =
        PROFILE.withCoveredWhereSent(ComponentIdentifier.queryParam("filter%5Bname%5D"));
    AnyRequest sent =
        new AnyRequest(
            "GET",
            "https://example.com/?filter[name]=x",
            FieldLines.NONE,
            FieldLines.NONE,
            BodyFraming.NONE);
    refused(COMPONENTS_WRONG, profile, signed(sent, "(\"@method\" \"@path\")"));
    accepted(
        profile,
        signed(sent, "(\"@method\" \"@path\" \"@query-param\";name=\"filter%5Bname%5D\")"));
  }

  @Test
  void withCoveredWhereSent_ofATrailer_isRefusedAtOnce() {
    // A trailer is known only after the body, when the signature has been verified.
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PROFILE.withCoveredWhereSent(component("\"x-sum\";tr")))
        .withMessageContaining("trailers");
  }

  @Test
  void withCoveredWhereSent_ofTheRequest_looksAtTheRequest() {
    SignatureProfile profile =
        SignatureProfile.covering("@status").withCoveredWhereSent(component("\"x-limit\";req"));
    AnyResponse asked = AnyResponse.to(AnyRequest.GET.plus("X-Limit", "1"));
    AnyResponse notAsked = AnyResponse.to(AnyRequest.GET).plus("X-Limit", "1");
    accepted(profile, signed(asked, "(\"@status\" \"x-limit\";req)"));
    refused(COMPONENTS_WRONG, profile, signed(asked, "(\"@status\")"));
    accepted(profile, signed(notAsked, "(\"@status\")"));
  }

  @Test
  void withCoveredWhereSent_ofARequestThatIsNotAtHand_refusesRatherThanLetsPass() {
    SignatureProfile profile =
        SignatureProfile.covering("@status").withCoveredWhereSent(component("\"x-limit\";req"));
    AnyResponse unasked = AnyResponse.of(200);
    refused(COMPONENTS_WRONG, profile, signed(unasked, "(\"@status\")"));
    AnyRequest request = AnyRequest.GET.plus("X-Limit", "1");
    AnyResponse signed = signed(unasked.answering(request), "(\"@status\" \"x-limit\";req)");
    accepted(profile, signed);
    AnyResponse torn =
        new AnyResponse(200, signed.headers(), FieldLines.NONE, BodyFraming.NONE, Optional.empty());
    refused(COMPONENTS_WRONG, profile, torn);
  }

  @Test
  void withCoveredWhereSent_ofADerivedComponent_dependsOnTheKindOfMessage() {
    SignatureProfile profile =
        SignatureProfile.covering()
            .withCoveredWhereSent(component("\"@status\""))
            .withCoveredWhereSent(component("\"@path\""));
    accepted(profile, signed(AnyRequest.GET, "(\"@path\")"));
    refused(COMPONENTS_WRONG, profile, signed(AnyRequest.GET, "()"));
    accepted(profile, signed(AnyResponse.to(AnyRequest.GET), "(\"@status\")"));
    refused(COMPONENTS_WRONG, profile, signed(AnyResponse.to(AnyRequest.GET), "()"));
  }

  @Test
  void withCoveredWhereSent_ofAMember_looksForTheMember() {
    SignatureProfile profile = PROFILE.withCoveredWhereSent(component("\"priority\";key=\"u\""));
    accepted(profile, signed(AnyRequest.GET.plus("Priority", "i"), "(\"@method\" \"@path\")"));
    AnyRequest sent = AnyRequest.GET.plus("Priority", "i, u=2");
    refused(COMPONENTS_WRONG, profile, signed(sent, "(\"@method\" \"@path\")"));
    accepted(profile, signed(sent, "(\"@method\" \"@path\" \"priority\";key=\"u\")"));
  }

  @Test
  void withCoveredWhereSent_ofAQueryParameter_looksAtTheQuery() {
    SignatureProfile profile = PROFILE.withCoveredWhereSent(ComponentIdentifier.queryParam("page"));
    refused(COMPONENTS_WRONG, profile, signed(AnyRequest.GET, "(\"@method\" \"@path\")"));
    accepted(
        profile, signed(AnyRequest.GET, "(\"@method\" \"@path\" \"@query-param\";name=\"page\")"));
    accepted(
        profile, signed(AnyRequest.of("GET", "https://a.example/?p"), "(\"@method\" \"@path\")"));
  }

  @Test
  void withCoveredWhereSent_ofSomethingThatCannotBeCovered_refusesRatherThanLetsPass() {
    SignatureProfile profile = PROFILE.withCoveredWhereSent(ComponentIdentifier.queryParam("page"));
    AnyRequest twice = AnyRequest.of("GET", "https://a.example/?page=1&page=2");
    refused(COMPONENTS_WRONG, profile, signed(twice, "(\"@method\" \"@path\")"));
    SignatureProfile member = PROFILE.withCoveredWhereSent(component("\"priority\";key=\"u\""));
    refused(
        COMPONENTS_WRONG,
        member,
        signed(AnyRequest.GET.plus("Priority", "u=1, u=2"), "(\"@method\" \"@path\")"));
    refused(
        COMPONENTS_WRONG,
        member,
        signed(AnyRequest.GET.plus("Priority", "=malformed="), "(\"@method\" \"@path\")"));
  }

  @Test
  void withCoveredWhereSent_ofWhatIsDemandedAnyway_loosensNothing() {
    SignatureProfile profile =
        SignatureProfile.covering("@method", "x-limit")
            .withCoveredWhereSent(component("\"x-limit\""));
    refused(COMPONENTS_WRONG, profile, signed(AnyRequest.GET, "(\"@method\")"));
  }

  @Test
  void withCoveredWhereSent_ofTheDigest_stillNeedsItWithABody() {
    SignatureProfile profile = PROFILE.withCoveredWhereSent(component("\"content-digest\""));
    AnyRequest bare = AnyRequest.of("POST", "https://a.example/").framed(BodyFraming.UNKNOWN);
    refused(
        VerificationFailure.DIGEST_MISSING, profile, signed(bare, "(\"@method\" \"@path\")"), "a");
    AnyRequest post = AnyRequest.post("a");
    refused(COMPONENTS_WRONG, profile, signed(post, "(\"@method\" \"@path\")"), "a");
  }

  @Test
  void withDateAtCreated_demandsADateOfThatSecond() {
    SignatureProfile profile = PROFILE.withDateAtCreated();
    String covered = "(\"@method\" \"@path\" \"date\")";
    AnyRequest dated = AnyRequest.GET.plus("Date", DATE);
    accepted(profile, signed(dated, covered));
    refused(COMPONENTS_WRONG, profile, signed(dated, "(\"@method\" \"@path\")"));
    refused(
        DATE_MISMATCH,
        profile,
        signed(AnyRequest.GET.plus("Date", "Tue, 05 Mar 2024 07:08:11 GMT"), covered));
    refused(VerificationFailure.DATE_MALFORMED, profile, signed(dated.plus("date", DATE), covered));
    accepted(PROFILE, signed(AnyRequest.GET.plus("Date", "yesterday"), covered));
  }

  @Test
  void withDateAtCreated_whereItWasDemandedAlready_changesNothing() {
    SignatureProfile again = Profiles.PARTNER_V1.withDateAtCreated();
    AnyRequest keyed = AnyRequest.GET.plus("Date", DATE).plus("Idempotency-Key", "1");
    String covered = "(\"@method\" \"@target-uri\" \"date\" \"idempotency-key\")";
    AnyRequest request = AliceSigning.signedAs("sig", keyed, covered + HandSigner.PARAMETERS);
    accepted(Profiles.PARTNER_V1, request);
    accepted(again, request);
  }

  @Test
  void allowMissingDate_givesUpThatItIsCoveredAndNothingElse() {
    SignatureProfile profile = PROFILE.withDateAtCreated().allowMissingDate();
    AnyRequest dated = AnyRequest.GET.plus("Date", "Tue, 05 Mar 2024 07:08:11 GMT");
    accepted(profile, signed(AnyRequest.GET, "(\"@method\" \"@path\")"));
    accepted(profile, signed(dated, "(\"@method\" \"@path\")"));
    refused(DATE_MISMATCH, profile, signed(dated, "(\"@method\" \"@path\" \"date\")"));
    refused(
        VerificationFailure.CREATED_TOO_OLD,
        profile.withMaximumAge(Duration.ZERO),
        AliceSigning.signedAs(
            "sig",
            AnyRequest.GET,
            "(\"@method\" \"@path\");created=1709622488;keyid=\"cl-alice\""));
    accepted(PROFILE.allowMissingDate(), signed(AnyRequest.GET, "(\"@method\" \"@path\")"));
    refused(
        COMPONENTS_WRONG,
        PROFILE.withNothingElseCovered().allowMissingDate(),
        signed(dated, "(\"@method\" \"@path\" \"date\")"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"content-digest\"", "\"content-digest\";sf", "\"content-digest\";bs"})
  void allowUnsignedBody_whereADigestIsDemandedOfEveryMessage_isRefused(String digest) {
    SignatureProfile profile =
        SignatureProfile.covering(
            List.of(ComponentIdentifier.of("@method"), ComponentIdentifier.parse(digest)));
    assertThatIllegalStateException()
        .isThrownBy(profile::allowUnsignedBody)
        .withMessageContaining("requires " + digest + " of every message")
        .withMessageContaining("withCoveredWhereSent");
  }

  @Test
  void allowUnsignedBody_whereADigestIsCoveredWhereSent_keepsThat() {
    SignatureProfile before =
        PROFILE.withCoveredWhereSent(ComponentIdentifier.of("content-digest")).allowUnsignedBody();
    SignatureProfile after =
        PROFILE.allowUnsignedBody().withCoveredWhereSent(ComponentIdentifier.of("content-digest"));
    AnyRequest post = AnyRequest.post("a");
    for (SignatureProfile profile : List.of(before, after)) {
      refused(COMPONENTS_WRONG, profile, signed(post, "(\"@method\" \"@path\")"), "a");
      accepted(profile, signed(post, "(\"@method\" \"@path\" \"content-digest\")"), "a");
      accepted(profile, signed(post.without("Content-Digest"), "(\"@method\" \"@path\")"), "b");
    }
  }

  @Test
  void allowUnsignedBody_ofAResponse_doesNotConcernTheDigestOfItsRequest() {
    SignatureProfile profile =
        SignatureProfile.covering(
                List.of(
                    ComponentIdentifier.of("@status"),
                    ComponentIdentifier.of("content-digest").withReq()))
            .allowUnsignedBody();
    AnyResponse response = AnyResponse.to(AnyRequest.post("a")).withBody("b");
    accepted(
        profile,
        signed(response.without("Content-Digest"), "(\"@status\" \"content-digest\";req)"),
        "b");
  }

  @Test
  void allowUnsignedBody_givesUpTheBodyAndNothingElse() {
    SignatureProfile profile = PROFILE.allowUnsignedBody();
    AnyRequest post = AnyRequest.post("a");
    accepted(profile, signed(post, "(\"@method\" \"@path\")"), "a");
    accepted(profile, signed(post, "(\"@method\" \"@path\" \"content-digest\")"), "a");
    accepted(profile, signed(post.without("Content-Digest"), "(\"@method\" \"@path\")"), "b");
    refused(
        VerificationFailure.DIGEST_MISMATCH,
        profile,
        signed(post, "(\"@method\" \"@path\" \"content-digest\")"),
        "b");
    refused(COMPONENTS_WRONG, profile, signed(post, "(\"@method\" \"content-digest\")"), "a");
    refused(
        VerificationFailure.SIGNATURE_MISMATCH,
        profile,
        signed(post, "(\"@method\" \"@path\")").to("https://a/b"));
  }

  @Test
  void profiles_areImmutable() {
    SignatureProfile profile = SignatureProfile.covering("@method");
    AnyRequest request = signed(AnyRequest.GET.plus("X-A", "a"), "(\"@method\" \"@path\")");
    profile.withNothingElseCovered().withCoveredWhereSent(component("\"x-a\"")).withTag("a");
    profile.withLabel("a").withDateAtCreated().withRequiredParameters("nonce");
    profile.withForbiddenParameters("alg").withMaximumAge(Duration.ofSeconds(-0));
    profile.allowMissingKeyid().allowMissingCreated().allowUnsignedBody().allowMissingDate();
    profile.withFieldType("x-a", FieldType.ITEM);
    accepted(profile, request);
    refused(
        VerificationFailure.PARAMETERS_WRONG,
        profile,
        AliceSigning.signedAs("sig", AnyRequest.GET, "(\"@method\")"));
  }
}
