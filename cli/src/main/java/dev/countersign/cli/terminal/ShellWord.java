package dev.countersign.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.protocol.PlainText;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Quotes words so that a shell reads them back unchanged. */
public final class ShellWord {
  // A word must not begin with an equals sign: zsh replaces =ls with the path of ls.
  private static final Pattern PLAIN =
      Pattern.compile("[A-Za-z0-9_./:@%+,-][A-Za-z0-9_./:=@%+,-]*");

  private ShellWord() {}

  /** Joins words into a line for any POSIX shell. The words may contain any characters. */
  public static String line(List<String> words) {
    return words.stream().map(ShellWord::quoted).collect(Collectors.joining(" "));
  }

  /**
   * Joins words into a line to show and copy. Invisible characters appear as their bytes in the
   * form {@code $'\033'}, which bash, zsh, ksh and POSIX.1-2024 understand.
   */
  public static String printableLine(List<String> words) {
    return words.stream()
        .map(
            word -> word.codePoints().allMatch(PlainText::isVisible) ? quoted(word) : escaped(word))
        .collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return PLAIN.matcher(word).matches() ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  private static String escaped(String word) {
    StringBuilder escaped = new StringBuilder("$'");
    word.codePoints()
        .forEach(
            c -> {
              if (!PlainText.isVisible(c)) {
                // Three octal digits, because some shells read any number of hexadecimal digits.
                for (byte b : Character.toString(c).getBytes(UTF_8)) {
                  escaped.append(String.format(Locale.ROOT, "\\%03o", b & 0xff));
                }
              } else {
                escaped.append(c == '\'' || c == '\\' ? "\\" : "").appendCodePoint(c);
              }
            });
    return escaped.append("'").toString();
  }
}
