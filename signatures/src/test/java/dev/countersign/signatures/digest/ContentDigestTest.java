package dev.countersign.signatures.digest;

import static dev.countersign.signatures.Soon.soon;
import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_256;
import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.signatures.digest.DigestFieldException.Reason;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.TestedProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content-Digest alone; ExpectedBodyTest covers its use in requests. */
class ContentDigestTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final byte[] CONTENT = "{\"hello\": \"world\"}".getBytes(UTF_8);
  private static final String SHA_256_FIELD =
      "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";
  private static final String SHA_512_FIELD =
      "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX"
          + "+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:";

  @ParameterizedTest
  @EnumSource
  void digest_ofAContent_matchesItAlone(TestedProvider provider) {
    ContentDigest digest = ContentDigest.of(CONTENT, provider.get());
    assertThat(digest).hasToString(SHA_256_FIELD);
    assertThat(digest.matches(CONTENT, provider.get())).isTrue();
    assertThat(digest.matches(new byte[0], provider.get())).isFalse();
    assertThat(digest.matches("{\"hello\":\"world\"}".getBytes(UTF_8), provider.get())).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void digest_ofSeveralAlgorithms_hasToMatchInEach(TestedProvider provider) {
    ContentDigest both = ContentDigest.parse(List.of(SHA_512_FIELD, SHA_256_FIELD));
    assertThat(both.serialize()).isEqualTo(SHA_256_FIELD + ", " + SHA_512_FIELD);
    assertThat(both.matches(CONTENT, provider.get())).isTrue();
    String wrong512 = SHA_512_FIELD.replace("WZDP", "AZDP");
    assertThat(parse(SHA_256_FIELD + "," + wrong512).matches(CONTENT, provider.get())).isFalse();
    String wrong256 = SHA_256_FIELD.replace("X48", "A48");
    assertThat(parse(wrong256 + "," + SHA_512_FIELD).matches(CONTENT, provider.get())).isFalse();
  }

  @Test
  void digest_changedInAnyBit_doesNotMatch() {
    for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
      byte[] right = algorithm.start(JDK).digest(CONTENT);
      for (int bit = 0; bit < right.length * 8; bit++) {
        byte[] wrong = right.clone();
        wrong[bit / 8] ^= (byte) (1 << bit % 8);
        assertThat(field(algorithm, wrong).matches(CONTENT, JDK)).as("bit %d", bit).isFalse();
      }
      assertThat(field(algorithm, right).matches(CONTENT, JDK)).isTrue();
    }
  }

  private static ContentDigest field(DigestAlgorithm algorithm, byte[] digest) {
    return parse(algorithm.key() + "=:" + Base64.getEncoder().encodeToString(digest) + ":");
  }

  @ParameterizedTest
  @EnumSource
  void of_aStream_isThatOfItsBytesAndLeavesItOpen(TestedProvider provider) throws IOException {
    InputStream stream =
        new ByteArrayInputStream(CONTENT) {
          @Override
          public void close() {
            throw new AssertionError("closed");
          }
        };
    assertThat(ContentDigest.of(stream, provider.get(), Set.of(SHA_512, SHA_256)))
        .hasToString(SHA_256_FIELD + ", " + SHA_512_FIELD);
    assertThat(stream.read()).isEqualTo(-1);
  }

  @Test
  void of_aStreamThatFails_throwsItsException() {
    IOException failure = new IOException("the line went dead");
    InputStream stream =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw failure;
          }
        };
    assertThatExceptionOfType(IOException.class)
        .isThrownBy(() -> ContentDigest.of(stream, JDK, Set.of(SHA_256)))
        .isSameAs(failure);
  }

  @Test
  void of_noAlgorithm_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContentDigest.of(CONTENT, JDK, Set.of()))
        .withMessage("at least one digest algorithm must be given, was none");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ContentDigest.of(InputStream.nullInputStream(), JDK, Set.of()));
  }

  @Test
  void algorithms_areThoseOfTheFieldAndFixed() {
    assertThat(parse(SHA_512_FIELD).algorithms()).containsExactly(SHA_512);
    Set<DigestAlgorithm> both = parse(SHA_512_FIELD + "," + SHA_256_FIELD).algorithms();
    assertThat(both).containsExactly(SHA_256, SHA_512);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> both.remove(SHA_256));
  }

  @Test
  void parse_othersAndParametersBeside_areNeitherReadNorWritten() {
    assertThat(parse("md5=1, md5=2, " + SHA_256_FIELD + ";a=1, x=();sha-512=:AA==:"))
        .hasToString(SHA_256_FIELD);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sha-256",
        "sha-256=?0",
        "sha-256=::",
        "sha-256=:AAAA:",
        "sha-256=1",
        "sha-256=()",
        "sha-256=(:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:)",
        "sha-256=\"X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=\"",
        "sha-256=X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE",
        "sha-512=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:",
        SHA_256_FIELD + ", sha-512=:AAAA:",
        SHA_512_FIELD + ", sha-256=1",
      })
  void parse_digestOfAnotherTypeOrLength_isMalformed(String value) {
    assertThat(refusal(value).reason()).isEqualTo(Reason.MALFORMED);
    assertThat(refusal(value))
        .hasMessageMatching("sha-(256 must be 32|512 must be 64) bytes in base64 between colons");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        SHA_256_FIELD + ", " + SHA_256_FIELD,
        SHA_256_FIELD + ", sha-512=1, " + SHA_512_FIELD,
        "sha-512=:AA==:;a, md5=:AA==:, " + SHA_512_FIELD,
      })
  void parse_algorithmTwice_isMalformed(String value) {
    assertThat(refusal(value).reason()).isEqualTo(Reason.MALFORMED);
    assertThat(refusal(value)).hasMessageEndingWith(" must occur once, occurs twice");
  }

  @Test
  void parse_algorithmTwiceInTwoLines_isMalformed() {
    assertThatExceptionOfType(DigestFieldException.class)
        .isThrownBy(() -> ContentDigest.parse(List.of(SHA_256_FIELD, "md5=1", SHA_256_FIELD)))
        .withMessage("sha-256 must occur once, occurs twice");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(",
        "sha-256=:AA",
        "SHA-256=:AAAA:",
        SHA_256_FIELD + ",",
        "sha-256=:AA-_:",
        "a b",
        "ü=1"
      })
  void parse_noDictionary_isMalformedAndKeepsThePlace(String value) {
    DigestFieldException refusal = refusal(value);
    assertThat(refusal.reason()).isEqualTo(Reason.MALFORMED);
    assertThat(refusal).hasCauseInstanceOf(FieldParseException.class);
    assertThat(refusal).hasMessageMatching("expected .+ at position \\d+");
  }

  @Test
  void parse_noActiveAlgorithm_saysWhatIsThereAndWhatIsNeeded() {
    assertThat(refusal("md5=:Sd/dVLAcvNLSq16eXua5uQ==:, foo"))
        .hasMessage("the field must have a member sha-256=:…: or sha-512=:…:, has only md5, foo")
        .returns(Reason.NO_ACTIVE_ALGORITHM, DigestFieldException::reason);
    assertThat(refusal("")).hasMessageEndingWith(" has none");
    assertThatExceptionOfType(DigestFieldException.class)
        .isThrownBy(() -> ContentDigest.parse(List.of()))
        .returns(Reason.NO_ACTIVE_ALGORITHM, DigestFieldException::reason);
  }

  @Test
  void parse_hugeFields_endSoonAndAreQuotedShortly() {
    String many =
        IntStream.range(0, 300_000).mapToObj(i -> "key" + i).collect(Collectors.joining(","));
    String longKey = "k".repeat(1_000_000);
    String repeated = (SHA_256_FIELD + ",").repeat(20_000) + SHA_256_FIELD;
    soon(
        () -> {
          assertThat(refusal(many))
              .hasMessageEndingWith("has only key0, key1, key2, key3, key4, …");
          assertThat(refusal(longKey)).hasMessageEndingWith("has only " + "k".repeat(20) + "…");
          assertThat(refusal(repeated)).hasMessage("sha-256 must occur once, occurs twice");
          assertThat(parse(many + "," + SHA_256_FIELD)).hasToString(SHA_256_FIELD);
        });
  }

  /** Random fields built from meaningful pieces; the seed is fixed. */
  @Test
  void parse_randomField_isRefusedOrComesBack() {
    List<String> pieces =
        List.of(
            SHA_256_FIELD,
            SHA_512_FIELD,
            "sha-256",
            "sha-512",
            "=",
            ":",
            "AAAA",
            "md5=:AA==:",
            ", ",
            ",",
            ";a=1",
            " ",
            "()",
            "1",
            "?0",
            "\u0000",
            "\n",
            "Ü",
            "\"");
    Random random = new Random(9530);
    int accepted = 0;
    for (int i = 0; i < 100_000; i++) {
      String text =
          random
              .ints(1 + random.nextInt(5), 0, pieces.size())
              .mapToObj(pieces::get)
              .collect(Collectors.joining());
      try {
        String written = parse(text).serialize();
        assertThat(parse(written)).as(text).hasToString(written);
        accepted++;
      } catch (DigestFieldException e) {
        assertThat(e.getMessage()).as(text).doesNotContain("\u0000", "\n", "Ü");
      }
    }
    assertThat(accepted).isGreaterThan(2_000);
  }

  private static ContentDigest parse(String value) {
    return ContentDigest.parse(List.of(value));
  }

  private static DigestFieldException refusal(String value) {
    DigestFieldException refusal =
        catchThrowableOfType(DigestFieldException.class, () -> parse(value));
    assertThat(refusal).as(value).isNotNull();
    return refusal;
  }
}
