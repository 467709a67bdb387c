package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.TestedProvider;
import java.math.BigInteger;
import java.security.KeyPair;
import java.security.interfaces.RSAPrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * RSASSA-PKCS1-v1_5 signs one encoding of a hash, and no provider accepts another (RFC 8017
 * sections 8.2.2 and 9.2).
 */
class RsaEncodingTest {
  private static final KeyPair KEYS = AlgorithmKeys.pair("RSA");
  private static final BigInteger MODULUS = ((RSAPublicKey) KEYS.getPublic()).getModulus();
  private static final int LENGTH = 256;
  private static final byte[] BASE = "\"@method\": GET".getBytes(US_ASCII);

  /** The algorithm identifier of each hash with its NULL, from RFC 8017 section 9.2 note 1. */
  private static final Map<SignatureAlgorithm, String> IDENTIFIERS =
      Map.of(
          SignatureAlgorithm.RSA_V1_5_SHA256, "300d06096086480165030402010500",
          SignatureAlgorithm.JWS_RS256, "300d06096086480165030402010500",
          SignatureAlgorithm.JWS_RS384, "300d06096086480165030402020500",
          SignatureAlgorithm.JWS_RS512, "300d06096086480165030402030500");

  /** Includes Bouncy Castle, which throws unchecked exceptions where others throw checked ones. */
  static Stream<Arguments> everyProviderAndAlgorithm() {
    CryptoProvider bouncyCastle = CryptoProvider.of(new BouncyCastleProvider());
    List<Named<Supplier<CryptoProvider>>> providers =
        List.of(
            Named.of("JDK", TestedProvider.JDK::get),
            Named.of("Corretto", TestedProvider.CORRETTO::get),
            Named.of("Bouncy Castle", () -> bouncyCastle));
    return providers.stream()
        .flatMap(provider -> IDENTIFIERS.keySet().stream().map(a -> Arguments.of(provider, a)));
  }

  @ParameterizedTest
  @MethodSource("everyProviderAndAlgorithm")
  void encoding_ofTheStandard_verifies(
      Supplier<CryptoProvider> provider, SignatureAlgorithm algorithm) {
    String info = digestInfo(identifier(algorithm), digest(algorithm));
    assertThat(verifies(provider, algorithm, encoded(info))).isTrue();
  }

  @ParameterizedTest
  @MethodSource("everyProviderAndAlgorithm")
  void encoding_ofAnyOtherKind_isRefused(
      Supplier<CryptoProvider> provider, SignatureAlgorithm algorithm) {
    String identifier = identifier(algorithm);
    String digest = digest(algorithm);
    String info = digestInfo(identifier, digest);
    String withoutNull = "300b" + identifier.substring(4, identifier.length() - 4);
    String otherHash =
        identifier.contains("04020105")
            ? identifier.replace("04020105", "04020205")
            : identifier.replaceFirst("04020[23]05", "04020105");
    for (String other :
        List.of(
            encoded(digestInfo(withoutNull, digest)),
            encoded(digestInfo(otherHash, digest)),
            encoded(digest),
            encoded(digestInfo(identifier, digest.substring(2))),
            encoded(info + "00"),
            encoded("3081" + info.substring(2)),
            encoded(info).replaceFirst("^0001", "0002"),
            encoded(info).replaceFirst("^0001ff", "000100"),
            encoded(info).replaceFirst("ff00", "0000"),
            "0001" + "ff".repeat(8) + "00" + info + "00".repeat(LENGTH - 11 - info.length() / 2),
            "00".repeat(LENGTH))) {
      assertThat(verifies(provider, algorithm, other)).as(other).isFalse();
    }
  }

  /**
   * RFC 8017 section 5.2.2: a signature is a number below the modulus, with the modulus's length.
   */
  @ParameterizedTest
  @MethodSource("everyProviderAndAlgorithm")
  void signature_thatIsAnotherNumber_isRefused(
      Supplier<CryptoProvider> provider, SignatureAlgorithm algorithm) {
    VerificationKey key = new VerificationKey(algorithm, KEYS.getPublic(), provider.get());
    byte[] good = sign(encoded(digestInfo(identifier(algorithm), digest(algorithm))));
    BigInteger number = new BigInteger(1, good);
    assertThat(key.verifies(BASE, good)).isTrue();
    for (byte[] other :
        List.of(
            bytes(MODULUS, LENGTH),
            bytes(MODULUS.subtract(number), LENGTH),
            bytes(number.add(MODULUS), LENGTH + 1),
            bytes(number, LENGTH + 1),
            bytes(BigInteger.ZERO, LENGTH),
            bytes(BigInteger.ONE.shiftLeft(8 * LENGTH).subtract(BigInteger.ONE), LENGTH),
            Arrays.copyOf(good, LENGTH - 1),
            new byte[0])) {
      assertThat(key.verifies(BASE, other)).isFalse();
    }
  }

  private static boolean verifies(
      Supplier<CryptoProvider> provider, SignatureAlgorithm algorithm, String hex) {
    return new VerificationKey(algorithm, KEYS.getPublic(), provider.get())
        .verifies(BASE, sign(hex));
  }

  /** Applies RSA with the private key to any text. */
  private static byte[] sign(String hex) {
    RSAPrivateKey key = (RSAPrivateKey) KEYS.getPrivate();
    return bytes(
        new BigInteger(hex, 16).modPow(key.getPrivateExponent(), key.getModulus()), LENGTH);
  }

  private static String encoded(String end) {
    return "0001" + "ff".repeat(LENGTH - 3 - end.length() / 2) + "00" + end;
  }

  private static String digestInfo(String identifier, String digest) {
    String octets = String.format(Locale.ROOT, "04%02x", digest.length() / 2) + digest;
    String content = identifier + octets;
    return String.format(Locale.ROOT, "30%02x", content.length() / 2) + content;
  }

  private static String identifier(SignatureAlgorithm algorithm) {
    return IDENTIFIERS.getOrDefault(algorithm, "");
  }

  private static String digest(SignatureAlgorithm algorithm) {
    String bits = algorithm.name().substring(algorithm.name().length() - 3);
    return HexFormat.of().formatHex(CryptoProvider.jdk().digest("SHA-" + bits).digest(BASE));
  }

  private static byte[] bytes(BigInteger number, int length) {
    byte[] bytes = number.toByteArray();
    byte[] all = new byte[length];
    int from = Math.max(0, bytes.length - length);
    System.arraycopy(bytes, from, all, length - (bytes.length - from), bytes.length - from);
    return all;
  }
}
