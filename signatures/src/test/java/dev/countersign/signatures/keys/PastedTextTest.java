package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.MALFORMED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_BASE64;
import static dev.countersign.signatures.keys.KeyFileException.Reason.NOT_PEM;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static dev.countersign.signatures.keys.Refusal.assertRefused;
import static dev.countersign.signatures.keys.TestKeys.PUBLIC;
import static dev.countersign.signatures.keys.TestKeys.PUBLIC_PEM;
import static dev.countersign.signatures.keys.TestKeys.bare;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Public keys as people paste them, and what the strict readers say about the same texts. */
class PastedTextTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final String BARE = bare(PUBLIC.getEncoded());
  private static final String ESCAPED = PUBLIC_PEM.replace("\n", "\\n");

  static List<String> wrapped() {
    return List.of(
        // AWS KMS, Google Cloud KMS, Vault
        "{\"KeyId\":\"arn:aws:kms:eu-west-1:111122223333:key/1\",\"PublicKey\":\""
            + BARE
            + "\",\"KeySpec\":\"RSA_2048\",\"SigningAlgorithms\":[\"RSASSA_PSS_SHA_256\"]}",
        "{\n  \"pem\": \"" + ESCAPED + "\",\n  \"pemCrc32c\": \"2325632\",\n  \"name\": \"k\"\n}\n",
        "{\"data\":{\"keys\":{\"1\":{\"creation_time\":\"2026\",\"public_key\":\""
            + ESCAPED.replace("/", "\\/").replace("+", "\\u002b")
            + "\"}},\"latest_version\":1},\"warnings\":null}",
        "[{\"pem\":\"" + ESCAPED + "\"}]",
        // the same key twice
        "{\"a\":\"" + ESCAPED + "\",\"b\":\"" + ESCAPED + "\"}",
        "\"" + PUBLIC_PEM + "\"",
        "'" + PUBLIC_PEM + "'",
        "\"" + ESCAPED + "\"",
        "'" + BARE + "'",
        "PUBLIC_KEY=\"" + ESCAPED + "\"\n",
        "key: '" + PUBLIC_PEM.replace("\n", "\n  ") + "'\nname: Acme\n",
        "key: |\n" + PUBLIC_PEM.indent(2),
        PUBLIC_PEM.replace("\n", "\n\u200b"),
        "\u200b\ufeff" + PUBLIC_PEM.replace("PUBLIC", "PUB\u00adLIC"),
        PUBLIC_PEM.replace("-----", "\u2013\u2013\u2013\u2013\u2013"),
        PUBLIC_PEM.replace("-----", "\u2014\u2014-"),
        "we kept -----BEGIN PRIVATE KEY-----\n" + PUBLIC_PEM);
  }

  @ParameterizedTest
  @MethodSource("wrapped")
  void readPasted_oneKey_isTheKey(String text) {
    assertThat(RsaPublicKeys.readPasted(text, JDK)).isEqualTo(PUBLIC);
    assertThat(PublicKeys.readPasted(text, JDK)).isEqualTo(PUBLIC);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n"})
  void readPasted_derWithALineBreak_isTheKey(String lineBreak) {
    ByteArrayOutputStream der = new ByteArrayOutputStream();
    der.writeBytes(PUBLIC.getEncoded());
    der.writeBytes(lineBreak.getBytes(US_ASCII));
    assertThat(RsaPublicKeys.readPasted(der.toByteArray(), JDK)).isEqualTo(PUBLIC);
    assertRefused(MALFORMED, () -> RsaPublicKeys.read(der.toByteArray(), JDK))
        .contains("data follows");
    der.write('x');
    assertRefused(MALFORMED, () -> RsaPublicKeys.readPasted(der.toByteArray(), JDK));
  }

  @Test
  void read_whatOnlyPastedTextsMayHave_isRefused() {
    assertRefused(FORMAT_UNSUPPORTED, () -> RsaPublicKeys.read(wrapped().get(0), JDK))
        .contains("jq -r .PublicKey FILE | base64 -d");
    assertRefused(FORMAT_UNSUPPORTED, () -> RsaPublicKeys.read(wrapped().get(1), JDK))
        .contains("jq -r '.. | strings");
    assertRefused(
            NOT_BASE64, () -> RsaPublicKeys.read(PUBLIC_PEM.replaceFirst("\n", "\n\u200b"), JDK))
        .contains("U+200B in line 2");
    assertRefused(
            NOT_BASE64, () -> RsaPublicKeys.read(PUBLIC_PEM.replace("-----", "\u2013\u2013"), JDK))
        .contains("U+2013 in line 1");
    assertRefused(
            NOT_PEM, () -> RsaPublicKeys.read(PUBLIC_PEM.replace("BEGIN ", "BEGIN\u00a0"), JDK))
        .contains("U+00A0 in line 1");
  }

  @Test
  void readPasted_severalKeys_namesThemAndTakesNone() {
    String other = PublicKeys.toPem(TestKeys.pair("secp256r1").getPublic()).replace("\n", "\\n");
    String vault =
        "{\"data\":{\"keys\":{\"1\":{\"public_key\":\""
            + other
            + "\"},\"2\":{\"public_key\":\""
            + ESCAPED
            + "\"}}}}";
    assertRefused(TOO_MANY, () -> RsaPublicKeys.readPasted(vault, JDK))
        .contains(
            "2 keys", ".data.keys[\"1\"].public_key", "jq -r '.data.keys[\"2\"].public_key' FILE");
    assertRefused(
        TOO_MANY, () -> RsaPublicKeys.readPasted("\"" + PUBLIC_PEM + PUBLIC_PEM + "\"", JDK));
  }

  @Test
  void readPastedFile_membersCalledFile_keepTheirNames(@TempDir Path folder) throws IOException {
    String other = PublicKeys.toPem(TestKeys.pair("secp256r1").getPublic()).replace("\n", "\\n");
    Path file = folder.resolve("keys.json");
    Files.writeString(
        file,
        "{\"FILE_A\":{\"public_key\":\""
            + other
            + "\"},\"FILE\":{\"public_key\":\""
            + ESCAPED
            + "\"}}");
    assertRefused(TOO_MANY, () -> RsaPublicKeys.readPastedFile(file, JDK))
        .contains(": .FILE_A.public_key, .FILE.public_key. Take one: jq -r '.FILE.public_key' ")
        .doesNotContain(" FILE");
  }

  @Test
  void readPasted_jwkOrJsonWithoutKey_isRefused() {
    for (String jwk :
        List.of(
            "{\"kty\":\"RSA\",\"d\":null,\"n\":\"sXch\",\"e\":\"AQAB\"}",
            "{\"kty\":\"RSA\",\"n\":\"s\u200bXch\",\"e\":\"AQAB\"}")) {
      assertRefused(FORMAT_UNSUPPORTED, () -> RsaPublicKeys.readPasted(jwk, JDK))
          .contains("this is a JWK", "< FILE");
    }
    for (String json :
        List.of(
            "{}",
            "{\"pem\":",
            "{\"pem\":\"\"}",
            "[".repeat(60_000),
            "\u200b",
            "\"",
            "'-----BEGIN ",
            "\"" + PUBLIC_PEM.replace("\n", "\\u00z") + "\"",
            " ".repeat(60_000) + "!",
            "{\"a\\u00\":1}")) {
      assertThatThrownBy(() -> RsaPublicKeys.readPasted(json, JDK))
          .isInstanceOf(KeyFileException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'\n', '\n> ', U+003E in line 2",
    "'\n', '<br>\n', U+003C in line 1",
    "'\n', '&#10;\n', U+0026 in line 1",
    "'AQAB', 'AQ\u2013AB', U+2013 in line",
    "'\n', '\n\u0000', U+0000 in line 2",
    "'\n-----END', '=3D\n-----END', 'U+003D in line'"
  })
  void readPasted_charactersThatDoNotBelong_areNamed(String from, String to, String message) {
    String text = PUBLIC_PEM.replace(from, to);
    assertRefused(NOT_BASE64, () -> RsaPublicKeys.readPasted(text, JDK)).contains(message);
    assertRefused(NOT_BASE64, () -> RsaPublicKeys.read(text, JDK)).contains(message);
  }

  @Test
  void readPasted_theEndMissing_isStillCutOff() {
    String text = Pem.write("PUBLIC KEY", PUBLIC.getEncoded()).replace("AQAB\n", "A\n");
    assertRefused(NOT_BASE64, () -> RsaPublicKeys.readPasted(text, JDK)).contains("cut off");
  }

  @Test
  void anyKey_ofAnyAlgorithm_isReadPasted() {
    for (KeyPair pair : TestKeys.everyKind()) {
      String pem = PublicKeys.toPem(pair.getPublic());
      String json = "{\"pem\":\"" + pem.replace("\n", "\\n") + "\"}";
      assertThat(PublicKeys.readPasted(json, JDK)).isEqualTo(pair.getPublic());
    }
    RSAPublicKey again = RsaPublicKeys.readPasted(PUBLIC_PEM, JDK);
    assertThat(again).isEqualTo(PUBLIC);
  }
}
