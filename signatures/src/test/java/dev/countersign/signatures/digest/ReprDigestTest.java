package dev.countersign.signatures.digest;

import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_256;
import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.digest.DigestFieldException.Reason;
import dev.countersign.signatures.keys.TestedProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Creation and parsing of Repr-Digest; ContentDigestTest covers the common syntax of both fields.
 */
class ReprDigestTest {
  private static final byte[] WHOLE = "{\"hello\": \"world\"}\n".getBytes(US_ASCII);

  @ParameterizedTest
  @EnumSource
  void digest_ofBytesOrStream_isTheSameAndComesBack(TestedProvider provider) throws IOException {
    Set<DigestAlgorithm> both = Set.of(SHA_256, SHA_512);
    ReprDigest ofBytes = ReprDigest.of(WHOLE, provider.get(), both);
    ReprDigest ofStream = ReprDigest.of(new ByteArrayInputStream(WHOLE), provider.get(), both);
    assertThat(ofStream).hasToString(ofBytes.serialize());
    ReprDigest parsed = ReprDigest.parse(List.of(ofBytes.serialize()));
    assertThat(parsed.algorithms()).containsExactly(SHA_256, SHA_512);
    assertThat(parsed.matches(WHOLE, provider.get())).isTrue();
    assertThat(parsed.matches(new byte[0], provider.get())).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "sha=:07CavjDP4u3/TungoUHJO/Wzr4c=:", "sha-384=:AAAA:", "sha-2560=1"})
  void parse_noActiveAlgorithm_isRefused(String value) {
    assertThatExceptionOfType(DigestFieldException.class)
        .isThrownBy(() -> ReprDigest.parse(List.of(value)))
        .returns(Reason.NO_ACTIVE_ALGORITHM, DigestFieldException::reason);
  }

  @Test
  void parse_severalLines_areOneField() {
    String sha512 = ReprDigest.of(WHOLE, TestedProvider.JDK.get(), Set.of(SHA_512)).serialize();
    assertThat(ReprDigest.parse(List.of("md5=:AA==:", sha512))).hasToString(sha512);
  }
}
