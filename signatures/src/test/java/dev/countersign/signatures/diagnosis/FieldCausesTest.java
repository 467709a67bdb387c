package dev.countersign.signatures.diagnosis;

import static dev.countersign.signatures.diagnosis.TestedBases.causeOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.fields.ByteSequence;
import java.security.MessageDigest;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The causes for fields; {@code -} means that no cause may be named. */
class FieldCausesTest {
  private static final String DIGEST = "X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=";
  private static final String OTHER_DIGEST = "x48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "FIELD_JOINED | a, b | a,b",
        "FIELD_JOINED | a, b | a ,b",
        "- | \"a, b\" | \"c,b\"",
        "WHITE_SPACE | \"a, b\" | \"a,b\"",
        "WHITE_SPACE | \"a\\\", b\" | \"a\\\",b\"",
        "WHITE_SPACE | ' a, b' | a, b",
        "WHITE_SPACE | 'a ' | a",
        "WHITE_SPACE | a  b | a b",
        "WHITE_SPACE | a; b | a;b",
        "- | a b | a_b",
        "FIELD_LINE_MISSING | 203.0.113.7, 10.0.0.1 | 203.0.113.7",
        "FIELD_LINE_MISSING | a, b, c | b, c",
        "- | a, b, c | a, c",
        "- | a | ''",
        "- | ab | a",
        "MEMBER_ORDER | a, b | b, a",
        "- | a, b | b, c",
        "FIELD_CASE | Gzip | gzip",
        "- | gzip | zstd",
      })
  void field_thatDiffers_hasItsCause(String cause, String one, String other) {
    assertCause("\"x-a\"", cause, one, other);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"caf\u00e9", "caf\u00c3\u00a9", "caf\u0000", "caf\u007f", "caf\ud83d\ude00"})
  void field_withOtherThanAscii_isNotAscii(String value) {
    assertCause("\"x-a\"", "NOT_ASCII", value, "caf?");
    assertCause("\"x-a\"", "NOT_ASCII", value, "caf");
    assertCause("\"@target-uri\"", "NOT_ASCII", "https://a/" + value, "https://a/caf%C3%A9");
    assertCause("\"x-a\"", "-", value + "1", value + "2");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "MEDIA_TYPE_PARAMETER | application/json; charset=UTF-8 | application/json",
        "MEDIA_TYPE_PARAMETER | application/json;charset=UTF-8 | application/json",
        "WHITE_SPACE | application/json;charset=UTF-8 | application/json; charset=UTF-8",
        "FIELD_CASE | application/json; charset=UTF-8 | application/json; charset=utf-8",
        "- | application/json; charset=UTF-8 | text/plain",
        "- | application/json | text/plain",
        "- | ; charset=UTF-8 | text/plain",
      })
  void contentType_thatDiffers_hasItsCause(String cause, String one, String other) {
    assertCause("\"content-type\"", cause, one, other);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "DATE_FORM | Tue, 05 Mar 2024 07:08:09 GMT | Tue, 05 Mar 2024 07:08:09 UTC",
        "DATE_FORM | Tue, 05 Mar 2024 07:08:09 GMT | Tue, 05 Mar 2024 08:08:09 +0100",
        "DATE_FORM | Tue, 05 Mar 2024 07:08:09 GMT | Tue, 5 Mar 2024 07:08:09 GMT",
        "DATE_FORM | Tue, 05 Mar 2024 07:08:09 GMT | 2024-03-05T07:08:09Z",
        "DATE_FORM | Tue, 05 Mar 2024 07:08:09 GMT | 2024-03-05T08:08:09.5+01:00",
        "DATE_FORM | Tue, 05 Mar 2024 07:08:09 GMT | Tue Mar 5 08:08:09 CET 2024",
        "DATE_FORM | Tue, 05 Mar 2024 07:08:09 GMT | Di, 05 Mrz 2024 07:08:09 GMT",
        "DATE_FORM | Tue, 05 Mar 2024 07:08:09 GMT | 1709622489",
        "TIME_ZONE | Tue, 05 Mar 2024 07:08:09 GMT | Tue, 05 Mar 2024 08:08:09 GMT",
        "TIME_ZONE | Tue, 05 Mar 2024 07:08:09 GMT | Tue, 05 Mar 2024 01:38:09 GMT",
        "TIME_ZONE | Tue, 05 Mar 2024 23:08:09 GMT | Wed, 06 Mar 2024 12:08:09 GMT",
        "DATE_DIFFERS | Tue, 05 Mar 2024 07:08:09 GMT | Tue, 05 Mar 2024 08:08:10 GMT",
        "DATE_DIFFERS | Tue, 05 Mar 2024 07:08:09 GMT | Tue, 05 Mar 2024 07:08:10 GMT",
        "DATE_DIFFERS | Tue, 05 Mar 2024 07:08:09 GMT | Wed, 06 Mar 2024 07:08:09 GMT",
        "- | 1709622489 | 1709622490",
      })
  void date_thatDiffers_hasItsCause(String cause, String one, String other) {
    assertCause("\"date\"", cause, one, other);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BODY_DIFFERS | sha-256=:" + DIGEST + ": | sha-256=:" + OTHER_DIGEST + ":",
        "DIGEST_ALGORITHM | sha-256=:" + DIGEST + ": | sha-512=:" + OTHER_DIGEST + ":",
        "DIGEST_ALGORITHM | sha-256=:" + DIGEST + ": | sha-256=:" + DIGEST + ":, sha-512=:YQ==:",
        "DIGEST_FORM | sha-256=:" + DIGEST + ": | SHA-256=" + DIGEST,
        "DIGEST_FORM | sha-256=:" + DIGEST + ": | sha-256=" + DIGEST,
        "DIGEST_FORM | sha-256=:" + DIGEST + ": | sha-256=\"" + DIGEST + "\"",
        "DIGEST_FORM | sha-256=:" + DIGEST + ": | ''",
        "FIELD_JOINED | sha-256=:YQ==:, sha-512=:Yg==: | sha-256=:YQ==:,sha-512=:Yg==:",
        "MEMBER_ORDER | sha-256=:YQ==:, sha-512=:Yg==: | sha-512=:Yg==:, sha-256=:YQ==:",
        "- | SHA-256=a | SHA-256=b",
      })
  void digest_thatDiffers_hasItsCause(String cause, String one, String other) {
    assertCause("\"content-digest\"", cause, one, other);
    assertCause("\"repr-digest\"", cause, one, other);
    assertCause("\"content-digest\";req", cause, one, other);
  }

  @Test
  void digest_withKey_isComparedAsTheDigestOfABody() {
    assertCause(
        "\"content-digest\";key=\"sha-256\"",
        "BODY_DIFFERS",
        ":" + DIGEST + ":",
        ":" + OTHER_DIGEST + ":");
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHA-256", "SHA-512"})
  void digest_ofAnEmptyBody_isRecognized(String algorithm) throws Exception {
    MessageDigest digest = MessageDigest.getInstance(algorithm);
    String digestOfEmptyBody = ByteSequence.of(digest.digest()).serialize();
    String digestOfOneByte = ByteSequence.of(digest.digest(new byte[1])).serialize();
    String key = algorithm.toLowerCase(java.util.Locale.ROOT) + "=";

    assertCause("\"content-digest\"", "BODY_EMPTY", key + digestOfEmptyBody, key + digestOfOneByte);
  }

  @Test
  void created_besideAnUnknownField_isNotRead() {
    assertThat(causeOf("\"x-created\"", "1709622489123", "1709622489")).isEmpty();
  }

  private static void assertCause(String identifier, String cause, String one, String other) {
    Optional<LikelyCause> expected =
        cause.equals("-") ? Optional.empty() : Optional.of(LikelyCause.valueOf(cause));
    assertThat(causeOf(identifier, one, other)).isEqualTo(expected);
    assertThat(causeOf(identifier, other, one)).isEqualTo(expected);
  }
}
