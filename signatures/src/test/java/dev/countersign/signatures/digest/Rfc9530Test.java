package dev.countersign.signatures.digest;

import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_256;
import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.TestedProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The values of RFC 9530, by section, for its sample bytes.
 *
 * <p>The RFC contains two errors, which the tests mention where they occur. The Brotli stream of
 * appendix B is printed with the head of an 18-byte block, {@code 8B 08 80}, but contains 19 bytes,
 * whose head is {@code 0B 09 80} (RFC 7932 section 9.2); its digests are those of the right one.
 * And four fields end in {@code ==:}, which is not valid base64, instead of one {@code =}.
 */
class Rfc9530Test {
  private static final byte[] HELLO = "{\"hello\": \"world\"}\n".getBytes(US_ASCII);
  private static final byte[] HELLO_BR =
      bytes("0B 09 80 7B 22 68 65 6C 6C 6F 22 3A 20 22 77 6F 72 6C 64 22 7D 0A 03");
  private static final byte[] NEW_TITLE = "{\"title\": \"New Title\"}\n".getBytes(US_ASCII);
  private static final byte[] BOOK =
      """
      {
        "id": "123",
        "title": "New Title"
      }
      """
          .getBytes(US_ASCII);
  private static final byte[] NOTHING = new byte[0];

  private static final String HELLO_256 = "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:";
  private static final String HELLO_256_AS_PRINTED =
      "sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg==:";
  private static final String HELLO_512 =
      "sha-512=:YMAam51Jz/jOATT6/zvHrLVgOYTGFy1d6GJiOHTohq4yP+pgk4vf2aCs"
          + "yRZOtw8MjkM7iw7yZ/WkppmM44T3qg==:";
  private static final String HELLO_BR_256 =
      "sha-256=:d435Qo+nKZ+gLcUHn7GQtQ72hiBVAgqoLsZnZPiTGPk=:";
  private static final String HELLO_BR_512 =
      "sha-512=:db7fdBbgZMgX1Wb2MjA8zZj+rSNgfmDCEEXM8qLWfpfoNY0sCpHAzZbj"
          + "09X1/7HAb7Od5Qfto4QpuBsFbUO3dQ==:";
  private static final String NEW_TITLE_256 =
      "sha-256=:mEkdbO7Srd9LIOegftO0aBX+VPTVz7/CSHes2Z27gc4=:";
  private static final String BOOK_256 = "sha-256=:uVSlinTTdQUwm2On4k8TJUikGN1bf/Ds8WPX4oe0h9I=:";

  @ParameterizedTest
  @EnumSource
  void rfc9530_2_contentDigest_ofOneAlgorithm(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    ContentDigest digest = ContentDigest.parse(List.of(HELLO_512));
    assertThat(digest.algorithms()).containsExactly(SHA_512);
    assertThat(digest.matches(HELLO, crypto)).isTrue();
    assertThat(ContentDigest.of(HELLO, crypto, Set.of(SHA_512))).hasToString(HELLO_512);
  }

  /** One digest is of the plain object and one of its Brotli form, so no content matches both. */
  @ParameterizedTest
  @EnumSource
  void rfc9530_2_contentDigest_ofTwoAlgorithms_needsBoth(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    ContentDigest digest = ContentDigest.parse(List.of(HELLO_BR_256 + "," + HELLO_512));
    assertThat(digest.algorithms()).containsExactly(SHA_256, SHA_512);
    assertThat(digest.serialize()).isEqualTo(HELLO_BR_256 + ", " + HELLO_512);
    assertThat(digest.matches(HELLO, crypto)).isFalse();
    assertThat(digest.matches(HELLO_BR, crypto)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_3_reprDigest_ofOneAndOfTwoAlgorithms(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    assertThat(ReprDigest.parse(List.of(HELLO_512)).matches(HELLO, crypto)).isTrue();
    ReprDigest two = ReprDigest.parse(List.of(HELLO_BR_256 + "," + HELLO_512));
    assertThat(two.algorithms()).containsExactly(SHA_256, SHA_512);
    assertThat(two.matches(HELLO, crypto)).isFalse();
    assertThat(two.matches(HELLO_BR, crypto)).isFalse();
  }

  @Test
  void rfc9530_4_preferences() {
    DigestPreferences one = DigestPreferences.parse(List.of("sha-256=1"));
    assertThat(one.weights()).isEqualTo(Map.of(SHA_256, 1));
    assertThat(one.preferred()).contains(SHA_256);
    DigestPreferences three = DigestPreferences.parse(List.of("sha-512=3, sha-256=10, unixsum=0"));
    assertThat(three.weights()).isEqualTo(Map.of(SHA_512, 3, SHA_256, 10));
    assertThat(three.preferred()).contains(SHA_256);
  }

  /** The appendix has no digests; it shows which bytes are digested. */
  @Test
  void rfc9530_A_gzip_isAnotherRepresentationAndARangeIsOnlyContent() throws IOException {
    byte[] gzip =
        bytes(
            "1F 8B 08 00 88 41 37 64 00 FF AB 56 CA 48 CD C9 C9 57 B2 52"
                + " 50 2A CF 2F CA 49 51 AA E5 02 00 D9 E4 31 E7 13 00 00 00");
    assertThat(new GZIPInputStream(new ByteArrayInputStream(gzip)).readAllBytes()).isEqualTo(HELLO);
    assertThat(HELLO).hasSize(19);
    assertThat(gzip).hasSize(39);
    CryptoProvider crypto = CryptoProvider.jdk();
    ReprDigest ofGzip = ReprDigest.of(gzip, crypto);
    assertThat(ofGzip.matches(gzip, crypto)).isTrue();
    assertThat(ofGzip.matches(HELLO, crypto)).isFalse();
    byte[] range = Arrays.copyOf(gzip, 10);
    assertThat(ContentDigest.of(range, crypto).matches(range, crypto)).isTrue();
    assertThat(ofGzip.matches(range, crypto)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B1_fullRepresentation_hasBothAlike(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    assertThat(ContentDigest.of(HELLO, crypto)).hasToString(HELLO_256);
    assertThat(ReprDigest.of(HELLO, crypto)).hasToString(HELLO_256);
    assertThat(ContentDigest.parse(List.of(HELLO_256)).matches(HELLO, crypto)).isTrue();
    assertThat(ReprDigest.parse(List.of(HELLO_256)).matches(HELLO, crypto)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B2_head_hasEmptyContentAndTheRepresentationOfGet(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    String empty = "sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:";
    assertThat(ContentDigest.of(NOTHING, crypto)).hasToString(empty);
    assertThat(ContentDigest.parse(List.of(empty)).matches(NOTHING, crypto)).isTrue();
    assertThat(ContentDigest.parse(List.of(empty)).comparison(crypto).finishAndCompare()).isTrue();
    ReprDigest repr = ReprDigest.parse(List.of(HELLO_256));
    assertThat(repr.matches(HELLO, crypto)).isTrue();
    assertThat(repr.matches(NOTHING, crypto)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B3_range_isTheContentOfTheWhole(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    byte[] range = Arrays.copyOfRange(HELLO, 10, 19);
    assertThat(new String(range, US_ASCII)).isEqualTo("\"world\"}\n");
    String ofRange = "sha-256=:jjcgBDWNAtbYUXI37CVG3gRuGOAjaaDRGpIUFsdyepQ=:";
    assertThat(ContentDigest.of(range, crypto)).hasToString(ofRange);
    assertThat(ContentDigest.parse(List.of(ofRange)).matches(range, crypto)).isTrue();
    assertThat(ReprDigest.parse(List.of(HELLO_256)).matches(range, crypto)).isFalse();
    DigestComparison parts = ReprDigest.parse(List.of(HELLO_256)).comparison(crypto);
    parts.update(HELLO, 0, 10);
    parts.update(range);
    assertThat(parts.finishAndCompare()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B4_brotliAnswer_hasItsOwnDigest(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    assertThat(HELLO_BR).hasSize(23);
    assertThat(Arrays.copyOfRange(HELLO_BR, 3, 22)).isEqualTo(HELLO);
    assertThat(ReprDigest.of(HELLO, crypto)).hasToString(HELLO_256);
    assertThat(ReprDigest.of(HELLO_BR, crypto)).hasToString(HELLO_BR_256);
    assertThat(ReprDigest.parse(List.of(HELLO_BR_256)).matches(HELLO, crypto)).isFalse();
  }

  /** The printed head announces 18 bytes of 19, and the printed digest is not of that text. */
  @Test
  void rfc9530_B4_brotliAsPrinted_doesNotMatch() {
    byte[] printed = HELLO_BR.clone();
    System.arraycopy(bytes("8B 08 80"), 0, printed, 0, 3);
    assertThat(ReprDigest.parse(List.of(HELLO_BR_256)).matches(printed, CryptoProvider.jdk()))
        .isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B5_noContentInTheAnswer_stillHasARepresentation(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    assertRefusedForBase64(HELLO_256_AS_PRINTED);
    assertThat(ReprDigest.parse(List.of(HELLO_256)).matches(HELLO, crypto)).isTrue();
    ReprDigest answer = ReprDigest.parse(List.of(HELLO_BR_256));
    assertThat(answer.matches(HELLO_BR, crypto)).isTrue();
    assertThat(answer.matches(NOTHING, crypto)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B6_twoAlgorithms_matchTogether(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    assertRefusedForBase64(HELLO_256_AS_PRINTED);
    ReprDigest answer = ReprDigest.parse(List.of(HELLO_BR_256 + "," + HELLO_BR_512));
    assertThat(answer.matches(HELLO_BR, crypto)).isTrue();
    assertThat(ReprDigest.of(HELLO_BR, crypto, Set.of(SHA_512, SHA_256)))
        .hasToString(HELLO_BR_256 + ", " + HELLO_BR_512);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B7_contentLocation_isTheResourceThatItNames(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    assertThat(ReprDigest.of(NEW_TITLE, crypto)).hasToString(NEW_TITLE_256);
    assertThat(ReprDigest.of(BOOK, crypto)).hasToString(BOOK_256);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B8_status_isOfItsOwnRepresentation(TestedProvider provider) {
    byte[] status =
        """
        {
          "status": "created",
          "id": "123",
          "ts": 1569327729,
          "instance": "/books/123"
        }
        """
            .getBytes(US_ASCII);
    assertThat(ReprDigest.of(status, provider.get()))
        .hasToString("sha-256=:yXIGDTN5VrfoyisKlXgRKUHHMs35SNtyC3szSz1dbO8=:");
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B9_patch_isOfThePatchAndThenOfTheResource(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    assertThat(ReprDigest.parse(List.of(NEW_TITLE_256)).matches(NEW_TITLE, crypto)).isTrue();
    ReprDigest answer = ReprDigest.parse(List.of(BOOK_256));
    assertThat(answer.matches(BOOK, crypto)).isTrue();
    assertThat(answer.matches(NEW_TITLE, crypto)).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_B10_error_isOfTheProblem(TestedProvider provider) {
    byte[] problem =
        """
        {
          "title": "Not Found",
          "detail": "Cannot PATCH a non-existent resource",
          "status": 404
        }
        """
            .getBytes(US_ASCII);
    assertThat(ReprDigest.of(problem, provider.get()))
        .hasToString("sha-256=:EXB0S2VF2H7ijkAVJkH1Sm0pBho0iDZcvVUHHXTTZSA=:");
  }

  /** The field comes after the chunks, whose framing is not digested. */
  @ParameterizedTest
  @EnumSource
  void rfc9530_B11_chunksAndTrailer_matchWithoutTheFraming(TestedProvider provider) {
    assertRefusedForBase64(HELLO_256_AS_PRINTED);
    DigestComparison chunks = ReprDigest.parse(List.of(HELLO_256)).comparison(provider.get());
    for (String chunk : List.of("{\"hello\"", ": \"world", "\"}\n")) {
      chunks.update(chunk.getBytes(US_ASCII));
    }
    assertThat(chunks.finishAndCompare()).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_C1_leastPreferred_isTheOneThatWeHave(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    DigestPreferences wanted = DigestPreferences.parse(List.of("sha-256=3, sha=10"));
    assertThat(wanted.preferred()).contains(SHA_256);
    assertThat(ReprDigest.of(HELLO, crypto, Set.of(wanted.preferred().orElseThrow())))
        .hasToString(HELLO_256);
    assertRefusedForBase64(HELLO_256_AS_PRINTED);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9530_C2_unsupported_mayBeAnsweredWithAnother(TestedProvider provider) {
    assertThat(DigestPreferences.parse(List.of("sha=10")).preferred()).isEmpty();
    assertThat(ReprDigest.of(HELLO, provider.get(), Set.of(SHA_512))).hasToString(HELLO_512);
  }

  @Test
  void rfc9530_C3_unsupported_mayBeAnsweredWithWhatThereIs() {
    assertThat(DigestPreferences.parse(List.of("sha=10")).preferred()).isEmpty();
    assertThat(Arrays.stream(DigestAlgorithm.values()).map(DigestAlgorithm::key))
        .containsExactly("sha-256", "sha-512");
  }

  /** Omits the LF that ends it elsewhere. */
  @ParameterizedTest
  @EnumSource
  void rfc9530_D_samples_areAcceptedWhereTheyAreActive(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    byte[] sample = "{\"hello\": \"world\"}".getBytes(US_ASCII);
    String active =
        "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:, "
            + "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+TaPm+"
            + "AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:";
    assertThat(ContentDigest.of(sample, crypto, Set.of(SHA_256, SHA_512))).hasToString(active);
    String others =
        "md5=:Sd/dVLAcvNLSq16eXua5uQ==:, sha=:07CavjDP4u3/TungoUHJO/Wzr4c=:, unixsum=:GQU=:,"
            + " unixcksum=:7zsHAA==:, adler=:OZkGFw==:, crc32c=:Q3lHIA==:";
    for (String other : others.split(", ", -1)) {
      assertThatExceptionOfType(DigestFieldException.class)
          .isThrownBy(() -> ContentDigest.parse(List.of(other)))
          .returns(DigestFieldException.Reason.NO_ACTIVE_ALGORITHM, DigestFieldException::reason);
    }
    ContentDigest all = ContentDigest.parse(List.of(others, active));
    assertThat(all).hasToString(active);
    assertThat(all.matches(sample, crypto)).isTrue();
  }

  private static void assertRefusedForBase64(String printed) {
    assertThatExceptionOfType(DigestFieldException.class)
        .isThrownBy(() -> ReprDigest.parse(List.of(printed)))
        .withMessageContaining("well-formed base64");
  }

  private static byte[] bytes(String hex) {
    return HexFormat.ofDelimiter(" ").parseHex(hex);
  }
}
