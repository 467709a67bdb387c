package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.PUBLIC_KEY;
import static dev.countersign.signatures.keys.KeyFileException.Reason.WEAK;
import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.math.BigInteger;
import java.security.spec.ECPoint;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * Checks whether bytes can be a secret for HMAC. They must be at least as long as the hash (<a
 * href="https://www.rfc-editor.org/rfc/rfc7518#section-3.2">RFC 7518, section 3.2</a>). They must
 * not be the bytes of a key file, because attackers trick verifiers into using a public key as a
 * secret (<a href="https://www.rfc-editor.org/rfc/rfc8725#section-2.1">RFC 8725, section 2.1</a>).
 */
public final class SharedSecretRules {
  /** The command that messages name to make a new secret. */
  static final String NEW = "openssl rand -base64 64";

  // PEM, OpenSSH, JWK, XML: words that appear in the text of a key.
  private static final Pattern KEY_WORDS =
      Pattern.compile("---- ?BEGIN |^\\s*(?:ssh-|ecdsa-sha2-)|\"kty\"|<RSAKeyValue");
  private static final Pattern WHITESPACE = Pattern.compile("\\s+");

  private SharedSecretRules() {}

  /**
   * Returns normally if the secret may be used.
   *
   * @throws KeyFileException with {@link KeyFileException.Reason#WEAK} or {@link
   *     KeyFileException.Reason#PUBLIC_KEY} and an explanation
   */
  public static void check(byte[] secret, int minBytes) {
    if (isKey(secret)) {
      throw new KeyFileException(
          PUBLIC_KEY,
          "the secret is the file of a key or a certificate, which others know. Make a new secret: "
              + NEW);
    }
    if (secret.length < minBytes) {
      throw new KeyFileException(
          WEAK,
          "the secret has "
              + secret.length
              + " bytes; at least "
              + minBytes
              + " are needed (RFC 7518, section 3.2). Make a new secret: "
              + NEW);
    }
  }

  /** Returns whether a text is a key, in PEM or in the base64 of its DER. */
  static boolean isKeyText(String text) {
    if (KEY_WORDS.matcher(text).find()) {
      return true;
    }
    try {
      return isKeyBytes(Base64.getDecoder().decode(WHITESPACE.matcher(text).replaceAll("")));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static boolean isKey(byte[] secret) {
    return isKeyBytes(secret) || isKeyText(new String(secret, ISO_8859_1));
  }

  // About one in several million random secrets is mistaken for a key.
  private static boolean isKeyBytes(byte[] bytes) {
    return Der.isStructure(bytes)
        || Arrays.stream(EcCurve.values()).anyMatch(c -> isPoint(bytes, c));
  }

  private static boolean isPoint(byte[] bytes, EcCurve curve) {
    int middle = curve.bytes() + 1;
    return bytes.length == 2 * curve.bytes() + 1
        && bytes[0] == 4
        && curve.contains(
            new ECPoint(
                new BigInteger(1, Arrays.copyOfRange(bytes, 1, middle)),
                new BigInteger(1, Arrays.copyOfRange(bytes, middle, bytes.length))));
  }
}
