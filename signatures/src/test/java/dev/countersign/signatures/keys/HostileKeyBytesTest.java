package dev.countersign.signatures.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.Cases;
import java.security.Key;
import java.security.KeyPair;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damaged keys of every kind give a key or a {@link KeyFileException} without a part of the key.
 */
class HostileKeyBytesTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final int ROUNDS = Cases.of(3000, 150);

  static Stream<KeyPair> everyKind() {
    return TestKeys.everyKind().stream();
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void cutAtEveryByte_isNeverAKey(KeyPair pair) {
    Set<String> pieces = pieces(pair);
    for (Key key : List.of(pair.getPublic(), pair.getPrivate())) {
      byte[] der = key.getEncoded();
      for (int end = 0; end < der.length; end++) {
        byte[] cut = Arrays.copyOf(der, end);
        assertThat(read(cut, pieces)).as("cut at " + end).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void changedAtRandom_isAKeyOrARefusal(KeyPair pair) {
    Set<String> pieces = pieces(pair);
    Random random = new Random(5480);
    for (Key key : List.of(pair.getPublic(), pair.getPrivate())) {
      for (int i = 0; i < ROUNDS; i++) {
        byte[] changed = key.getEncoded();
        // Half of the changes hit the structure at the front, where they matter most.
        int reach = random.nextBoolean() ? Math.min(32, changed.length) : changed.length;
        for (int n = random.nextInt(3); n >= 0; n--) {
          changed[random.nextInt(reach)] = (byte) random.nextInt(256);
        }
        for (Key read : read(changed, pieces)) {
          assertSound(read, key);
        }
      }
    }
  }

  /** A key that was read has the kind of the original, and its point is on the curve. */
  private static void assertSound(Key read, Key original) {
    assertThat(read.getAlgorithm()).isIn(original.getAlgorithm(), "RSA", "RSASSA-PSS");
    assertThat(read instanceof PublicKey).isEqualTo(original instanceof PublicKey);
    if (read instanceof ECPublicKey ec) {
      assertThat(EcCurve.of(ec).orElseThrow().contains(ec.getW())).isTrue();
    }
  }

  private static List<Key> read(byte[] der, Set<String> pieces) {
    return Stream.of(
            taken(() -> PublicKeys.read(der, JDK), pieces),
            taken(() -> PrivateKeys.read(der, JDK), pieces),
            taken(() -> PublicKeys.read(TestKeys.bare(der), JDK), pieces),
            taken(() -> PrivateKeys.read(Pem.write("PRIVATE KEY", der), JDK), pieces),
            taken(() -> PrivateKeys.read(Pem.write("EC PRIVATE KEY", der), JDK), pieces))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<Key> taken(Supplier<Key> reading, Set<String> pieces) {
    try {
      return Optional.of(reading.get());
    } catch (KeyFileException e) {
      Refusal.assertNothingLeaks(e, pieces);
      return Optional.empty();
    }
  }

  private static Set<String> pieces(KeyPair pair) {
    HexFormat hex = HexFormat.of();
    return Stream.of(pair.getPublic(), pair.getPrivate())
        .flatMap(key -> Stream.of(TestKeys.bare(key.getEncoded()), hex.formatHex(key.getEncoded())))
        .flatMap(text -> Refusal.pieces(text).stream())
        .collect(Collectors.toSet());
  }
}
