package dev.countersign.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.junit.jupiter.api.Test;

class ShellWordTest {
  private static final List<String> WORDS =
      List.of("a", "it's", "a  b", "\u001b[31m1'\\\n", "\u202eé$(id)", "=ls", "");

  @Test
  void printableLine_hasOnlyVisibleCharacters() {
    assertThat(ShellWord.printableLine(List.of("a", "b c", "\u001b1'", "\u202e\\")))
        .isEqualTo("a 'b c' $'\\0331\\'' $'\\342\\200\\256\\\\'");
  }

  /** zsh replaces {@code =ls} with the path of {@code ls}. */
  @Test
  void word_thatBeginsWithAnEqualsSign_isQuoted() {
    List<String> words = List.of("a=b", "=ls", "=");

    assertThat(ShellWord.line(words)).isEqualTo("a=b '=ls' '='");
    assertThat(ShellWord.printableLine(words)).isEqualTo("a=b '=ls' '='");
  }

  @Test
  void lines_areReadBackByAShell() throws IOException, InterruptedException {
    assertThat(readBack("sh", ShellWord.line(WORDS))).isEqualTo(String.join("|", WORDS) + "|");
    assertThat(readBack("bash", ShellWord.printableLine(WORDS)))
        .isEqualTo(String.join("|", WORDS) + "|");
  }

  private static String readBack(String shell, String words)
      throws IOException, InterruptedException {
    try {
      Process process =
          new ProcessBuilder(shell).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      // The shell gets the words as UTF-8 bytes of a script. Java would encode an argument in the
      // charset of this machine's locale.
      try (OutputStream script = process.getOutputStream()) {
        script.write(("printf '%s|' " + words + "\n").getBytes(UTF_8));
      }
      String read = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(Waits.forExit(process)).isZero();
      return read;
    } catch (IOException missing) {
      assumeTrue(false, shell + " is not installed");
      return "";
    }
  }
}
