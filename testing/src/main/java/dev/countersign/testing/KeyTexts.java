package dev.countersign.testing;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPrivateCrtKey;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

/**
 * Texts with and without a private key. All places that look for private keys must decide alike:
 * the readers of keys, the service and the script of its portal.
 */
public final class KeyTexts {
  private static final KeyPair PAIR = pair("RSA", 2048);
  private static final RSAPrivateCrtKey KEY = (RSAPrivateCrtKey) PAIR.getPrivate();
  private static final String PRIVATE = pem("PRIVATE KEY", KEY.getEncoded());
  private static final String PUBLIC = pem("PUBLIC KEY", PAIR.getPublic().getEncoded());
  private static final String BARE = bare(KEY.getEncoded());
  // The first line of a public key. The rest of the key is missing.
  private static final String CUT_OFF = bare(PAIR.getPublic().getEncoded()).substring(0, 64) + "\n";

  private static final String WORDS =
      bare("Plain words in base64, which have no key at all and come first.".getBytes(UTF_8));

  private KeyTexts() {}

  /** Texts that contain a private key, or may contain one. */
  public static List<String> withPrivateKey() {
    List<String> texts = new ArrayList<>(jwks());
    texts.addAll(blocks());
    texts.addAll(
        List.of(
            BARE,
            BARE.substring(0, 40),
            "key: '" + BARE + "'",
            "{\"PublicKey\":\"" + BARE + "\"}",
            "{\"KeyId\":\"arn:aws:kms:eu-west-1:111122223333:key/abcdefghijklmnopqrstuvwxyz\","
                + "\"PublicKey\":\""
                + BARE
                + "\"}",
            "our partner, supercalifragilisticexpialidocious: see below " + BARE,
            bare(PAIR.getPublic().getEncoded()) + "\n\n" + BARE,
            CUT_OFF + BARE,
            CUT_OFF + bare(pair("EC", 256).getPrivate().getEncoded()),
            CUT_OFF + bare(pair("Ed25519", 255).getPrivate().getEncoded()),
            CUT_OFF + bare(PRIVATE.getBytes(UTF_8)),
            bare(PRIVATE.getBytes(UTF_8)),
            bare(PRIVATE.getBytes(UTF_16LE)),
            WORDS + "\n" + BARE,
            WORDS + "\n" + WORDS + "\n" + bare(PRIVATE.getBytes(UTF_8)),
            bare("{\"kty\":\"RSA\",\"n\":\"sXch\",\"e\":\"AQAB\",\"d\":\"VFCW\"}".getBytes(UTF_8)),
            PUBLIC + pem("PUBLIC KEY", KEY.getEncoded()),
            "PuTTY-User-Key-File-3: ssh-rsa\nEncryption: none\n",
            "<RSAKeyValue><Modulus>sXch</Modulus><D>VFCW</D></RSAKeyValue>",
            "<RSAKeyValue><Modulus>sXch</Modulus><P>VFCW</P></RSAKeyValue>",
            "<InverseQ>" + BARE.substring(100, 180) + "</InverseQ>"));
    return texts;
  }

  private static List<String> blocks() {
    return List.of(
        PRIVATE,
        PRIVATE.replace("PRIVATE KEY", "PUBLIC KEY"),
        PRIVATE.replace("PRIVATE KEY", "RSA PRIVATE KEY"),
        PRIVATE.replace("-----", "\u2013\u2013"),
        PRIVATE.replace("-----", ""),
        PRIVATE.replace("PRIVATE", "PRIV\u200bATE"),
        PRIVATE.replace("\n", "\\n"),
        PRIVATE.replace("\n", "\n> "),
        PRIVATE.replace("\n", "<br>\n"),
        PRIVATE.substring(0, 40),
        PRIVATE.substring(300),
        "-----BEGIN PRIVATE KEY",
        "-----BEGIN PRIVATE KEY-----\nMIIE",
        "-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nlQOYBGX\n",
        "key: |\n" + PRIVATE.indent(2),
        "key: '" + PRIVATE + "'",
        "key: \"" + PRIVATE.replace("\n", "\\n") + "\"",
        "{\"private_key\":\"" + PRIVATE.replace("\n", "\\n") + "\"}",
        PUBLIC + PRIVATE,
        "we kept -----BEGIN PRIVATE KEY-----\n" + PUBLIC + PRIVATE,
        "we kept -----BEGIN PRIVATE KEY-----\n" + BARE.substring(200));
  }

  private static List<String> jwks() {
    String d = base64Url(KEY.getPrivateExponent());
    return List.of(
        "{\"kty\":\"RSA\",\"n\":\"sXch\",\"e\":\"AQAB\",\"d\": \"VFCW\"}",
        "{\"kty\":\"RSA\",\"d\"\n            :            \"VFCW\"}",
        "{\"kty\":\"RSA\",\"d\":null,\"d\":\"VFCW\"}",
        "{\"kty\":\"RSA\",\"d\":null,\"p\":\"VFCW\"}",
        "{\"kty\":\"RSA\",\"d\":\"\",\"q\":\"VFCW\"}",
        "{\"kty\":\"oct\",\"k\":\"VFCW\"}",
        "{\"kty\":\"RSA\",\"d\":[1]}",
        "{\"kty\":\"RSA\",\"d\":nullx}",
        "{\"kty\":\"RSA\",\"d\":\"V",
        "{'kty': 'RSA', 'd': 'VFCW'}",
        "kty: RSA\nn: sXch\nd: VFCW\n",
        "{\\\"kty\\\":\\\"RSA\\\",\\\"d\\\":\\\"VFCW\\\"}",
        "\"d\": \"" + d + "\"",
        "{\"d\": \"" + d + "\"}",
        "{\"key\":{\"d\":\"" + d + "\"}}");
  }

  /** Texts without a private key, some of which look as if they had one. */
  public static List<String> withoutPrivateKey() {
    return List.of(
        "",
        "Acme Bank",
        "10.0.0.0/8\n2001:db8::/48",
        "Partner \"d\": x",
        "Partner \"d\": \"\"",
        "Partner d: x, p: y",
        PUBLIC,
        PUBLIC.replace("\n", "\\n"),
        PUBLIC.replace("\n", "\n> "),
        bare(PAIR.getPublic().getEncoded()),
        bare(PUBLIC.getBytes(UTF_8)),
        publicKeyWithLine("950000040000000001"),
        publicKeyWithLine("302002010080"),
        publicKeyWithLine("3081a5020101300d06092a864886f70d01010b05003041"),
        "we kept -----BEGIN PRIVATE KEY-----\n" + PUBLIC,
        "we kept -----BEGIN PRIVATE KEY----- in the safe\n" + PUBLIC,
        PUBLIC + "we kept -----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n" + PUBLIC,
        "{\"kty\":\"RSA\",\"n\":\"sXch\",\"e\":\"AQAB\"}",
        "{\"attributes\":{},\"key\":{\"crv\":null,\"d\":null,\"dp\":null,\"dq\":null,\"e\":\"AQAB\","
            + "\"k\":null,\"kty\":\"RSA\",\"n\":\"sXch\",\"p\": null ,\"q\":null,\"qi\":null}}",
        "{\"kty\":\"RSA\",\"n\":\"sXch\",\"e\":\"AQAB\",\"d\":\"\"}",
        "{'kty': 'RSA', 'd': ''}",
        "kty: RSA\nd: null\np:\nq: ''\n",
        "<RSAKeyValue><Modulus>sXch</Modulus><Exponent>AQAB</Exponent><D></D></RSAKeyValue>",
        "{\"KeyId\":\"arn:aws:kms:eu-west-1:111122223333:key/abcdefghijklmnopqrstuvwxyz\","
            + "\"PublicKey\":\""
            + bare(PAIR.getPublic().getEncoded())
            + "\"}");
  }

  /**
   * A public key whose second line begins with these bytes, which could be those of a private key.
   */
  private static String publicKeyWithLine(String hex) {
    byte[] key = PAIR.getPublic().getEncoded();
    byte[] line = HexFormat.of().parseHex(hex);
    System.arraycopy(line, 0, key, 48, line.length);
    return Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key);
  }

  private static String base64Url(BigInteger number) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(number.toByteArray());
  }

  private static String bare(byte[] bytes) {
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static String pem(String label, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
  }

  private static KeyPair pair(String algorithm, int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance(algorithm);
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }
}
