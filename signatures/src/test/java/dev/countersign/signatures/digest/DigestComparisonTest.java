package dev.countersign.signatures.digest;

import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_256;
import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.TestedProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The comparison of bodies that arrive in pieces of any size. */
class DigestComparisonTest {
  private static final byte[] BODY = "{\"hello\": \"world\"}".getBytes(US_ASCII);
  private static final Set<DigestAlgorithm> BOTH = Set.of(SHA_256, SHA_512);

  @ParameterizedTest
  @EnumSource
  void update_threePiecesCutAnywhere_match(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    ContentDigest field = ContentDigest.of(BODY, crypto, BOTH);
    for (int first = 0; first <= BODY.length; first++) {
      for (int second = first; second <= BODY.length; second++) {
        DigestComparison complete = field.comparison(crypto);
        complete.update(BODY, 0, first);
        complete.update(ByteBuffer.wrap(BODY, first, second - first));
        complete.update(BODY, second, BODY.length - second);
        assertThat(complete.finishAndCompare()).as("cut at %d and %d", first, second).isTrue();
        if (first < second) {
          DigestComparison incomplete = field.comparison(crypto);
          incomplete.update(BODY, 0, first);
          incomplete.update(BODY, second, BODY.length - second);
          assertThat(incomplete.finishAndCompare()).as("without %d to %d", first, second).isFalse();
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void update_eightBytesCutInEveryWay_match(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    byte[] body = "12345678".getBytes(US_ASCII);
    ReprDigest field = ReprDigest.of(body, crypto, BOTH);
    // Bit 0 of the mask is a cut after the first byte, bit 1 after the second, and so on.
    for (int cutMask = 0; cutMask < 1 << 7; cutMask++) {
      DigestComparison comparison = field.comparison(crypto);
      int start = 0;
      for (int end = 1; end <= body.length; end++) {
        if (end == body.length || (cutMask >> end - 1 & 1) == 1) {
          comparison.update(body, start, end - start);
          start = end;
        }
      }
      assertThat(comparison.finishAndCompare())
          .as("cuts %s", Integer.toBinaryString(cutMask))
          .isTrue();
    }
  }

  @ParameterizedTest
  @EnumSource
  void update_anyKindOfBuffer_consumesItsRemainingBytes(TestedProvider provider) {
    CryptoProvider crypto = provider.get();
    ContentDigest field = ContentDigest.of(BODY, crypto, BOTH);
    ByteBuffer direct = ByteBuffer.allocateDirect(BODY.length + 4);
    direct.position(2).limit(2 + BODY.length);
    direct.duplicate().put(BODY);
    ByteBuffer heap = ByteBuffer.allocate(BODY.length + 4).position(3);
    heap.duplicate().put(BODY);
    heap.limit(3 + BODY.length);
    for (ByteBuffer buffer : List.of(direct, heap, ByteBuffer.wrap(BODY).asReadOnlyBuffer())) {
      DigestComparison comparison = field.comparison(crypto);
      comparison.update(buffer);
      assertThat(buffer.remaining()).isZero();
      comparison.update(buffer);
      assertThat(comparison.finishAndCompare()).as("%s", buffer).isTrue();
    }
  }

  @Test
  void finishAndCompare_oneOfTwoDigestsIsWrong_isFalse() {
    CryptoProvider crypto = CryptoProvider.jdk();
    byte[] other = "other".getBytes(US_ASCII);
    String right = ContentDigest.of(BODY, crypto, Set.of(SHA_512)).serialize();
    String wrong = ContentDigest.of(other, crypto, Set.of(SHA_256)).serialize();
    DigestComparison comparison = ContentDigest.parse(List.of(right, wrong)).comparison(crypto);
    comparison.update(BODY);
    assertThat(comparison.finishAndCompare()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void use_afterFinish_throws(TestedProvider provider) {
    DigestComparison used = ContentDigest.of(BODY, provider.get()).comparison(provider.get());
    used.update(BODY);
    assertThat(used.finishAndCompare()).isTrue();
    assertFinished(used::finishAndCompare);
    assertFinished(() -> used.update(BODY));
    assertFinished(() -> used.update(BODY, 0, 0));
    assertFinished(() -> used.update(ByteBuffer.wrap(BODY)));
  }

  private static void assertFinished(ThrowingCallable use) {
    assertThatIllegalStateException()
        .isThrownBy(use)
        .withMessage("the digests are finished; start new ones for other bytes");
  }

  @ParameterizedTest
  @CsvSource({"-1, 1", "0, -1", "0, 19", "18, 1", "19, 0", "1, 2147483647"})
  void update_outsideTheArray_throwsAndAddsNothing(int offset, int length) {
    for (TestedProvider provider : TestedProvider.values()) {
      CryptoProvider crypto = provider.get();
      DigestComparison comparison = ContentDigest.of(BODY, crypto, BOTH).comparison(crypto);
      assertThatExceptionOfType(IndexOutOfBoundsException.class)
          .isThrownBy(() -> comparison.update(BODY, offset, length));
      comparison.update(BODY);
      assertThat(comparison.finishAndCompare()).isTrue();
    }
  }

  @Test
  void comparisons_ofOneField_areIndependent() {
    CryptoProvider crypto = CryptoProvider.jdk();
    ContentDigest field = ContentDigest.of(BODY, crypto, BOTH);
    DigestComparison one = field.comparison(crypto);
    DigestComparison other = field.comparison(crypto);
    one.update(BODY, 0, 5);
    other.update(BODY);
    one.update(BODY, 5, BODY.length - 5);
    assertThat(one.finishAndCompare()).isTrue();
    assertThat(other.finishAndCompare()).isTrue();
  }

  /** The expected digests come from another implementation (Python's hashlib). */
  @ParameterizedTest
  @EnumSource
  void body_of64MiB_isDigestedAndComparedInConstantMemory(TestedProvider provider)
      throws IOException {
    CryptoProvider crypto = provider.get();
    String expected =
        "sha-256=:VIPVuDt+ALodwfUD4l9/qv+hH+u98EGDmSF43ZCnHWE=:, "
            + "sha-512=:d4UGXF8KrslZz4aXvzUaZRkeWOXJRKWqrnSq5u1uF855BWDbKp"
            + "iYwGOcSzTW1Wuhf0gaZFP6/buo6ALOr7vNOA==:";
    long before = AllocatedBytes.ofThisThread();
    ContentDigest field = ContentDigest.of(GeneratedBody.of64MiB(), crypto, BOTH);
    DigestComparison comparison = field.comparison(crypto);
    GeneratedBody body = GeneratedBody.of64MiB();
    byte[] chunk = new byte[10_007];
    for (int read = body.read(chunk); read >= 0; read = body.read(chunk)) {
      comparison.update(chunk, 0, read);
    }
    boolean matches = comparison.finishAndCompare();
    long allocated = AllocatedBytes.ofThisThread() - before;
    assertThat(before).isPositive();
    assertThat(matches).isTrue();
    assertThat(field).hasToString(expected);
    assertThat(allocated).isLessThan(4L << 20);
  }
}
