package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.Manual;
import dev.countersign.server.app.Application;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** The manual pages and completion scripts of a release. */
class ManPagesIT {
  private static final Path MAN = Release.directory().resolve("share/man/man1");

  @Test
  void everyCommand_ofBothSides_hasAPage() throws IOException {
    Set<String> commands = new TreeSet<>();
    addNames(Manual.commands(), commands);
    addNames(Application.commandLine(), commands);
    assertThat(pages().map(page -> page.getFileName().toString())).hasSameElementsAs(commands);
    assertThat(commands).contains("countersign.1", "countersign-serve.1", "countersign-call.1");
  }

  private static void addNames(CommandLine command, Set<String> names) {
    names.add(command.getCommandSpec().qualifiedName("-") + ".1");
    command.getSubcommands().values().stream()
        .filter(below -> !below.getCommandSpec().usageMessage().hidden())
        .forEach(below -> addNames(below, names));
  }

  static Stream<Path> pages() throws IOException {
    try (Stream<Path> pages = Files.list(MAN)) {
      return pages.sorted().toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_isRenderedWithoutWarnings(Path page) throws Exception {
    Command.skipWithout("groff");
    Command.Outcome rendered =
        Command.in(MAN, "groff", "-man", "-ww", "-Tutf8", "-P-cbou", page.toString())
            .run()
            .succeeded();
    assertThat(rendered.err()).isEmpty();
    String command = page.getFileName().toString().replace(".1", "");
    assertThat(rendered.out()).contains("NAME", command, "SYNOPSIS", "--help", "EXIT STATUS");
  }

  @Test
  void page_ofTheProgram_leadsToBothSides() throws IOException {
    assertThat(MAN.resolve("countersign.1"))
        .content()
        .contains("countersign keys", "countersign clients", "countersign\\-keys");
  }

  @Test
  void completions_areReadByTheirShells() throws Exception {
    Path scripts = Release.directory().resolve("share/completions");
    for (String shell : List.of("bash", "zsh", "fish")) {
      assertThat(scripts.resolve("countersign." + shell)).content().contains("countersign");
    }
    Command.require("bash");
    String registered = ". ./countersign.bash && complete -p countersign";
    Command.in(scripts, "bash", "-ec", registered).run().succeeded();
  }
}
