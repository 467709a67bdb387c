package dev.countersign.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.cli.terminal.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnswerFileTest {
  private static final byte[] ANSWER = "answer".getBytes(UTF_8);

  @TempDir private Path folder;

  @Test
  void answer_thatCannotBeMovedIntoPlace_isWrittenThere() throws IOException {
    Path file = Files.writeString(folder.resolve("a.json"), "before");

    try (AnswerFile answer = AnswerFile.open(file)) {
      Files.delete(part());
      answer.write(ANSWER);
    }

    assertThat(file).hasContent("answer");
  }

  @Test
  void answer_thatCannotBeWrittenInPlaceEither_staysInTheFileThatTheFailureNames()
      throws IOException {
    Path file = folder.resolve("a.json");

    try (AnswerFile answer = AnswerFile.open(file)) {
      Files.createDirectories(file.resolve("in-the-way"));
      assertThatThrownBy(() -> answer.write(ANSWER))
          .isInstanceOf(CliException.class)
          .hasMessageStartingWith(file + " cannot be written: ")
          .hasMessageEndingWith("; the response is in " + part());
    }

    assertThat(part()).hasContent("answer");
  }

  @Test
  void file_besideWhichNothingCanBeMade_isWrittenInPlaceAtTheEnd() throws IOException {
    // With the suffix of the other file, the name is too long.
    Path file = Files.writeString(folder.resolve("a".repeat(250)), "before");

    try (AnswerFile answer = AnswerFile.open(file)) {
      assertThat(file).hasContent("before");
      answer.write(ANSWER);
    }

    assertThat(file).hasContent("answer");
    assertThat(names()).hasSize(1);
  }

  @Test
  void link_toNothingYet_staysALink() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("target"));
    Path further = Files.createSymbolicLink(folder.resolve("further"), link);

    try (AnswerFile answer = AnswerFile.open(further)) {
      answer.write(ANSWER);
    }

    assertThat(further).isSymbolicLink();
    assertThat(link).isSymbolicLink();
    assertThat(folder.resolve("target")).hasContent("answer");
  }

  @Test
  void link_toItself_isRefused() throws IOException {
    Path link = Files.createSymbolicLink(folder.resolve("link"), Path.of("link"));

    assertThatThrownBy(() -> AnswerFile.open(link)).isInstanceOf(CliException.class);
  }

  private Path part() throws IOException {
    return names().stream()
        .filter(path -> path.toString().endsWith(".part"))
        .findFirst()
        .orElseThrow();
  }

  private List<Path> names() throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.toList();
    }
  }
}
