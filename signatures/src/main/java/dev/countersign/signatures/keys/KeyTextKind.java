package dev.countersign.signatures.keys;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.util.Base64;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The apparent form of a key text, judged by its header line and its first bytes. The readers then
 * check the whole text strictly.
 */
enum KeyTextKind {
  PKCS8_PRIVATE,
  PKCS1_PRIVATE,
  ENCRYPTED_PRIVATE,
  OPENSSH_PRIVATE,
  /** An EC private key in its own structure (RFC 5915). */
  SEC1_PRIVATE,
  /** A DSA private key in the traditional format of OpenSSL. */
  DSA_PRIVATE,
  JWK_PRIVATE,
  /** A private key as one value among others in JSON. */
  JSON_PRIVATE,
  XML_PRIVATE,
  PGP_PRIVATE,
  PUTTY_PRIVATE,
  PKCS12,
  SPKI_PUBLIC,
  PKCS1_PUBLIC,
  SSH_PUBLIC,
  /** An OpenSSH public key other than RSA, such as ssh-ed25519 or ecdsa-sha2-nistp256. */
  SSH_OTHER_PUBLIC,
  CERTIFICATE,
  /** A certificate followed by OpenSSL's trust settings. */
  TRUSTED_CERTIFICATE,
  CERTIFICATE_REQUEST,
  /** Certificates in a PKCS#7 or CMS structure (RFC 5652). */
  PKCS7,
  REVOCATION_LIST,
  JWK_PUBLIC,
  /** JSON that is not a JWK. It may have a key as one of its values. */
  JSON_PUBLIC,
  XML_PUBLIC,
  PGP_PUBLIC,
  /** A whole PEM text in base64, as in a Kubernetes secret. */
  BASE64_OF_PEM,
  UNKNOWN;

  private static final Set<KeyTextKind> PRIVATE = EnumSet.range(PKCS8_PRIVATE, PKCS12);
  private static final Pattern HEADER_LINE = Pattern.compile("-----[A-Z0-9 ]{1,48}-----");
  private static final Pattern FIRST_RUN = Pattern.compile("[A-Za-z0-9+/]{16}");
  private static final Pattern OPENSSH_LINE =
      Pattern.compile("\\b(?:ssh-|ecdsa-sha2-)[a-z0-9]{1,20} ");
  private static final Pattern PKCS7_LINE = Pattern.compile("BEGIN (?:PKCS ?#?7|CMS)\\b");
  private static final Pattern JSON_START = Pattern.compile("\\s*+(?:\\{|\\[\\s*+[{\"\\[])");

  // An OpenPGP packet of type 5 and a length of two octets (RFC 9580 section 4.2), version 4, the
  // time, and a public-key algorithm (sections 5.5.2 and 9.1). About 1 in 1.4 million random texts
  // begins with these bytes.
  private static final Pattern OPENPGP_SECRET_KEY =
      Pattern.compile("\\x95..\\x04.{4}[\\x01-\\x03\\x10-\\x13\\x16\\x19-\\x1c]", Pattern.DOTALL);

  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  // The first bytes, in hexadecimal, of the object identifiers for encryption with a passphrase:
  // PKCS#5 (1.2.840.113549.1.5) and PKCS#12 (1.2.840.113549.1.12.1).
  private static final String PKCS5_OID_START = "2a864886f70d0105";
  private static final String PKCS12_ENCRYPTION_OID_START = "2a864886f70d010c01";
  // The first bytes of the object identifiers for the content types of PKCS#7
  // (1.2.840.113549.1.7).
  private static final String PKCS7_OID_START = "2a864886f70d0107";

  boolean isPrivate() {
    return PRIVATE.contains(this);
  }

  static KeyTextKind of(String text) {
    KeyTextKind named = ofWords(text);
    if (named != UNKNOWN) {
      return named;
    }
    Matcher header = HEADER_LINE.matcher(text);
    KeyTextKind form =
        heads(header.find() ? text.substring(header.end()) : text)
            .map(KeyTextKind::ofHead)
            .filter(found -> found != UNKNOWN)
            .findFirst()
            .orElse(UNKNOWN);
    return switch (form) {
      case UNKNOWN -> PrivateKeyTraces.existIn(text) ? PKCS8_PRIVATE : UNKNOWN;
      case CERTIFICATE -> isRevocationList(text) ? REVOCATION_LIST : CERTIFICATE;
      default -> form;
    };
  }

  static boolean isJson(String text) {
    return JSON_START.matcher(text).lookingAt();
  }

  /** Returns the form that is named in the words around the base64, or UNKNOWN if none is. */
  private static KeyTextKind ofWords(String text) {
    if (isJson(text)) {
      return ofJson(text);
    }
    if (text.stripLeading().startsWith("<") && !text.contains("-----BEGIN")) {
      return PrivateKeyTraces.existIn(text) ? XML_PRIVATE : XML_PUBLIC;
    }
    KeyTextKind named = ofPrivateWords(text);
    return named == UNKNOWN ? ofPublicWords(text) : named;
  }

  private static KeyTextKind ofJson(String text) {
    if (text.contains("\"kty\"")) {
      return PrivateKeyTraces.existIn(text) ? JWK_PRIVATE : JWK_PUBLIC;
    }
    return PrivateKeyTraces.existIn(text) ? JSON_PRIVATE : JSON_PUBLIC;
  }

  private static KeyTextKind ofPrivateWords(String text) {
    if (text.contains("BEGIN OPENSSH PRIVATE KEY")) {
      return OPENSSH_PRIVATE;
    }
    if (text.contains("BEGIN ENCRYPTED PRIVATE KEY") || text.contains("Proc-Type: 4,ENCRYPTED")) {
      return ENCRYPTED_PRIVATE;
    }
    if (text.contains("BEGIN EC PRIVATE KEY")) {
      return SEC1_PRIVATE;
    }
    if (text.contains("BEGIN DSA PRIVATE KEY")) {
      return DSA_PRIVATE;
    }
    if (text.contains("BEGIN PGP PRIVATE KEY")) {
      return PGP_PRIVATE;
    }
    return text.contains("PuTTY-User-Key-File-") ? PUTTY_PRIVATE : UNKNOWN;
  }

  private static KeyTextKind ofPublicWords(String text) {
    if (text.contains("BEGIN PGP P")) {
      return PGP_PUBLIC;
    }
    if (text.contains("CERTIFICATE REQUEST-")) {
      return CERTIFICATE_REQUEST;
    }
    if (text.contains("BEGIN TRUSTED CERTIFICATE")) {
      return TRUSTED_CERTIFICATE;
    }
    if (PKCS7_LINE.matcher(text).find()) {
      return PKCS7;
    }
    if (text.contains("BEGIN X509 CRL")) {
      return REVOCATION_LIST;
    }
    if (text.contains("BEGIN SSH2 PUBLIC KEY")) {
      return SSH_PUBLIC;
    }
    Matcher line = OPENSSH_LINE.matcher(text);
    if (!text.contains("-----BEGIN") && line.find()) {
      return line.group().equals("ssh-rsa ") ? SSH_PUBLIC : SSH_OTHER_PUBLIC;
    }
    return UNKNOWN;
  }

  /**
   * Returns the form that the first bytes of a key indicate, or UNKNOWN. The rest of the key may be
   * damaged or missing.
   */
  static KeyTextKind ofHead(byte[] head) {
    int outer = contentOffset(head, 0);
    if (outer < 0) {
      return ofOtherBytes(new String(head, ISO_8859_1));
    }
    return switch (octetAt(head, outer)) {
      case Der.INTEGER -> ofInteger(head, outer);
      case Der.SEQUENCE -> ofInnerSequence(head, contentOffset(head, outer));
      case Der.OBJECT_IDENTIFIER ->
          hexFromOid(head, outer).startsWith(PKCS7_OID_START) ? PKCS7 : UNKNOWN;
      default -> UNKNOWN;
    };
  }

  /**
   * Returns whether these first bytes are clearly those of a private key: at most 1 in 2 billion
   * random texts begins like this. {@link #ofHead} also finds private keys in bytes that are less
   * clear.
   */
  static boolean isClearlyPrivate(byte[] head) {
    return switch (ofHead(head)) {
      case PKCS1_PRIVATE, SEC1_PRIVATE, ENCRYPTED_PRIVATE, OPENSSH_PRIVATE -> true;
      case PKCS8_PRIVATE, PKCS12 -> {
        // The version takes three bytes. The algorithm or the content follows. In a list of revoked
        // certificates, or in a certificate of version 1, a name follows the algorithm, not a key.
        int algorithm = contentOffset(head, 0) + 3;
        int after = contentOffset(head, algorithm) + octetAt(head, algorithm + 1);
        yield octetAt(head, contentOffset(head, algorithm)) == Der.OBJECT_IDENTIFIER
            && (octetAt(head, algorithm + 1) > 0x7f
                || after >= head.length
                || octetAt(head, after) == Der.OCTET_STRING);
      }
      default -> false;
    };
  }

  // Every private key begins with a version number of one byte. Only a PKCS#1 public key begins
  // with a long number, the modulus.
  private static KeyTextKind ofInteger(byte[] head, int offset) {
    if (octetAt(head, offset + 1) != 1) {
      return PKCS1_PUBLIC;
    }
    return switch (octetAt(head, offset + 3)) {
      case Der.INTEGER -> PKCS1_PRIVATE;
      case Der.OCTET_STRING -> SEC1_PRIVATE;
      case Der.SEQUENCE -> octetAt(head, offset + 2) == 3 ? PKCS12 : PKCS8_PRIVATE;
      default -> PKCS8_PRIVATE;
    };
  }

  private static KeyTextKind ofInnerSequence(byte[] head, int inner) {
    return switch (octetAt(head, inner)) {
      case Der.OBJECT_IDENTIFIER -> {
        String hex = hexFromOid(head, inner);
        yield hex.startsWith(PKCS5_OID_START) || hex.startsWith(PKCS12_ENCRYPTION_OID_START)
            ? ENCRYPTED_PRIVATE
            : SPKI_PUBLIC;
      }
      case Der.INTEGER ->
          octetAt(head, inner + 1) == 1 && octetAt(head, inner + 2) == 0
              ? CERTIFICATE_REQUEST
              : CERTIFICATE;
      case 0xa0 -> CERTIFICATE;
      default -> UNKNOWN;
    };
  }

  private static KeyTextKind ofOtherBytes(String head) {
    if (head.startsWith("openssh-key-v1")) {
      return OPENSSH_PRIVATE;
    }
    if (head.startsWith("-----BEGIN")) {
      return BASE64_OF_PEM;
    }
    if (OPENPGP_SECRET_KEY.matcher(head).lookingAt()) {
      return PGP_PRIVATE;
    }
    return head.startsWith("\0\0\0\u0007ssh-rsa") ? SSH_PUBLIC : UNKNOWN;
  }

  // RFC 5280, 5.1: a revocation list and an old certificate both begin with an INTEGER and two
  // SEQUENCEs. In a revocation list, a time follows; in a certificate, a third SEQUENCE.
  private static boolean isRevocationList(String text) {
    try {
      Der list = Der.of(Pem.read(text)).enter(Der.SEQUENCE).enter(Der.SEQUENCE);
      list.skip(Der.INTEGER);
      list.skip(Der.SEQUENCE);
      list.skip(Der.SEQUENCE);
      return list.nextIs(Der.UTC_TIME) || list.nextIs(Der.GENERALIZED_TIME);
    } catch (KeyFileException e) {
      return false;
    }
  }

  /**
   * Decodes the first bytes of a text's base64. Reads them from the start of the text and, if words
   * may precede the base64, also from the first long run of base64 characters. The start alone
   * could miss base64 after such words, and the run alone could miss base64 with an early line
   * break.
   */
  private static Stream<byte[]> heads(String text) {
    Matcher run = FIRST_RUN.matcher(text);
    return run.find() && run.start() > 0
        ? Stream.of(head(text), head(text.substring(run.start())))
        : Stream.of(head(text));
  }

  private static byte[] head(String text) {
    int[] characters =
        text.chars()
            .filter(c -> !Character.isWhitespace(c))
            .takeWhile(c -> BASE64.indexOf(c) >= 0)
            .limit(64)
            .toArray();
    String whole = new String(characters, 0, characters.length / 4 * 4);
    return Base64.getDecoder().decode(whole);
  }

  /** Returns in hexadecimal the object identifier at this offset and all bytes after it. */
  private static String hexFromOid(byte[] head, int offset) {
    return HexFormat.of().formatHex(head, Math.min(offset + 2, head.length), head.length);
  }

  /**
   * Returns the offset of the content of the SEQUENCE at the given offset, or -1 if there is no
   * SEQUENCE.
   */
  private static int contentOffset(byte[] head, int offset) {
    if (octetAt(head, offset) != Der.SEQUENCE) {
      return -1;
    }
    int length = octetAt(head, offset + 1);
    return length < 0x80 ? offset + 2 : offset + 2 + (length & 0x7f);
  }

  private static int octetAt(byte[] head, int offset) {
    return offset >= 0 && offset < head.length ? head[offset] & 0xff : -1;
  }
}
