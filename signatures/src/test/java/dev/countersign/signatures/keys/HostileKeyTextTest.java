package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static dev.countersign.signatures.keys.TestKeys.PRIVATE;
import static dev.countersign.signatures.keys.TestKeys.PRIVATE_PEM;
import static dev.countersign.signatures.keys.TestKeys.PUBLIC;
import static dev.countersign.signatures.keys.TestKeys.PUBLIC_PEM;
import static dev.countersign.signatures.keys.TestKeys.bare;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.Cases;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any text gives a key or a {@link KeyFileException} without a part of the key. */
class HostileKeyTextTest {
  private static final int ROUNDS = Cases.of(4000, 200);
  private static final String ALPHABET =
      "ABCZabcz0189+/=-_ \r\n\t\\n:\"{}<>\u0000\u00a0\ufeff\ud83d\ude00ssh-rsa -----BEGIN END";
  private static final Set<String> PIECES =
      Stream.of(
              PRIVATE_PEM, PUBLIC_PEM, bare(TestKeys.pkcs1Private()), bare(TestKeys.pkcs1Public()))
          .flatMap(text -> Refusal.pieces(text).stream())
          .collect(Collectors.toSet());

  @Tag("full")
  @ParameterizedTest
  @EnumSource
  void truncatedAtEveryByte_neverAKey(TestedProvider testedProvider) {
    CryptoProvider provider = testedProvider.get();
    for (String pem : List.of(PRIVATE_PEM.strip(), PUBLIC_PEM.strip())) {
      for (int end = 0; end < pem.length(); end++) {
        assertThat(attempt(pem.substring(0, end), provider)).as("cut at " + end).isZero();
      }
    }
    for (byte[] der : ders()) {
      for (int end = 0; end < der.length; end++) {
        byte[] cut = Arrays.copyOf(der, end);
        assertThat(attempt(bare(cut), provider)).as("cut at " + end).isZero();
        assertThat(attempt(Pem.write("PUBLIC KEY", cut), provider)).as("cut at " + end).isZero();
        assertThat(attempt(Pem.write("PRIVATE KEY", cut), provider)).as("cut at " + end).isZero();
      }
    }
  }

  @Test
  void privateKey_truncated_isStillToldFromAPublicOne() {
    for (int end = "-----BEGIN PRIVATE KEY".length(); end <= PRIVATE_PEM.length(); end++) {
      String cut = PRIVATE_PEM.substring(0, end);
      assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(cut, CryptoProvider.jdk()));
    }
    String bare = bare(PRIVATE.getEncoded());
    for (int end = 12; end <= bare.length(); end++) {
      String cut = bare.substring(0, end);
      assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(cut, CryptoProvider.jdk()));
    }
  }

  @Test
  void privateKey_withASpaceInIt_isStillToldFromAPublicOne() {
    String bare = bare(PRIVATE.getEncoded());
    for (int place = 0; place <= 80; place++) {
      String spaced = bare.substring(0, place) + "\n" + bare.substring(place);
      assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(spaced, CryptoProvider.jdk()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void mutatedText_keyOrRefusal(TestedProvider testedProvider) {
    CryptoProvider provider = testedProvider.get();
    Random random = new Random(9421);
    for (String pem : List.of(PRIVATE_PEM, PUBLIC_PEM)) {
      for (int i = 0; i < ROUNDS; i++) {
        attempt(mutated(pem, random), provider);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void mutatedDer_keyOrRefusal(TestedProvider testedProvider) {
    CryptoProvider provider = testedProvider.get();
    Random random = new Random(8017);
    for (byte[] der : ders()) {
      for (int i = 0; i < ROUNDS; i++) {
        byte[] changed = der.clone();
        // Half of the changes hit the structure at the front, where they matter most.
        int reach = random.nextBoolean() ? 64 : changed.length;
        for (int n = random.nextInt(3); n >= 0; n--) {
          changed[random.nextInt(reach)] = (byte) random.nextInt(256);
        }
        attempt(bare(changed), provider);
        attemptBytes(changed, provider);
      }
    }
  }

  @Test
  void mutatedPrivateDer_isTheSameKeyOrNone() {
    Random random = new Random(5958);
    for (int i = 0; i < ROUNDS; i++) {
      byte[] der = PRIVATE.getEncoded();
      der[random.nextInt(der.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        assertThat(RsaPrivateKeys.read(bare(der), CryptoProvider.jdk())).isEqualTo(PRIVATE);
      } catch (KeyFileException e) {
        Refusal.assertNothingLeaks(e, PIECES);
      }
    }
  }

  @Test
  void randomBytes_areRefused() {
    Random random = new Random(7468);
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = new byte[random.nextInt(300)];
      random.nextBytes(bytes);
      if (bytes.length > 0 && random.nextBoolean()) {
        bytes[0] = Der.SEQUENCE;
      }
      attemptBytes(bytes, CryptoProvider.jdk());
      assertThat(attempt(bare(bytes), CryptoProvider.jdk())).isZero();
    }
  }

  private static List<byte[]> ders() {
    return List.of(
        PRIVATE.getEncoded(), PUBLIC.getEncoded(), TestKeys.pkcs1Private(), TestKeys.pkcs1Public());
  }

  /** Returns the number of readers, of two, that accepted the text. */
  private static int attempt(String text, CryptoProvider provider) {
    return taken(() -> RsaPublicKeys.read(text, provider))
        + taken(() -> RsaPrivateKeys.read(text, provider));
  }

  private static int attemptBytes(byte[] bytes, CryptoProvider provider) {
    return taken(() -> RsaPublicKeys.read(bytes, provider))
        + taken(() -> RsaPrivateKeys.read(bytes, provider));
  }

  private static int taken(Runnable reading) {
    try {
      reading.run();
      return 1;
    } catch (KeyFileException e) {
      Refusal.assertNothingLeaks(e, PIECES);
      return 0;
    }
  }

  private static String mutated(String text, Random random) {
    StringBuilder changed = new StringBuilder(text);
    for (int n = random.nextInt(4); n >= 0; n--) {
      int place = random.nextInt(changed.length());
      char foreign = ALPHABET.charAt(random.nextInt(ALPHABET.length()));
      switch (random.nextInt(4)) {
        case 0 -> changed.setCharAt(place, foreign);
        case 1 -> changed.insert(place, foreign);
        case 2 -> changed.deleteCharAt(place);
        default -> changed.insert(place, text, 0, random.nextInt(text.length()));
      }
    }
    return changed.toString();
  }
}
