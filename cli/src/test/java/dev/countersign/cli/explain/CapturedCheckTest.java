package dev.countersign.cli.explain;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.explain.Finding.State;
import dev.countersign.server.TestService;
import dev.countersign.signatures.diagnosis.LikelyCause;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.interfaces.RSAPublicKey;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapturedCheckTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String QUERY = WALLETS + "?sort=name,asc&size=20";

  @Test
  void request_wellSigned_isVerifiedAndEveryRuleButTimeHolds() {
    Explanation explanation = Capture.post(WALLETS, "{\"a\":1}").explain();
    assertThat(explanation.isVerified()).isTrue();
    assertThat(explanation.cause()).isEmpty();
    assertThat(explanation.base().orElseThrow()).startsWith("\"@method\": POST\n");
    assertThat(explanation.findings())
        .filteredOn(finding -> finding.state() != State.HOLDS)
        .extracting(Finding::rule)
        .containsExactly(ProfileRule.TIME);
  }

  @Test
  void request_withoutPublicKey_isNotCheckedAndNoSuccess() {
    Explanation explanation = CapturedCheck.explain(Capture.get(QUERY).read(), Hints.none());
    assertThat(explanation.isVerified()).isFalse();
    assertThat(explanation.reason()).isEqualTo(Explanation.NOT_CHECKED);
    assertThat(sentence(explanation)).contains("--public-key");
  }

  @ParameterizedTest
  @CsvSource({
    "internal:8080, AUTHORITY_DIFFERS",
    "api.example.com:443, DEFAULT_PORT",
    "api.example.com:8443, PORT_DIFFERS",
    "API.example.com, URI_CASE",
  })
  void host_changedByAProxy_isTheCause(String host, LikelyCause cause) {
    Capture captured = Capture.get(QUERY).with("Host", host).with("X-Forwarded-Host", Capture.HOST);
    assertCause(captured, cause);
  }

  @Test
  void host_namedByForwardedOrTheSignedUrl_isFound() {
    Capture captured = Capture.get(QUERY).with("Host", "internal");
    assertCause(
        captured.with("Forwarded", "for=1.2.3.4;host=\"api.example.com\";proto=https"),
        LikelyCause.AUTHORITY_DIFFERS);
    Hints hints =
        Hints.none()
            .withPublicKey(Capture.publicKey())
            .withSignedUrl("https://api.example.com" + QUERY);
    assertThat(sentence(CapturedCheck.explain(captured.read(), hints)))
        .isEqualTo(LikelyCause.AUTHORITY_DIFFERS.sentence());
  }

  @Test
  void scheme_changedByAProxyThatEndsTls_isTheCause() {
    Capture captured = Capture.get(QUERY).withTarget("http://" + Capture.HOST + QUERY);
    assertCause(captured, LikelyCause.SCHEME_DIFFERS);
  }

  @ParameterizedTest
  @CsvSource({
    "?sort=name%2Casc&size=20, QUERY_RE_ENCODED",
    "?size=20&sort=name%2casc, HEX_CASE",
    "?q=a+b, PLUS_FOR_SPACE",
    "?sort=name%252Casc, ENCODED_TWICE",
    "?size=20, QUERY_ORDER",
  })
  void query_changedOnTheWay_isTheCause(String query, LikelyCause cause) {
    String signed =
        switch (cause) {
          case QUERY_RE_ENCODED -> "?sort=name,asc&size=20";
          case HEX_CASE -> "?size=20&sort=name%2Casc";
          case PLUS_FOR_SPACE -> "?q=a%20b";
          case ENCODED_TWICE -> "?sort=name%2Casc";
          default -> "?page=1&size=20&a=2";
        };
    String sent = cause == LikelyCause.QUERY_ORDER ? "?size=20&a=2&page=1" : query;
    assertCause(Capture.get(WALLETS + signed).withTarget(WALLETS + sent), cause);
  }

  @Test
  void path_changedOnTheWay_isTheCause() {
    assertCause(Capture.get(WALLETS).withTarget(WALLETS + "/"), LikelyCause.TRAILING_SLASH);
    assertCause(Capture.get(WALLETS).withTarget("/api" + WALLETS), LikelyCause.PATH_PREFIX);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"a\": 1} | BODY_JSON_WHITE_SPACE",
        "{\"a\":1}\\n | BODY_FINAL_LINE_BREAK",
      })
  void body_changedAfterHashing_isTheCause(String body, LikelyCause cause) {
    Capture captured = Capture.post(WALLETS, "{\"a\":1}").withBody(body.replace("\\n", "\n"));
    Explanation explanation = captured.explain();
    assertThat(explanation.reason()).isEqualTo("digest_mismatch");
    assertThat(sentence(explanation)).isEqualTo(cause.sentence());
  }

  @Test
  void body_changedBeyondGuessing_isNamedEvenWithoutPublicKey() {
    Capture captured = Capture.post(WALLETS, "{\"a\":1}").withBody("{\"a\":2}");
    Explanation explanation = CapturedCheck.explain(captured.read(), Hints.none());
    assertThat(explanation.reason()).isEqualTo("digest_mismatch");
    assertThat(state(explanation, ProfileRule.BODY)).isEqualTo(State.BROKEN);
  }

  @Test
  void date_ofAnotherSecond_isTheCause() {
    Capture captured = Capture.get(WALLETS).with("Date", "Fri, 20 Nov 2026 19:02:56 GMT");
    assertCause(captured, LikelyCause.DATE_DIFFERS);
  }

  @Test
  void date_ofAnotherTimeZone_isTheCause() {
    Explanation explanation =
        Capture.get(WALLETS).with("Date", "Fri, 20 Nov 2026 20:02:55 GMT").explain();
    assertThat(explanation.reason()).isEqualTo("date_mismatch");
    assertThat(sentence(explanation)).contains("3600 s").endsWith(LikelyCause.TIME_ZONE.sentence());
    assertThat(state(explanation, ProfileRule.SIGNATURE)).isEqualTo(State.BROKEN);
  }

  @Test
  void key_ofAnotherPair_isTheCause() {
    Hints other = Hints.none().withPublicKey((RSAPublicKey) TestService.newKeyPair().getPublic());
    Explanation explanation = CapturedCheck.explain(Capture.get(WALLETS).read(), other);
    assertThat(explanation.reason()).isEqualTo("signature_mismatch");
    assertThat(sentence(explanation))
        .startsWith("the signature was not made with the private key of SHA256:")
        .contains("not a pair");
  }

  @Test
  void clientId_mistyped_isTheCauseWithTheOneThatWasMeant() {
    Explanation explanation =
        Capture.get(WALLETS).withInput(Capture.CLIENT_ID, "cl-7zk3m9q2x5w8d1trlx").explain();
    assertThat(explanation.reason()).isEqualTo("client_mistyped");
    assertThat(sentence(explanation)).contains("check digits are wrong");
  }

  @Test
  void components_inAnotherOrder_areTheCause() {
    Explanation explanation =
        Capture.get(WALLETS)
            .withInput("\"@method\" \"@target-uri\"", "\"@target-uri\" \"@method\"")
            .explain();
    assertThat(explanation.reason()).isEqualTo("components_wrong");
    assertThat(sentence(explanation))
        .isEqualTo(
            "the components are in another order: cover"
                + " (\"@method\" \"@target-uri\" \"date\") in this order");
  }

  @Test
  void components_missingOrMore_areNamed() {
    assertThat(sentence(Capture.get(WALLETS).withInput(" \"date\"", " \"host\"").explain()))
        .contains("does not cover \"date\"")
        .contains("must not cover \"host\"");
  }

  @Test
  void components_noneCovered_areAllMissing() {
    assertThat(
            sentence(
                Capture.get(WALLETS)
                    .withInput("(\"@method\" \"@target-uri\" \"date\")", "()")
                    .explain()))
        .isEqualTo(
            "the signature does not cover \"@method\" and \"@target-uri\" and \"date\": cover"
                + " (\"@method\" \"@target-uri\" \"date\")");
  }

  @Test
  void lines_signedInAnotherOrder_areTheCause() {
    Capture captured =
        Capture.getSignedOver(
            WALLETS,
            base -> {
              String[] lines = base.split("\n");
              return String.join("\n", lines[1], lines[0], lines[2], lines[3]);
            });
    Explanation explanation = captured.explain();
    assertThat(explanation.reason()).isEqualTo("signature_mismatch");
    assertThat(explanation.cause().orElseThrow().drawing()).isPresent();
    assertThat(sentence(explanation)).contains("order");
  }

  @Test
  void created_inMilliseconds_isTheCause() {
    String seconds = String.valueOf(Capture.CREATED.getEpochSecond());
    Explanation explanation = Capture.get(WALLETS).withInput(seconds, seconds + "000").explain();
    assertThat(explanation.reason()).isEqualTo("created_in_future");
    assertThat(sentence(explanation)).isEqualTo(LikelyCause.CREATED_IN_MILLISECONDS.sentence());
  }

  @ParameterizedTest
  @CsvSource({
    "BREAK, FINAL_LINE_BREAK",
    "CRLF, CR_LF",
    "LABEL, LABEL_KEPT",
    "LOWER, METHOD_CASE",
  })
  void base_writtenOtherwise_isTheCause(String mistake, LikelyCause cause) {
    Capture captured =
        Capture.getSignedOver(
            WALLETS,
            base ->
                switch (mistake) {
                  case "BREAK" -> base + "\n";
                  case "CRLF" -> base.replace("\n", "\r\n");
                  case "LABEL" -> base.replace("params\": (", "params\": sig=(");
                  default -> base.replace("GET", "get");
                });
    assertCause(captured, cause);
  }

  @Test
  void base_hashedTwiceOrByAnotherHash_isTheCause() {
    Capture sha512 = Capture.signed("GET", WALLETS, "", base -> base, "SHA512withRSA");
    assertThat(sentence(sha512.explain())).contains("SHA-512").contains("uses SHA-256");
    Capture twice = Capture.getSignedOver(WALLETS, CapturedCheckTest::hexDigest);
    assertThat(sentence(twice.explain())).contains("hashes it twice");
  }

  @Test
  void base_ofTheSigner_showsWhatNoGuessFinds() {
    Capture captured =
        Capture.getSignedOver(WALLETS, base -> base.replace(WALLETS, "/other/v9/things"));
    assertThat(sentence(captured.explain())).contains("--base FILE");
    String signers =
        captured.explain().base().orElseThrow().replace(WALLETS, "/other/v9/things") + "\n";
    Hints hints = Hints.none().withPublicKey(Capture.publicKey()).withBase(signers);
    Explanation explanation = CapturedCheck.explain(captured.read(), hints);
    assertThat(explanation.cause().orElseThrow().drawing().orElseThrow()).contains("/other/v9");
  }

  @Test
  void base_thatWasNotSigned_isNotTheCause() {
    Capture captured =
        Capture.getSignedOver(WALLETS, base -> base.replace(WALLETS, "/other/v9/things"));
    String rebuilt = captured.explain().base().orElseThrow();
    for (String given : List.of(rebuilt, rebuilt + "\n", rebuilt.replace("GET", "get"))) {
      Hints hints = Hints.none().withPublicKey(Capture.publicKey()).withBase(given);
      Explanation explanation = CapturedCheck.explain(captured.read(), hints);
      assertThat(sentence(explanation))
          .startsWith("the key is right, but a different signature base was signed, and neither")
          .contains("the text given with --base nor any of the usual mistakes")
          .doesNotContain("--base FILE");
      assertThat(explanation.cause().orElseThrow().drawing()).isEmpty();
    }
  }

  @Test
  void urlAndDate_bothChangedOnTheWay_areFoundTogether() {
    Capture captured =
        Capture.get(QUERY)
            .with("Host", "api.example.com:443")
            .with("Date", "Fri, 20 Nov 2026 19:02:56 GMT");
    assertCause(captured, LikelyCause.DEFAULT_PORT);
  }

  @Test
  void fields_missing_leaveLaterRulesUnchecked() {
    Explanation explanation = Capture.get(WALLETS).without("Signature").explain();
    assertThat(explanation.reason()).isEqualTo("signature_missing");
    assertThat(state(explanation, ProfileRule.FIELDS)).isEqualTo(State.BROKEN);
    assertThat(state(explanation, ProfileRule.COMPONENTS)).isEqualTo(State.NOT_CHECKED);
  }

  @Test
  void inputWithBlanks_signedSerialized_isVerifiedOverThatText() {
    Capture canonical = Capture.get(WALLETS);
    Explanation explanation = canonical.withInput(";", "; ").explain();
    assertThat(explanation.isVerified()).isTrue();
    assertThat(explanation.base()).isEqualTo(canonical.explain().base());
    assertThat(note(explanation)).startsWith("over the serialized @signature-params");
  }

  @Test
  void inputWithBlanks_signedAsSpelled_isVerifiedOverThatText() {
    Explanation explanation = spelledWithBlanks().explain();
    assertThat(explanation.isVerified()).isTrue();
    assertThat(explanation.base().orElseThrow()).contains("\"date\"); created=");
    assertThat(note(explanation)).startsWith("over @signature-params as spelled");
  }

  @Test
  void inputWithoutBlanks_hasOneFormAndNoNote() {
    assertThat(note(Capture.get(WALLETS).explain())).isEmpty();
  }

  @Test
  void inputWithBlanks_changedOnTheWay_hasItsCauseFoundInEitherForm() {
    for (Capture captured :
        List.of(Capture.get(WALLETS).withInput(";", "; "), spelledWithBlanks())) {
      assertCause(
          captured.with("Host", "internal").with("X-Forwarded-Host", Capture.HOST),
          LikelyCause.AUTHORITY_DIFFERS);
    }
  }

  private static Capture spelledWithBlanks() {
    return Capture.getSignedOver(WALLETS, base -> base.replace(";", "; ")).withInput(";", "; ");
  }

  private static String note(Explanation explanation) {
    return explanation.findings().stream()
        .filter(finding -> finding.rule() == ProfileRule.SIGNATURE)
        .findFirst()
        .orElseThrow()
        .note();
  }

  @Test
  void time_given_isChecked() {
    Hints late =
        Hints.none().withPublicKey(Capture.publicKey()).withTime(Capture.CREATED.plusSeconds(301));
    assertThat(CapturedCheck.explain(Capture.get(WALLETS).read(), late).reason())
        .isEqualTo("created_too_old");
    Hints inTime = late.withTime(Capture.CREATED.plusSeconds(300));
    assertThat(CapturedCheck.explain(Capture.get(WALLETS).read(), inTime).isVerified()).isTrue();
  }

  private static String hexDigest(String text) {
    return HexFormat.of()
        .formatHex(CryptoProvider.jdk().digest("SHA-256").digest(text.getBytes(US_ASCII)));
  }

  private static void assertCause(Capture captured, LikelyCause cause) {
    Explanation explanation = captured.explain();
    assertThat(explanation.reason()).isEqualTo("signature_mismatch");
    assertThat(sentence(explanation)).isEqualTo(cause.sentence());
    assertThat(explanation.cause().orElseThrow().drawing()).isPresent();
  }

  private static String sentence(Explanation explanation) {
    return explanation.cause().orElseThrow().sentence();
  }

  private static State state(Explanation explanation, ProfileRule rule) {
    return explanation.findings().stream()
        .filter(finding -> finding.rule() == rule)
        .findFirst()
        .orElseThrow()
        .state();
  }
}
