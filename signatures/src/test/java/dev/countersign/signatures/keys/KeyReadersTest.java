package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.ALGORITHM_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.UNREADABLE;
import static dev.countersign.signatures.keys.KeyFileException.Reason.WEAK;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static dev.countersign.signatures.keys.TestKeys.bare;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.spec.RSAKeyGenParameterSpec;
import java.security.spec.RSAPublicKeySpec;
import java.security.spec.X509EncodedKeySpec;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys of every kind in every supported text, and the texts that are refused. */
class KeyReadersTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  // RFC 9421, appendix B.1.4.
  private static final String ED25519 =
      "302a300506032b657003210026b40b8f93fff3d897112f7ebc582b232dbd72517d082fe83cfb30ddce43d1bb";

  static Stream<KeyPair> everyKind() {
    return TestKeys.everyKind().stream();
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void publicKey_everyHonestForm_isTheKey(KeyPair pair) {
    PublicKey key = pair.getPublic();
    String pem = PublicKeys.toPem(key);
    for (String text :
        List.of(
            pem,
            pem.strip(),
            "\ufeff" + pem.replace("\n", "\r\n"),
            pem.replace("\n", ""),
            pem.replace("\n", "\n\n\t \u00a0"),
            "Our key:\n\n" + pem + "\nKind regards\n",
            bare(key.getEncoded()),
            bare(key.getEncoded()).replaceAll("(.{10})", "$1 "))) {
      assertThat(PublicKeys.read(text, JDK)).isEqualTo(key);
      assertRefused(PUBLIC_KEY, () -> PrivateKeys.read(text, JDK));
    }
    assertThat(PublicKeys.read(key.getEncoded(), JDK)).isEqualTo(key);
    assertThat(PublicKeys.read(pem.getBytes(UTF_8), JDK)).isEqualTo(key);
    assertThat(PublicKeys.read(pem.getBytes(UTF_16), JDK)).isEqualTo(key);
  }

  @ParameterizedTest
  @ValueSource(strings = {"BEGIN DSA PRIVATE KEY", "END PRIVATE KEY", "PuTTY-User-Key-File-"})
  void publicKey_whoseBytesSpellAPrivateKey_isTheKey(String words) throws Exception {
    PublicKey rsa = rsaSpelling(words);
    for (PublicKey key : List.of(rsa, ed25519Spelling(words))) {
      assertThat(PublicKeys.read(key.getEncoded(), JDK)).isEqualTo(key);
      assertThat(PublicKeys.read(PublicKeys.toPem(key), JDK)).isEqualTo(key);
    }
    byte[] pkcs1 = Arrays.copyOfRange(rsa.getEncoded(), 24, rsa.getEncoded().length);
    assertThat(PublicKeys.read(Pem.write("RSA PUBLIC KEY", pkcs1), JDK)).isEqualTo(rsa);
  }

  private static PublicKey rsaSpelling(String words) throws Exception {
    byte[] modulus = new byte[256];
    Arrays.fill(modulus, (byte) 0x81);
    byte[] spelled = words.getBytes(UTF_8);
    System.arraycopy(spelled, 0, modulus, 1, spelled.length);
    return KeyFactory.getInstance("RSA")
        .generatePublic(
            new RSAPublicKeySpec(new BigInteger(1, modulus), RSAKeyGenParameterSpec.F4));
  }

  /** Returns the first point on the curve whose bytes begin with the words. */
  private static PublicKey ed25519Spelling(String words) throws Exception {
    byte[] der = HexFormat.of().parseHex(ED25519);
    byte[] spelled = words.getBytes(UTF_8);
    System.arraycopy(spelled, 0, der, der.length - 32, spelled.length);
    for (int choice = 0; choice < 64; choice++) {
      der[der.length - 1] = (byte) choice;
      PublicKey key = KeyFactory.getInstance("Ed25519").generatePublic(new X509EncodedKeySpec(der));
      if (isOnTheCurve((EdECPublicKey) key)) {
        return key;
      }
    }
    throw new AssertionError("no point on the curve in 64 tries");
  }

  private static boolean isOnTheCurve(EdECPublicKey key) {
    try {
      Ed25519KeyRules.check(key);
      return true;
    } catch (KeyFileException e) {
      return false;
    }
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void privateKey_everyHonestForm_isTheKey(KeyPair pair) {
    PrivateKey key = pair.getPrivate();
    String pem = PrivateKeys.toPem(key);
    for (String text :
        List.of(
            pem,
            "\ufeff" + pem.replace("\n", "\r\n"),
            pem.replace("\n", ""),
            pem.replace("\n", " \t\n"),
            "Bag Attributes\n    localKeyID: 01 02\nKey Attributes: <No Attributes>\n" + pem,
            bare(key.getEncoded()))) {
      assertThat(PrivateKeys.read(text, JDK)).isEqualTo(key);
      assertRefused(PRIVATE_KEY, () -> PublicKeys.read(text, JDK)).contains("leaked");
    }
    assertThat(PrivateKeys.read(key.getEncoded(), JDK)).isEqualTo(key);
    assertRefused(PRIVATE_KEY, () -> PublicKeys.read(key.getEncoded(), JDK));
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void key_withSomethingBehindIt_isMalformed(KeyPair pair) {
    byte[] publicKey = pair.getPublic().getEncoded();
    byte[] privateKey = pair.getPrivate().getEncoded();
    for (int more : new int[] {1, 2, 100}) {
      String longer = bare(Arrays.copyOf(publicKey, publicKey.length + more));
      assertRefused(MALFORMED, () -> PublicKeys.read(longer, JDK)).contains("data follows");
      String secret = bare(Arrays.copyOf(privateKey, privateKey.length + more));
      assertRefused(MALFORMED, () -> PrivateKeys.read(secret, JDK)).contains("data follows");
    }
  }

  @Test
  void twoBlocks_areTooMany() {
    String pem = PublicKeys.toPem(TestKeys.pair("Ed25519").getPublic());
    assertRefused(TOO_MANY, () -> PublicKeys.read(pem + pem, JDK));
    String secret = PrivateKeys.toPem(TestKeys.pair("Ed25519").getPrivate());
    assertRefused(TOO_MANY, () -> PrivateKeys.read(secret + secret, JDK));
    assertRefused(TOO_MANY, () -> PrivateKeys.read(pem + secret, JDK));
    assertRefused(PRIVATE_KEY, () -> PublicKeys.read(pem + secret, JDK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"Ed448", "X25519", "X448", "DSA", "DH"})
  void key_ofAnAlgorithmWithoutUse_isNamed(String algorithm) throws Exception {
    KeyPair pair = KeyPairGenerator.getInstance(algorithm).generateKeyPair();
    assertRefused(
            ALGORITHM_UNSUPPORTED, () -> PublicKeys.read(bare(pair.getPublic().getEncoded()), JDK))
        .contains("openssl genpkey");
    assertRefused(
        ALGORITHM_UNSUPPORTED, () -> PrivateKeys.read(bare(pair.getPrivate().getEncoded()), JDK));
  }

  @Test
  void ecPoint_offItsCurve_isMalformed() {
    for (String curve : List.of("secp256r1", "secp384r1", "secp521r1")) {
      byte[] der = TestKeys.pair(curve).getPublic().getEncoded();
      der[der.length - 1] ^= 1;
      assertRefused(MALFORMED, () -> PublicKeys.read(bare(der), JDK)).contains("not a point on");
    }
  }

  @Test
  void ecPoint_compressedOrInfinite_isRefused() {
    byte[] der = TestKeys.pair("secp256r1").getPublic().getEncoded();
    byte[] front = HexFormat.of().parseHex("3039301306072a8648ce3d020106082a8648ce3d030107032200");
    byte[] compressed = Arrays.copyOf(front, front.length + 33);
    compressed[front.length] = (byte) (2 + (der[der.length - 1] & 1));
    System.arraycopy(der, 27, compressed, front.length + 1, 32);
    assertRefused(FORMAT_UNSUPPORTED, () -> PublicKeys.read(bare(compressed), JDK))
        .contains("-conv_form uncompressed");
    byte[] infinite =
        HexFormat.of().parseHex("3019301306072a8648ce3d020106082a8648ce3d03010703020000");
    assertRefused(MALFORMED, () -> PublicKeys.read(bare(infinite), JDK)).contains("P-256");
  }

  @Test
  void ecPrivateKey_numberOutOfRange_isMalformed() {
    byte[] der = sec1(TestKeys.pair("secp256r1"));
    int secret = 7;
    byte[] zero = der.clone();
    Arrays.fill(zero, secret, secret + 32, (byte) 0);
    assertRefused(MALFORMED, () -> PrivateKeys.read(bare(zero), JDK)).contains("out of range");
    byte[] large = der.clone();
    Arrays.fill(large, secret, secret + 32, (byte) 0xff);
    assertRefused(MALFORMED, () -> PrivateKeys.read(bare(large), JDK)).contains("out of range");
  }

  @Test
  void ecPrivateKey_publicHalfOfAnother_isMalformed() {
    byte[] der = sec1(TestKeys.pair("secp256r1"));
    der[7 + 31] ^= 1;
    assertRefused(MALFORMED, () -> PrivateKeys.read(bare(der), JDK))
        .contains("does not match its private key");
    assertRefused(MALFORMED, () -> PrivateKeys.read(Pem.write("EC PRIVATE KEY", der), JDK));
  }

  @Test
  void ecPrivateKey_inItsOwnStructure_isTheKey() {
    KeyPair pair = TestKeys.pair("secp256r1");
    byte[] der = sec1(pair);
    assertThat(PrivateKeys.read(bare(der), JDK)).isEqualTo(pair.getPrivate());
    assertThat(PrivateKeys.read(der, JDK)).isEqualTo(pair.getPrivate());
    assertThat(PrivateKeys.read(Pem.write("EC PRIVATE KEY", der), JDK))
        .isEqualTo(pair.getPrivate());
    assertRefused(PRIVATE_KEY, () -> PublicKeys.read(bare(der), JDK));
    assertRefused(PRIVATE_KEY, () -> PublicKeys.read(der, JDK));
  }

  @Test
  void ed25519Key_ofSmallOrder_isWeak() {
    for (String order : List.of("00", "01")) {
      byte[] der = ed25519(order + "00".repeat(31));
      assertRefused(WEAK, () -> PublicKeys.read(bare(der), JDK)).contains("small order");
    }
  }

  @Test
  void ed25519Key_noPointOrAnotherSpelling_isMalformed() {
    // 2 is not a y of the curve; 2^255 - 19 and more are other spellings of 0 and more.
    for (String y :
        List.of("02" + "00".repeat(31), "ed" + "ff".repeat(30) + "7f", "ff".repeat(32))) {
      assertRefused(MALFORMED, () -> PublicKeys.read(bare(ed25519(y)), JDK))
          .contains("not a point");
    }
  }

  @Test
  void ed25519Key_withParametersOrOfAnotherLength_isMalformed() {
    byte[] withNull =
        HexFormat.of().parseHex(ED25519.replace("302a300506032b6570", "302c300706032b65700500"));
    assertRefused(MALFORMED, () -> PublicKeys.read(bare(withNull), JDK));
    byte[] shorter =
        HexFormat.of()
            .parseHex(
                ED25519
                    .substring(0, ED25519.length() - 2)
                    .replace("302a", "3029")
                    .replace("032100", "032000"));
    assertRefused(MALFORMED, () -> PublicKeys.read(bare(shorter), JDK)).contains("32 bytes");
  }

  @ParameterizedTest
  @MethodSource("everyKind")
  void privateKey_withItsPublicHalf_mustMatch(KeyPair pair) throws Exception {
    PublicKey other = otherPair(pair).getPublic();
    for (int version : new int[] {0, 1}) {
      byte[] matching = withHalf(version, pair.getPrivate(), pair.getPublic());
      assertThat(PrivateKeys.read(bare(matching), JDK)).isEqualTo(pair.getPrivate());
      byte[] differing = withHalf(version, pair.getPrivate(), other);
      assertRefused(MALFORMED, () -> PrivateKeys.read(bare(differing), JDK))
          .contains("does not match its private key");
    }
  }

  @Test
  void rsaPrivateKey_withAnotherExponentInItsPublicHalf_isMalformed() {
    KeyPair pair = TestKeys.pair("RSA");
    byte[] der = withHalf(1, pair.getPrivate(), pair.getPublic());
    assertThat(RsaPrivateKeys.read(bare(der), JDK)).isEqualTo(pair.getPrivate());
    // 65537 becomes 65539.
    der[der.length - 1] ^= 2;
    assertRefused(MALFORMED, () -> RsaPrivateKeys.read(bare(der), JDK))
        .contains("does not match its private key");
  }

  @Test
  void ecPrivateKey_secondPublicHalfOfAnother_isMalformed() throws Exception {
    KeyPair pair = TestKeys.pair("secp256r1");
    String info =
        "020101"
            + "301306072a8648ce3d020106082a8648ce3d030107"
            + element(Der.OCTET_STRING, HexFormat.of().formatHex(sec1(pair)));
    byte[] matching = HexFormat.of().parseHex(element(Der.SEQUENCE, info + half(pair.getPublic())));
    assertThat(PrivateKeys.read(bare(matching), JDK)).isEqualTo(pair.getPrivate());
    PublicKey other = otherPair(pair).getPublic();
    byte[] differing = HexFormat.of().parseHex(element(Der.SEQUENCE, info + half(other)));
    assertRefused(MALFORMED, () -> PrivateKeys.read(bare(differing), JDK))
        .contains("does not match its private key");
  }

  @Test
  void keysOfOtherTools_nameTheCommand() {
    assertRefused(
            FORMAT_UNSUPPORTED,
            () -> PublicKeys.read("ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY= me", JDK))
        .contains("ssh-keygen -e -m PKCS8");
    assertRefused(
        FORMAT_UNSUPPORTED, () -> PublicKeys.read("{\"kty\":\"EC\",\"crv\":\"P-256\"}", JDK));
    assertRefused(
        ALGORITHM_UNSUPPORTED,
        () -> PrivateKeys.read("-----BEGIN DSA PRIVATE KEY-----\nMIIB\n-----END DSA", JDK));
  }

  @Test
  void readFile_missing_namesTheFile() {
    Path file = Path.of("no", "such.pem");
    assertRefused(UNREADABLE, () -> PublicKeys.readFile(file, JDK)).startsWith(file + ": ");
    assertRefused(UNREADABLE, () -> PrivateKeys.readFile(file, JDK)).startsWith(file + ": ");
    assertRefused(UNREADABLE, () -> SharedSecrets.readFile(file, 32)).startsWith(file + ": ");
  }

  /** SEC 1 with curve and public half, built by hand. */
  private static byte[] sec1(KeyPair pair) {
    byte[] point = pair.getPublic().getEncoded();
    byte[] scalar = ((ECPrivateKey) pair.getPrivate()).getS().toByteArray();
    byte[] secret = new byte[32];
    int length = Math.min(32, scalar.length);
    System.arraycopy(scalar, scalar.length - length, secret, 32 - length, length);
    return HexFormat.of()
        .parseHex(
            "30770201010420"
                + HexFormat.of().formatHex(secret)
                + "a00a06082a8648ce3d030107"
                + "a144034200"
                + HexFormat.of().formatHex(point, point.length - 65, point.length));
  }

  /** Returns a fresh pair of the same kind. */
  private static KeyPair otherPair(KeyPair pair) throws Exception {
    PublicKey key = pair.getPublic();
    KeyPairGenerator generator = KeyPairGenerator.getInstance(key.getAlgorithm());
    if (key instanceof ECPublicKey ec) {
      generator.initialize(ec.getParams());
    } else if (key.getAlgorithm().startsWith("RSA")) {
      generator.initialize(2048);
    }
    return generator.generateKeyPair();
  }

  /** A key in PKCS#8 with this version and with a public key (RFC 5958, section 2). */
  private static byte[] withHalf(int version, PrivateKey key, PublicKey publicKey) {
    byte[] content = Der.of(key.getEncoded()).enter(Der.SEQUENCE).rest();
    content[2] = (byte) version;
    return HexFormat.of()
        .parseHex(element(Der.SEQUENCE, HexFormat.of().formatHex(content) + half(publicKey)));
  }

  private static String half(PublicKey key) {
    Der info = Der.of(key.getEncoded()).enter(Der.SEQUENCE);
    info.skip(Der.SEQUENCE);
    return element(0x81, "00" + HexFormat.of().formatHex(info.bitString().rest()));
  }

  private static String element(int tag, String content) {
    HexFormat hex = HexFormat.of();
    int length = content.length() / 2;
    String octets =
        length < 0x100 ? hex.toHexDigits((byte) length) : hex.toHexDigits((short) length);
    String form = length < 0x80 ? "" : hex.toHexDigits((byte) (0x80 + octets.length() / 2));
    return hex.toHexDigits((byte) tag) + form + octets + content;
  }

  private static byte[] ed25519(String point) {
    return HexFormat.of().parseHex("302a300506032b6570032100" + point);
  }
}
