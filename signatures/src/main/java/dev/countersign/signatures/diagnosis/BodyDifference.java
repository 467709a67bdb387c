package dev.countersign.signatures.diagnosis;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The first difference between two bodies, which explains why a digest does not match (RFC 9530
 * section 2).
 *
 * <p>A digest alone cannot tell what happened to a body. This class needs both the bytes that the
 * signer hashed and those that arrived.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9530#section-2">RFC 9530 2</a>
 */
public final class BodyDifference {
  private static final String BYTE_ORDER_MARK = "\u00ef\u00bb\u00bf";
  private static final String GZIP = "\u001f\u008b";
  private static final char UNREADABLE = '\ufffd';

  // Each character here is one byte, read as ISO 8859-1; only the last rule decodes UTF-8.
  private static final List<CauseRule> RULES =
      List.of(
          CauseRule.either(LikelyCause.BODY_MISSING, (a, b) -> a.isEmpty()),
          CauseRule.either(
              LikelyCause.BODY_BYTE_ORDER_MARK, (a, b) -> a.equals(BYTE_ORDER_MARK + b)),
          CauseRule.same(LikelyCause.BODY_LINE_ENDS, body -> body.replace("\r\n", "\n")),
          CauseRule.same(LikelyCause.BODY_FINAL_LINE_BREAK, BodyDifference::withoutFinalBreaks),
          new CauseRule(
              LikelyCause.BODY_COMPRESSED, (a, b) -> a.startsWith(GZIP) != b.startsWith(GZIP)),
          CauseRule.either(LikelyCause.BODY_CHARSET, (a, b) -> toUtf8(a).equals(b)),
          CauseRule.either(LikelyCause.BODY_CUT, String::startsWith),
          new CauseRule(
              LikelyCause.BODY_JSON_WHITE_SPACE,
              (a, b) -> isJson(a) && isJson(b) && dense(a).equals(dense(b))),
          new CauseRule(LikelyCause.BODY_JSON_ESCAPES, BodyDifference::differInEscapes));

  private final String signed;
  private final String received;
  private final @Nullable LikelyCause likelyCause;

  private BodyDifference(String signed, String received) {
    this.signed = signed;
    this.received = received;
    this.likelyCause = CauseRule.first(RULES, signed, received).orElse(null);
  }

  /**
   * Compares two bodies, in time proportional to their length.
   *
   * @param signed the bytes that the signer hashed
   * @param received the bytes that the verifier read
   * @return empty if they are equal
   */
  public static Optional<BodyDifference> between(byte[] signed, byte[] received) {
    String a = new String(signed, ISO_8859_1);
    String b = new String(received, ISO_8859_1);
    return a.equals(b) ? Optional.empty() : Optional.of(new BodyDifference(a, b));
  }

  /**
   * The offset of the first byte that differs, counted from 0. If one body is the beginning of the
   * other, its length.
   */
  public int offset() {
    return CauseRule.mismatch(signed, received);
  }

  /** The likely reason for the difference; empty if the bodies do not show one. */
  public Optional<LikelyCause> likelyCause() {
    return Optional.ofNullable(likelyCause);
  }

  /**
   * The bytes around the first difference with a caret under it, and the likely cause, for a
   * terminal. It contains up to 100 bytes of each body, so do not log it.
   */
  public String drawing() {
    return "byte "
        + offset()
        + ":\n"
        + Drawing.ofBytes(signed, received, offset())
        + Drawing.sentence(likelyCause());
  }

  /** Returns the drawing. */
  @Override
  public String toString() {
    return drawing();
  }

  private static String withoutFinalBreaks(String body) {
    int end = body.length();
    while (end > 0 && "\r\n".indexOf(body.charAt(end - 1)) >= 0) {
      end--;
    }
    return body.substring(0, end);
  }

  private static String toUtf8(String body) {
    return new String(body.getBytes(UTF_8), ISO_8859_1);
  }

  private static boolean isJson(String body) {
    String start = body.stripLeading();
    return start.startsWith("{") || start.startsWith("[");
  }

  private static String dense(String body) {
    return JsonText.withoutWhiteSpace(body);
  }

  private static boolean differInEscapes(String a, String b) {
    if (!isJson(a) || !isJson(b)) {
      return false;
    }
    String one = new String(a.getBytes(ISO_8859_1), UTF_8);
    String other = new String(b.getBytes(ISO_8859_1), UTF_8);
    // Bytes that are not UTF-8 would all look the same.
    Optional<String> normalized = JsonText.normalizeEscapes(dense(one));
    return one.indexOf(UNREADABLE) < 0
        && normalized.isPresent()
        && normalized.equals(JsonText.normalizeEscapes(dense(other)));
  }
}
