package dev.countersign.server.app;

import dev.countersign.server.commands.CommandException;
import dev.countersign.server.commands.OperatorConsole;
import dev.countersign.server.store.DataDirectory;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows the link that creates the first administrator to the person who starts the service. The
 * first person who opens the link becomes the administrator, so it is printed only to a terminal.
 * Other output may be collected for many readers, so the link is then written to a file that only
 * the service's user can read.
 */
final class FirstLinkNotice {
  /** The name of the file in the data directory. */
  static final String FILE = "first-administrator-link";

  private static final Logger LOG = LoggerFactory.getLogger(FirstLinkNotice.class);

  private final OperatorConsole console;
  private final PrintWriter out;
  private final Path file;

  FirstLinkNotice(OperatorConsole console, PrintWriter out, Path data) {
    this.console = console;
    this.out = out;
    this.file = data.toAbsolutePath().normalize().resolve(FILE);
  }

  /**
   * Prints the link of this start or writes it to the file. Removes the file of an earlier start.
   *
   * @param link the link; empty if none is needed
   * @throws CommandException if the file cannot be written or removed
   */
  void show(Optional<String> link) {
    try {
      Files.deleteIfExists(file);
      if (link.isPresent() && console.isInteractive()) {
        print(link.get(), out);
      } else if (link.isPresent()) {
        DataDirectory.createOwnFile(file);
        Files.writeString(file, link.get() + "\n");
        LOG.info(
            "nobody can sign in to the portal yet; the link that creates the first administrator,"
                + " once and within an hour, is in the file {}",
            file);
      }
    } catch (IOException e) {
      throw new CommandException("cannot write the file " + file + ": " + e.getMessage());
    }
  }

  /** Prints a link. It must never be logged. */
  static void print(String link, PrintWriter out) {
    out.println(
        "Nobody can sign in yet. This link creates the first administrator. It is valid once, for"
            + " an hour:");
    out.println("  " + link);
  }
}
