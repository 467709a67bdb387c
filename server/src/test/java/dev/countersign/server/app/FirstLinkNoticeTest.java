package dev.countersign.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.commands.OperatorConsole;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FirstLinkNoticeTest {
  private static final String LINK = "http://localhost:8080/portal/setup#token";

  @TempDir private Path data;

  private String show(boolean terminal, Optional<String> link) {
    StringWriter out = new StringWriter();
    OperatorConsole console =
        new OperatorConsole() {
          @Override
          public boolean isInteractive() {
            return terminal;
          }

          @Override
          public InputStream input() {
            return InputStream.nullInputStream();
          }
        };
    new FirstLinkNotice(console, new PrintWriter(out, true), data).show(link);
    return out.toString();
  }

  @Test
  void show_atATerminal_printsTheLink() {
    assertThat(show(true, Optional.of(LINK))).contains("valid once, for an hour", "  " + LINK);
    assertThat(data).isEmptyDirectory();
  }

  @Test
  void show_withoutATerminal_writesAFileOfTheServicesUser() throws IOException {
    assertThat(show(false, Optional.of(LINK))).isEmpty();

    Path file = data.resolve("first-administrator-link");
    assertThat(file).hasContent(LINK);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void show_again_replacesTheFile() throws IOException {
    Path file = data.resolve(FirstLinkNotice.FILE);
    Files.writeString(file, "of an earlier start");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));

    show(false, Optional.of(LINK));

    assertThat(file).hasContent(LINK);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
  }

  @Test
  void show_noLinkIsNeeded_removesTheFile() {
    show(false, Optional.of(LINK));

    assertThat(show(false, Optional.empty())).isEmpty();
    assertThat(data).isEmptyDirectory();
  }
}
