package dev.countersign.signatures.digest;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.TestedProvider;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Content-Digest by itself; how a request uses it is told in ExpectedBodyTest. */
class ContentDigestTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final byte[] BODY = "{\"hello\": \"world\"}".getBytes(UTF_8);
  private static final String SHA_256 = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";
  private static final String SHA_512 =
      "sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX"
          + "+TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:";

  @ParameterizedTest
  @EnumSource
  void digest_ofABody_matchesItAlone(TestedProvider which) {
    ContentDigest digest = ContentDigest.of(BODY, which.get());
    assertThat(digest).hasToString(SHA_256);
    assertThat(digest.matches(BODY, which.get())).isTrue();
    assertThat(digest.matches(new byte[0], which.get())).isFalse();
    assertThat(digest.matches("{\"hello\":\"world\"}".getBytes(UTF_8), which.get())).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void digest_ofSha512Beside_hasToMatchToo(TestedProvider which) {
    ContentDigest both = ContentDigest.parse(List.of(SHA_512, SHA_256));
    assertThat(both.serialize()).isEqualTo(SHA_256 + ", " + SHA_512);
    assertThat(both.matches(BODY, which.get())).isTrue();
    ContentDigest other = ContentDigest.parse(List.of(SHA_256, SHA_512.replace("WZDP", "AZDP")));
    assertThat(other.matches(BODY, which.get())).isFalse();
    ContentDigest another = ContentDigest.parse(List.of(SHA_256.replace("X48", "A48"), SHA_512));
    assertThat(another.matches(BODY, which.get())).isFalse();
  }

  @Test
  void digest_ofNothing_isThatOfNoBytes() {
    assertThat(ContentDigest.of(new byte[0], JDK))
        .hasToString("sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:");
  }

  @Test
  void parse_othersBeside_areNeitherReadNorWritten() {
    assertThat(ContentDigest.parse(List.of("md5=1, md5=2, " + SHA_256 + ";a=1, x=()")))
        .hasToString(SHA_256);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "md5=:AAAA:",
        "sha-256",
        "sha-256=:AAAA:",
        "sha-256=1",
        "sha-256=()",
        "(",
        "sha-256=:AA"
      })
  void parse_unusable_throws(String value) {
    assertThatExceptionOfType(ContentDigestException.class)
        .isThrownBy(() -> ContentDigest.parse(List.of(value)));
  }

  @Test
  void parse_noLines_throws() {
    assertThatExceptionOfType(ContentDigestException.class)
        .isThrownBy(() -> ContentDigest.parse(List.of()));
  }
}
