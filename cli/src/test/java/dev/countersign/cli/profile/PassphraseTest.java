package dev.countersign.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.cli.TestShell;
import dev.countersign.cli.TestTerminal;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PassphraseTest {
  @TempDir private Path home;

  private Environment environment(Terminal terminal) {
    return new TestShell(home)
        .with(terminal)
        .environment(new ByteArrayOutputStream(), new ByteArrayOutputStream());
  }

  @Test
  void passphrase_ofAFile_isItsFirstLine() throws IOException {
    Path file = Files.writeString(home.resolve("words"), "open sesame\nsecond\n");

    assertThat(new Passphrase(environment(Terminal.none()), Optional.of(file)).get())
        .containsExactly("open sesame".toCharArray());
  }

  @Test
  void passphrase_withoutFile_isAskedForAtTheTerminal() {
    assertThat(new Passphrase(environment(new TestTerminal("sesame")), Optional.empty()).get())
        .containsExactly("sesame".toCharArray());
  }

  @Test
  void passphrase_withNeither_namesTheOption() {
    Passphrase passphrase = new Passphrase(environment(Terminal.none()), Optional.empty());

    assertThatThrownBy(passphrase::get).hasMessageContaining("--passphrase-file FILE");
  }
}
