package dev.countersign.signatures;

import static dev.countersign.signatures.SignatureAlgorithm.HMAC_SHA256;
import static dev.countersign.signatures.SignatureAlgorithm.RSA_V1_5_SHA256;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.PrivateKeys;
import dev.countersign.signatures.keys.PublicKeys;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.Provider;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Known mistakes with keys and algorithms, which are impossible here. */
class AlgorithmMisuseTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final Path CLASSES = Path.of("target", "classes", "dev", "countersign");

  /**
   * The verifier has a public key, the attacker has it too, and signs by HMAC with its bytes. No
   * common form of a key is accepted as a secret.
   */
  static Stream<byte[]> bytesOfKeys() {
    return Stream.of("RSA", "secp256r1", "secp384r1", "secp521r1", "Ed25519")
        .map(AlgorithmKeys::pair)
        .flatMap(AlgorithmMisuseTest::forms);
  }

  private static Stream<byte[]> forms(KeyPair pair) {
    byte[] spki = pair.getPublic().getEncoded();
    byte[] pkcs8 = pair.getPrivate().getEncoded();
    String pem = PublicKeys.toPem(pair.getPublic());
    String jwk = "{\"kty\":\"any\",\"x\":\"qIVYZVLCrPZHGHjP17CTW0_-D9Lfw0EkjqF7xB4FivA\"}";
    Stream<byte[]> texts =
        Stream.of(
                pem,
                pem.strip(),
                pem.replace("\n", "\r\n"),
                pem.replace("\n", ""),
                "\n" + pem,
                PrivateKeys.toPem(pair.getPrivate()),
                Base64.getEncoder().encodeToString(spki),
                Base64.getMimeEncoder().encodeToString(spki),
                "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDk me@pc",
                "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY= me@pc",
                jwk)
            .map(text -> text.getBytes(US_ASCII));
    return Stream.concat(Stream.of(spki, pkcs8, inside(pair.getPublic())), texts);
  }

  /** The key without its AlgorithmIdentifier: PKCS#1, or the point of an EC key. */
  private static byte[] inside(PublicKey key) {
    byte[] spki = key.getEncoded();
    if (key instanceof RSAPublicKey) {
      return Arrays.copyOfRange(spki, 24, spki.length);
    }
    if (key instanceof ECPublicKey ec) {
      int bytes = (ec.getParams().getCurve().getField().getFieldSize() + 7) / 8;
      byte[] point = Arrays.copyOfRange(spki, spki.length - 2 * bytes - 1, spki.length);
      assertThat(new BigInteger(1, point, 1, bytes)).isEqualTo(ec.getW().getAffineX());
      return point;
    }
    return spki;
  }

  @ParameterizedTest
  @MethodSource("bytesOfKeys")
  void hmac_withTheBytesOfAKey_isRefused(byte[] bytes) {
    SecretKey secret = new SecretKeySpec(bytes, "HMAC");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VerificationKey(HMAC_SHA256, secret, JDK))
        .withMessageContaining("the file of a key or a certificate");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SigningKey("a", HMAC_SHA256, secret, JDK));
  }

  @ParameterizedTest
  @EnumSource(names = {"HMAC_SHA256", "JWS_HS256", "JWS_HS384", "JWS_HS512"})
  void hmac_withAPublicKey_isRefusedByItsType(SignatureAlgorithm hmac) {
    KeyPair pair = AlgorithmKeys.pair("RSA");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VerificationKey(hmac, pair.getPublic(), JDK))
        .withMessage(hmac.displayName() + " needs a shared secret, was a public key of RSA");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SigningKey("a", hmac, pair.getPrivate(), JDK))
        .withMessage(hmac.displayName() + " needs a shared secret, was a private key of RSA");
  }

  @Test
  void hmac_withAKeyOfBothTypes_isRefused() {
    SecretKey both = new PublicSecret();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VerificationKey(HMAC_SHA256, both, JDK))
        .withMessageContaining("needs a shared secret, was a public key");
  }

  @Test
  void hmac_withASecretThatCannotBeChecked_isRefused() {
    SecretKey hidden =
        new SecretKey() {
          private static final long serialVersionUID = 1L;

          @Override
          public String getAlgorithm() {
            return "HmacSHA256";
          }

          @Override
          public String getFormat() {
            return null;
          }

          @Override
          public byte[] getEncoded() {
            return null;
          }
        };
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new VerificationKey(HMAC_SHA256, hidden, JDK))
        .withMessageContaining("hides its bytes");
  }

  @Test
  void hmac_withRandomSecrets_isTaken() {
    // Seeded, because one secret in some millions does look like a key.
    Random random = new Random(9421);
    for (int i = 0; i < 20_000; i++) {
      byte[] secret = new byte[32 + i % 120];
      random.nextBytes(secret);
      // The first byte of DER and of a point, so that the check has to look further.
      secret[0] = (byte) (i % 2 == 0 ? 0x30 : 4);
      assertThat(new VerificationKey(HMAC_SHA256, new SecretKeySpec(secret, "HMAC"), JDK))
          .isNotNull();
    }
  }

  /**
   * The method that compares a tag computes the right one and passes both to {@link
   * java.security.MessageDigest#isEqual}: no other call, no branch and no loop.
   */
  @Test
  void hmac_tags_areComparedInConstantTime() throws Exception {
    String code = method("algorithms/HmacScheme", "boolean verifies(");
    assertThat(calls(code)).containsExactly("sign", "java/security/MessageDigest.isEqual:([B[B)Z");
    assertThat(code)
        .doesNotContainPattern("\\b(?:if|goto|tableswitch|lookupswitch|baload|arraylength)");
    // No code between it and the caller reads the tag either.
    assertThat(calls(method("SignatureAlgorithm", "boolean verifies(")))
        .containsExactly(
            "dev/countersign/signatures/algorithms/SignatureScheme.verifies:" + descriptor());
    assertThat(method("VerificationKey", "boolean verifies("))
        .doesNotContain("Arrays", "equals", "baload", "arraylength");
  }

  private static String descriptor() {
    return "([B[BLjava/security/Key;Ldev/countersign/signatures/keys/CryptoProvider;)Z";
  }

  /** Returns the instructions of one method, as javap shows them. */
  private static String method(String type, String signature) throws Exception {
    Path file = CLASSES.resolve(Path.of("signatures", type + ".class"));
    assertThat(Files.exists(file)).as("%s", file).isTrue();
    StringWriter output = new StringWriter();
    PrintWriter writer = new PrintWriter(output);
    int status =
        ToolProvider.findFirst("javap")
            .orElseThrow()
            .run(writer, writer, "-c", "-p", file.toString());
    assertThat(status).as(output.toString()).isZero();
    String text = output.toString();
    int start = text.indexOf(signature);
    assertThat(start).as(text).isPositive();
    return text.substring(start, text.indexOf("return\n", text.indexOf("Code:", start)));
  }

  private static List<String> calls(String code) {
    return code.lines()
        .filter(line -> line.contains(": invoke"))
        .map(line -> line.replaceAll(".*// (?:Interface)?Method ", "").strip())
        .map(call -> call.startsWith("sign:") ? "sign" : call)
        .toList();
  }

  @Test
  void provider_withoutTheAlgorithm_isRefusedAtOnceAndNotReplaced() {
    CryptoProvider empty = CryptoProvider.of(new EmptyProvider());
    for (SignatureAlgorithm algorithm : SignatureAlgorithm.values()) {
      assertThatIllegalStateException()
          .isThrownBy(() -> AlgorithmKeys.verification(algorithm, empty))
          .withMessageStartingWith("Empty 1 has no ");
      assertThatIllegalStateException()
          .isThrownBy(() -> AlgorithmKeys.signing(algorithm, empty))
          .withMessageStartingWith("Empty 1 has no ");
    }
  }

  @Test
  void refusal_holdsNothingOfTheKey() {
    byte[] material = AlgorithmKeys.random(31);
    SecretKey secret = new SecretKeySpec(material, Base64.getEncoder().encodeToString(material));
    for (SignatureAlgorithm algorithm : List.of(HMAC_SHA256, RSA_V1_5_SHA256)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new VerificationKey(algorithm, secret, JDK))
          .withNoCause()
          .withMessageNotContainingAny(secret.getAlgorithm());
    }
  }

  private static final class EmptyProvider extends Provider {
    private static final long serialVersionUID = 1L;

    EmptyProvider() {
      super("Empty", "1", "offers nothing");
    }
  }

  private static final class PublicSecret implements SecretKey, PublicKey {
    private static final long serialVersionUID = 1L;

    @Override
    public String getAlgorithm() {
      return "RSA";
    }

    @Override
    public String getFormat() {
      return "RAW";
    }

    @Override
    public byte[] getEncoded() {
      return new byte[64];
    }
  }
}
