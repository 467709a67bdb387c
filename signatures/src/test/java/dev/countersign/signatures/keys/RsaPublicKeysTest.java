package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.EMPTY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_BASE64;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_RSA;
import static dev.countersign.signatures.keys.KeyFileException.Reason.PRIVATE_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_LONG;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.UNREADABLE;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static dev.countersign.signatures.keys.TestKeys.PRIVATE;
import static dev.countersign.signatures.keys.TestKeys.PRIVATE_PEM;
import static dev.countersign.signatures.keys.TestKeys.PUBLIC;
import static dev.countersign.signatures.keys.TestKeys.PUBLIC_PEM;
import static dev.countersign.signatures.keys.TestKeys.bare;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class RsaPublicKeysTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  static Stream<String> readable() {
    return Stream.of(
        PUBLIC_PEM,
        PUBLIC_PEM.strip(),
        "\ufeff" + PUBLIC_PEM.replace("\n", "\r\n"),
        PUBLIC_PEM.replace("\n", " "),
        PUBLIC_PEM.replace("\n", ""),
        PUBLIC_PEM.replace("\n", "\n\n\t \u00a0"),
        "Our key, from an ssh-rsa key, made in May:\n\n" + PUBLIC_PEM + "\nKind regards\n",
        bare(PUBLIC.getEncoded()),
        bare(PUBLIC.getEncoded()).replaceAll("(.{10})", "$1 "),
        Pem.write("RSA PUBLIC KEY", TestKeys.pkcs1Public()),
        bare(TestKeys.pkcs1Public()));
  }

  @ParameterizedTest
  @MethodSource("readable")
  void read_everyHonestForm_isTheKey(String text) {
    assertThat(read(text)).isEqualTo(PUBLIC);
  }

  @Test
  void read_bytes_utf8Utf16AndDer() {
    assertThat(RsaPublicKeys.read(PUBLIC_PEM.getBytes(UTF_8), JDK)).isEqualTo(PUBLIC);
    assertThat(RsaPublicKeys.read(PUBLIC_PEM.getBytes(UTF_16), JDK)).isEqualTo(PUBLIC);
    assertThat(RsaPublicKeys.read(PUBLIC.getEncoded(), JDK)).isEqualTo(PUBLIC);
  }

  static Stream<String> privateKeys() {
    String pkcs8 = bare(PRIVATE.getEncoded());
    String pkcs1 = bare(TestKeys.pkcs1Private());
    return Stream.of(
        PRIVATE_PEM,
        pkcs8,
        pkcs1,
        Pem.write("RSA PRIVATE KEY", TestKeys.pkcs1Private()),
        // mislabelled, cut off, damaged, among others, encoded twice
        Pem.write("PUBLIC KEY", PRIVATE.getEncoded()),
        Pem.write("CERTIFICATE", TestKeys.pkcs1Private()),
        pkcs8.substring(0, 40),
        pkcs1.substring(0, 700) + "!" + pkcs1.substring(701),
        PRIVATE_PEM.substring(0, 300),
        PRIVATE_PEM.substring(300),
        PRIVATE_PEM.replace("-----", "----"),
        PRIVATE_PEM.replace("-----", "\u2014\u2014"),
        "key: '" + pkcs8 + "'",
        PUBLIC_PEM + PRIVATE_PEM,
        PRIVATE_PEM + PUBLIC_PEM,
        PUBLIC_PEM + pkcs8,
        pkcs1 + "\n" + PUBLIC_PEM,
        PUBLIC_PEM + Pem.write("PUBLIC KEY", PRIVATE.getEncoded()),
        bare(PRIVATE_PEM.getBytes(UTF_8)),
        PRIVATE_PEM.replace("\n", "\\n"),
        // other tools
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmU=\n",
        "b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAABFwAAAAdzc2gtcn",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBGX\n",
        "lQOYBGVjYWIBCADFhTlJxz0DxVGUqv8k2n0cGj6kBW2nG0Q4Fj2sZq1b",
        "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n",
        "{\"kty\":\"RSA\",\"n\":\"sXch\",\"e\":\"AQAB\",\"d\": \"VFCW\"}",
        "<RSAKeyValue><Modulus>sXch</Modulus><D>VFCW</D></RSAKeyValue>");
  }

  @ParameterizedTest
  @MethodSource("privateKeys")
  void read_privateKeyInAnyForm_isRefusedAsLeaked(String text) {
    assertRefused(PRIVATE_KEY, () -> read(text)).contains("leaked", "make a new pair");
  }

  @Test
  void read_privateKeyAsDer_isRefusedAsLeaked() {
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(PRIVATE.getEncoded(), JDK));
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(TestKeys.pkcs1Private(), JDK));
    assertRefused(PRIVATE_KEY, () -> RsaPublicKeys.read(PRIVATE_PEM.getBytes(UTF_16), JDK));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \r\n\t", "\ufeff", "\ufeff\n"})
  void read_blank_isEmpty(String text) {
    assertRefused(EMPTY, () -> read(text));
  }

  @Test
  void read_emptyBlock_isEmpty() {
    assertRefused(EMPTY, () -> read("-----BEGIN RSA PUBLIC KEY-----\n-----END RSA PUBLIC KEY-----"))
        .contains("empty");
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "my public key is in the vault", "MIIB", "=====", "0x3082"})
  void read_noKeyAtAll_isNotPem(String text) {
    assertRefused(NOT_PEM, () -> read(text)).contains("-----BEGIN PUBLIC KEY-----");
  }

  @Test
  void read_damagedHeaderLines_isNotPem() {
    assertRefused(NOT_PEM, () -> read(PUBLIC_PEM.replace("-----BEGIN", "----BEGIN")));
    assertRefused(NOT_PEM, () -> read(PUBLIC_PEM.replace("-----END PUBLIC KEY-----", "")))
        .contains("END line");
    assertRefused(NOT_PEM, () -> read(PUBLIC_PEM.replace("END PUBLIC", "END RSA PUBLIC")));
  }

  @Test
  void read_foreignCharacters_isNotBase64() {
    assertRefused(NOT_BASE64, () -> read(PUBLIC_PEM.replace("\n", "\\n")))
        .contains("backslash and n");
    assertRefused(NOT_BASE64, () -> read(replaced(100, "*"))).doesNotContain("*");
    assertRefused(NOT_BASE64, () -> read(replaced(100, "-"))).contains("base64url");
  }

  @Test
  void read_twoBlocks_isTooMany() {
    assertRefused(TOO_MANY, () -> read(PUBLIC_PEM + PUBLIC_PEM));
  }

  @Test
  void read_tooLong_isRefused() {
    assertRefused(TOO_LONG, () -> read(PUBLIC_PEM + " ".repeat(64 * 1024)));
    assertRefused(TOO_LONG, () -> RsaPublicKeys.read(new byte[64 * 1024 + 1], JDK));
  }

  @Test
  void read_somethingBehindTheDer_isMalformed() {
    byte[] longer = Arrays.copyOf(PUBLIC.getEncoded(), PUBLIC.getEncoded().length + 1);
    assertRefused(MALFORMED, () -> read(bare(longer))).contains("data follows");
    byte[] pkcs1 = Arrays.copyOf(TestKeys.pkcs1Public(), TestKeys.pkcs1Public().length + 3);
    assertRefused(MALFORMED, () -> read(Pem.write("RSA PUBLIC KEY", pkcs1)));
  }

  @Test
  void read_anotherAlgorithm_namesIt() {
    byte[] der = PUBLIC.getEncoded();
    der[16] = 0x0a;
    assertRefused(NOT_RSA, () -> read(bare(der))).contains("RSASSA-PSS");
  }

  @Test
  void read_keysOfOtherTools_nameTheCommand() {
    assertRefused(FORMAT_UNSUPPORTED, () -> read("ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQDk me@pc"))
        .contains("ssh-keygen -e -m PKCS8 -f FILE");
    assertRefused(FORMAT_UNSUPPORTED, () -> read("AAAAB3NzaC1yc2EAAAADAQABAAABgQDk"));
    assertRefused(NOT_RSA, () -> read("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@pc"));
    assertRefused(
            FORMAT_UNSUPPORTED, () -> read("---- BEGIN SSH2 PUBLIC KEY ----\nAAAAB3NzaC1yc2E"))
        .contains("ssh-keygen");
    assertRefused(
        FORMAT_UNSUPPORTED, () -> read("{\"kty\":\"RSA\",\"n\":\"sXch\",\"e\":\"AQAB\"}"));
    assertRefused(FORMAT_UNSUPPORTED, () -> read("-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nmQE\n"));
    assertRefused(FORMAT_UNSUPPORTED, () -> read(bare(PUBLIC_PEM.getBytes(UTF_8))))
        .contains("base64 -d");
  }

  @Test
  void readFile_missing_namesTheFile() {
    assertRefused(UNREADABLE, () -> RsaPublicKeys.readFile(Path.of("no", "such.pem"), JDK))
        .isEqualTo(Path.of("no", "such.pem") + ": there is no such file");
  }

  private static String replaced(int position, String character) {
    return PUBLIC_PEM.substring(0, position) + character + PUBLIC_PEM.substring(position + 1);
  }

  private static RSAPublicKey read(String text) {
    return RsaPublicKeys.read(text, JDK);
  }
}
