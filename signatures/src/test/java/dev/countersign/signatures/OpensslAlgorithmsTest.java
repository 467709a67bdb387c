package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.Openssl;
import dev.countersign.signatures.keys.PrivateKeys;
import dev.countersign.signatures.keys.PublicKeys;
import dev.countersign.signatures.keys.SharedSecrets;
import dev.countersign.signatures.keys.TestedProvider;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Each algorithm with a real openssl, in both directions, with key files that it made. */
class OpensslAlgorithmsTest {
  private static final byte[] BASE = "\"@method\": GET\n\"date\": today".getBytes(US_ASCII);

  @TempDir static Path keys;

  @TempDir Path folder;
  private Openssl openssl;

  @BeforeEach
  void findOpenssl() throws Exception {
    openssl = new Openssl(folder);
    openssl.run("openssl version");
    Files.write(folder.resolve("base.txt"), BASE);
  }

  static Stream<Arguments> algorithmsAndProviders() {
    return Arrays.stream(SignatureAlgorithm.values())
        .flatMap(
            algorithm ->
                Arrays.stream(TestedProvider.values())
                    .map(provider -> Arguments.of(algorithm, provider)));
  }

  @ParameterizedTest
  @MethodSource("algorithmsAndProviders")
  void signature_ofEachSide_verifiesOnTheOther(
      SignatureAlgorithm algorithm, TestedProvider provider) throws Exception {
    if (AlgorithmKeys.isHmac(algorithm)) {
      hmac(algorithm, provider.get());
    } else {
      keyPair(algorithm, provider.get());
    }
  }

  private void hmac(SignatureAlgorithm algorithm, CryptoProvider crypto) throws Exception {
    Path file = openssl.file("secret.txt", openssl.text("openssl rand -base64 64"));
    SecretKey secret = SharedSecrets.readFile(file, 64);
    byte[] tag =
        openssl.run(
            "openssl dgst "
                + hash(algorithm)
                + " -mac HMAC -macopt hexkey:"
                + HexFormat.of().formatHex(secret.getEncoded())
                + " -binary base.txt");
    assertThat(new SigningKey("a", algorithm, secret, crypto).sign(BASE)).isEqualTo(tag);
    assertThat(new VerificationKey(algorithm, secret, crypto).verifies(BASE, tag)).isTrue();
  }

  private void keyPair(SignatureAlgorithm algorithm, CryptoProvider crypto) throws Exception {
    writeKeys(kind(algorithm));
    // Read by the JDK: Corretto has no KeyFactory for Ed25519.
    CryptoProvider jdk = CryptoProvider.jdk();
    SigningKey signingKey =
        new SigningKey(
            "a", algorithm, PrivateKeys.readFile(folder.resolve("private.pem"), jdk), crypto);
    VerificationKey key =
        new VerificationKey(
            algorithm, PublicKeys.readFile(folder.resolve("public.pem"), jdk), crypto);

    Files.write(folder.resolve("ours.bin"), toOpenssl(algorithm, signingKey.sign(BASE)));
    assertThat(openssl.text(verify(algorithm))).contains("erified");

    openssl.run(sign(algorithm));
    byte[] theirs = fromOpenssl(algorithm, Files.readAllBytes(folder.resolve("theirs.bin")));
    assertThat(key.verifies(BASE, theirs)).isTrue();
    theirs[theirs.length - 1] ^= 1;
    assertThat(key.verifies(BASE, theirs)).isFalse();
  }

  /** A pair of each kind, made by openssl once, because an RSA key takes a while. */
  private void writeKeys(String kind) throws Exception {
    Path made = keys.resolve(kind.replaceAll("[^A-Za-z0-9]", "_"));
    if (!Files.exists(made)) {
      openssl.run("openssl genpkey -out " + made + " -algorithm " + kind);
    }
    Files.copy(made, folder.resolve("private.pem"));
    openssl.run("openssl pkey -in private.pem -pubout -out public.pem");
  }

  private static String sign(SignatureAlgorithm algorithm) {
    return isEd25519(algorithm)
        ? "openssl pkeyutl -sign -rawin -inkey private.pem -in base.txt -out theirs.bin"
        : "openssl dgst "
            + hash(algorithm)
            + " -sign private.pem"
            + options(algorithm)
            + " -out theirs.bin base.txt";
  }

  private static String verify(SignatureAlgorithm algorithm) {
    return isEd25519(algorithm)
        ? "openssl pkeyutl -verify -rawin -pubin -inkey public.pem -in base.txt -sigfile ours.bin"
        : "openssl dgst "
            + hash(algorithm)
            + " -verify public.pem"
            + options(algorithm)
            + " -signature ours.bin base.txt";
  }

  private static String options(SignatureAlgorithm algorithm) {
    String hash = hash(algorithm).substring(1);
    return algorithm.name().contains("PS")
        ? " -sigopt rsa_padding_mode:pss -sigopt rsa_pss_saltlen:digest -sigopt rsa_mgf1_md:" + hash
        : "";
  }

  private static String hash(SignatureAlgorithm algorithm) {
    String name = algorithm.name();
    return "-sha" + name.substring(name.length() - 3);
  }

  private static String kind(SignatureAlgorithm algorithm) {
    String kind = AlgorithmKeys.kind(algorithm);
    return kind.startsWith("secp")
        ? "EC -pkeyopt ec_paramgen_curve:P-" + kind.substring(4, 7)
        : kind.equals("RSA") ? "RSA -pkeyopt rsa_keygen_bits:2048" : kind;
  }

  // openssl supports ECDSA signatures only in DER.
  private static byte[] toOpenssl(SignatureAlgorithm algorithm, byte[] signature) {
    return isEcdsa(algorithm) ? EcdsaForms.der(signature) : signature;
  }

  private static byte[] fromOpenssl(SignatureAlgorithm algorithm, byte[] signature) {
    int bits =
        isEcdsa(algorithm) ? Integer.parseInt(AlgorithmKeys.kind(algorithm).substring(4, 7)) : 0;
    return isEcdsa(algorithm) ? EcdsaForms.sideBySide(signature, (bits + 7) / 8) : signature;
  }

  private static boolean isEcdsa(SignatureAlgorithm algorithm) {
    return AlgorithmKeys.kind(algorithm).startsWith("secp");
  }

  private static boolean isEd25519(SignatureAlgorithm algorithm) {
    return AlgorithmKeys.kind(algorithm).equals("Ed25519");
  }
}
