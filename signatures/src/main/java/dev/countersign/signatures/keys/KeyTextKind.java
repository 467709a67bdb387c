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
 * The apparent form of a key text, judged by its header line and its first bytes. Since only the
 * beginning is needed, a private key that is cut off or damaged is recognised as well. The readers
 * then check the whole text strictly.
 */
enum KeyTextKind {
  PKCS8_PRIVATE,
  PKCS1_PRIVATE,
  ENCRYPTED_PRIVATE,
  OPENSSH_PRIVATE,
  /** An EC private key in its own structure (RFC 5915). */
  SEC1_PRIVATE,
  /** A private key of another algorithm: DSA. */
  OTHER_PRIVATE,
  /** A private key in the form of another tool: PGP, PuTTY, PKCS#12, JWK or XML. */
  FOREIGN_PRIVATE,
  SPKI_PUBLIC,
  PKCS1_PUBLIC,
  SSH_PUBLIC,
  /** An OpenSSH public key other than RSA, such as ssh-ed25519 or ecdsa-sha2-nistp256. */
  SSH_OTHER_PUBLIC,
  CERTIFICATE,
  CERTIFICATE_REQUEST,
  FOREIGN_PUBLIC,
  /** A whole PEM text in base64, as in a Kubernetes secret. */
  BASE64_OF_PEM,
  UNKNOWN;

  private static final Set<KeyTextKind> PRIVATE =
      EnumSet.of(
          PKCS8_PRIVATE,
          PKCS1_PRIVATE,
          ENCRYPTED_PRIVATE,
          OPENSSH_PRIVATE,
          SEC1_PRIVATE,
          OTHER_PRIVATE,
          FOREIGN_PRIVATE);
  private static final Set<KeyTextKind> PUBLIC_DER =
      EnumSet.of(SPKI_PUBLIC, PKCS1_PUBLIC, CERTIFICATE);
  private static final Pattern PRIVATE_TRACE =
      Pattern.compile(
          "\\b(?:BEGIN|END) [A-Z0-9 ]{0,40}PRIVATE KEY"
              + "|PuTTY-User-Key-File-|\"d\"\\s{0,9}:|<(?:D|InverseQ)>");
  private static final Pattern HEADER_LINE = Pattern.compile("-----[A-Z0-9 ]{1,48}-----");
  private static final Pattern FIRST_RUN = Pattern.compile("[A-Za-z0-9+/]{16}");
  private static final Pattern OPENSSH_LINE =
      Pattern.compile("\\b(?:ssh-|ecdsa-sha2-)[a-z0-9]{1,20} ");

  // An OpenPGP packet of type 5 and a length of two octets (RFC 9580 section 4.2), version 4, the
  // time, and a public-key algorithm (sections 5.5.2 and 9.1). About 1 in 1.4 million random texts
  // begins with these bytes.
  private static final Pattern OPENPGP_SECRET_KEY =
      Pattern.compile("\\x95..\\x04.{4}[\\x01-\\x03\\x10-\\x13\\x16\\x19-\\x1c]", Pattern.DOTALL);

  private static final String BASE64 =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  // The passphrase schemes of PKCS#5 (1.2.840.113549.1.5) and PKCS#12 (1.2.840.113549.1.12.1).
  private static final String PKCS5 = "2a864886f70d0105";
  private static final String PKCS12 = "2a864886f70d010c01";

  /**
   * Returns whether the text contains a private key, whole or in part, whatever its header says.
   */
  static boolean showsPrivateKey(String text) {
    return PRIVATE_TRACE.matcher(text).find()
        || HEADER_LINE
            .splitAsStream(text)
            .flatMap(KeyTextKind::heads)
            .anyMatch(KeyTextKind::opensPrivateKey);
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
    if (form == UNKNOWN && PRIVATE_TRACE.matcher(text).find()) {
      return PKCS8_PRIVATE;
    }
    return form;
  }

  // The words of PRIVATE_TRACE are not searched in a public key, because its bytes may spell
  // anything.
  private static boolean opensPrivateKey(byte[] head) {
    KeyTextKind form = ofHead(head);
    if (PUBLIC_DER.contains(form)) {
      return false;
    }
    return PRIVATE.contains(form) || PRIVATE_TRACE.matcher(new String(head, ISO_8859_1)).find();
  }

  /** The form according to the words around the base64, or UNKNOWN if these words do not tell. */
  private static KeyTextKind ofWords(String text) {
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
      return OTHER_PRIVATE;
    }
    if (text.contains("BEGIN PGP P") || text.stripLeading().matches("(?s)[{<].*")) {
      return PRIVATE_TRACE.matcher(text).find() ? FOREIGN_PRIVATE : FOREIGN_PUBLIC;
    }
    if (text.contains("PuTTY-User-Key-File-")) {
      return FOREIGN_PRIVATE;
    }
    if (text.contains("CERTIFICATE REQUEST-")) {
      return CERTIFICATE_REQUEST;
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

  private static KeyTextKind ofHead(byte[] head) {
    int outer = inside(head, 0);
    if (outer < 0) {
      return ofOtherBytes(new String(head, ISO_8859_1));
    }
    return switch (at(head, outer)) {
      case Der.INTEGER -> ofNumber(head, outer);
      case Der.SEQUENCE -> ofInnerSequence(head, inside(head, outer));
      default -> UNKNOWN;
    };
  }

  // Every private key begins with a version number; only a PKCS#1 public key begins with a long
  // number.
  private static KeyTextKind ofNumber(byte[] head, int number) {
    if (at(head, number + 1) != 1) {
      return PKCS1_PUBLIC;
    }
    return switch (at(head, number + 3)) {
      case Der.INTEGER -> PKCS1_PRIVATE;
      case Der.OCTET_STRING -> SEC1_PRIVATE;
      case Der.SEQUENCE -> at(head, number + 2) == 3 ? FOREIGN_PRIVATE : PKCS8_PRIVATE;
      default -> PKCS8_PRIVATE;
    };
  }

  private static KeyTextKind ofInnerSequence(byte[] head, int inner) {
    return switch (at(head, inner)) {
      case Der.OBJECT_IDENTIFIER -> {
        String oid = HexFormat.of().formatHex(head, Math.min(inner + 2, head.length), head.length);
        yield oid.startsWith(PKCS5) || oid.startsWith(PKCS12) ? ENCRYPTED_PRIVATE : SPKI_PUBLIC;
      }
      case Der.INTEGER ->
          at(head, inner + 1) == 1 && at(head, inner + 2) == 0 ? CERTIFICATE_REQUEST : CERTIFICATE;
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
      return FOREIGN_PRIVATE;
    }
    return head.startsWith("\0\0\0\u0007ssh-rsa") ? SSH_PUBLIC : UNKNOWN;
  }

  /**
   * The first bytes of a text's base64. They are read from the start of the text and, if words may
   * precede the base64, also from the first long run of base64 characters. Reading only from the
   * start could miss a text with words in front. Reading only from the run could miss a text with
   * an early line break.
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

  /**
   * The position of the content of the SEQUENCE that begins at this place, or -1 if there is none.
   */
  private static int inside(byte[] head, int place) {
    if (at(head, place) != Der.SEQUENCE) {
      return -1;
    }
    int length = at(head, place + 1);
    return length < 0x80 ? place + 2 : place + 2 + (length & 0x7f);
  }

  private static int at(byte[] head, int place) {
    return place >= 0 && place < head.length ? head[place] & 0xff : -1;
  }
}
