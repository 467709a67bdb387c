package dev.countersign.cli.explain;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.diagnosis.BodyDifference;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Guesses which body was hashed, if it is not the body that was received. Tries the changes that
 * editors, serialisers and proxies make to a body (RFC 9530 section 2).
 */
final class BodyGuesses {
  // In bytes. There are no guesses for a larger body.
  private static final int MAX_BODY_SIZE = 1024 * 1024;

  private BodyGuesses() {}

  /**
   * Returns how the received body differs from the body that was hashed; empty if no guess matches
   * the digest.
   */
  static Optional<BodyDifference> find(ContentDigest digest, byte[] received) {
    return of(received).stream()
        .filter(body -> digest.matches(body, CryptoProvider.jdk()))
        .findFirst()
        .flatMap(body -> BodyDifference.between(body, received));
  }

  /** Changed copies of this body; none if it is larger than 1 MiB. */
  static List<byte[]> of(byte[] body) {
    if (body.length > MAX_BODY_SIZE) {
      return List.of();
    }
    String text = new String(body, ISO_8859_1);
    List<String> texts = new ArrayList<>();
    texts.add("");
    texts.add(text + "\n");
    texts.add(text + "\r\n");
    texts.add(withoutLineBreaks(text));
    texts.add(text.replace("\r\n", "\n"));
    texts.add(text.replace("\r\n", "\n").replace("\n", "\r\n"));
    texts.add(text.strip());
    texts.add("\u00ef\u00bb\u00bf" + text);
    texts.add(text.replaceFirst("^\u00ef\u00bb\u00bf", ""));
    List<byte[]> bodies = new ArrayList<>();
    texts.forEach(other -> bodies.add(other.getBytes(ISO_8859_1)));
    bodies.add(text.getBytes(UTF_8));
    String read = new String(body, UTF_8);
    bodies.add(read.getBytes(ISO_8859_1));
    json(read).forEach(other -> bodies.add(other.getBytes(UTF_8)));
    return bodies;
  }

  /** The text without the line breaks at its end. */
  private static String withoutLineBreaks(String text) {
    int end = text.length();
    while (end > 0 && "\r\n".indexOf(text.charAt(end - 1)) >= 0) {
      end--;
    }
    return text.substring(0, end);
  }

  private static List<String> json(String text) {
    try {
      JsonMapper mapper = JsonMapper.shared();
      JsonNode tree = mapper.readTree(text);
      String dense = tree.toString();
      String python = spaced(dense);
      String pretty = mapper.writerWithDefaultPrettyPrinter().writeValueAsString(tree);
      return List.of(
          dense, dense + "\n", python, pretty, pretty.replace(" : ", ": "), indented(pretty));
    } catch (JacksonException noJson) {
      return List.of();
    }
  }

  /** JSON as Python writes it: a space after each colon and comma outside strings. */
  private static String spaced(String dense) {
    StringBuilder spaced = new StringBuilder();
    boolean quoted = false;
    boolean escaped = false;
    for (int i = 0; i < dense.length(); i++) {
      char c = dense.charAt(i);
      quoted ^= c == '"' && !escaped;
      escaped = c == '\\' && !escaped;
      spaced.append(c).append(!quoted && (c == ',' || c == ':') ? " " : "");
    }
    return spaced.toString();
  }

  /** JSON indented by four blanks per level instead of two. */
  private static String indented(String pretty) {
    return pretty.replace(" : ", ": ").replaceAll("(?m)^( +)", "$1$1");
  }
}
