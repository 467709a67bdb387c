package dev.countersign.signatures.keys;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The texts in a JSON document (<a href="https://www.rfc-editor.org/rfc/rfc8259">RFC 8259</a>),
 * each by its path, such as {@code .data.keys["1"].public_key}. The paths are those of the program
 * jq.
 */
final class JsonTexts {
  private static final int DEPTH = 32;

  private final String json;
  private final Map<String, String> texts = new LinkedHashMap<>();
  private int position;

  private JsonTexts(String json) {
    this.json = json;
  }

  /** Returns the texts in their order; none if the document is malformed. */
  static Map<String, String> of(String json) {
    JsonTexts reader = new JsonTexts(json);
    try {
      reader.value("", DEPTH);
      reader.skipSpaces();
      return reader.position == json.length() ? reader.texts : Map.of();
    } catch (MalformedException | IndexOutOfBoundsException | NumberFormatException e) {
      return Map.of();
    }
  }

  private void value(String path, int depth) {
    if (depth == 0) {
      throw new MalformedException();
    }
    skipSpaces();
    switch (json.charAt(position)) {
      case '{' -> members(path, depth, '}');
      case '[' -> members(path, depth, ']');
      case '"' -> {
        if (texts.put(path.isEmpty() ? "." : path, text()) != null) {
          // Of two members with the same name, readers choose different ones.
          throw new MalformedException();
        }
      }
      default -> skipWord();
    }
  }

  private void members(String path, int depth, char end) {
    position++;
    for (int index = 0; !found(end); index++) {
      if (index > 0) {
        require(',');
      }
      String step = "[" + index + "]";
      if (end == '}') {
        skipSpaces();
        step = step(text());
        require(':');
      }
      value(path.isEmpty() && step.startsWith("[") ? "." + step : path + step, depth - 1);
    }
  }

  private static String step(String name) {
    if (name.matches("[A-Za-z_][A-Za-z0-9_]{0,63}")) {
      return "." + name;
    }
    return "[\"" + name.replace("\\", "\\\\").replace("\"", "\\\"") + "\"]";
  }

  private String text() {
    require('"');
    int end = position;
    while (json.charAt(end) != '"') {
      end += json.charAt(end) == '\\' ? 2 : 1;
    }
    String escaped = json.substring(position, end);
    position = end + 1;
    return unescaped(escaped);
  }

  /** The text that a JSON string stands for, given without its quotes. */
  static String unescaped(String escaped) {
    StringBuilder text = new StringBuilder(escaped.length());
    for (int i = 0; i < escaped.length(); i++) {
      char c = escaped.charAt(i);
      if (c == '\\' && i + 1 < escaped.length()) {
        i++;
        switch (escaped.charAt(i)) {
          case 'n' -> text.append('\n');
          case 'r' -> text.append('\r');
          case 't' -> text.append('\t');
          case 'b', 'f' -> text.append(' ');
          case 'u' -> {
            text.append((char) Integer.parseInt(escaped.substring(i + 1, i + 5), 16));
            i += 4;
          }
          default -> text.append(escaped.charAt(i));
        }
      } else {
        text.append(c);
      }
    }
    return text.toString();
  }

  private void skipWord() {
    int start = position;
    while (position < json.length() && ",]} \t\r\n".indexOf(json.charAt(position)) < 0) {
      position++;
    }
    if (position == start) {
      throw new MalformedException();
    }
  }

  private boolean found(char c) {
    skipSpaces();
    if (json.charAt(position) == c) {
      position++;
      return true;
    }
    return false;
  }

  private void require(char c) {
    if (!found(c)) {
      throw new MalformedException();
    }
  }

  private void skipSpaces() {
    while (position < json.length() && " \t\r\n".indexOf(json.charAt(position)) >= 0) {
      position++;
    }
  }

  private static final class MalformedException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
