package dev.countersign.server.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/** SQLite files that were migrated once, because a copy is faster than the migrations. */
public final class MigratedFiles {
  private static Path migrated;

  private MigratedFiles() {}

  /** Copies the files to a data directory, unless there is something in it. */
  public static synchronized void copyTo(Path data) {
    try {
      if (isInUse(data)) {
        return;
      }
      if (migrated == null) {
        migrated = migrate();
      }
      DataDirectory.prepare(data);
      try (Stream<Path> files = Files.list(migrated)) {
        for (Path file : files.toList()) {
          Files.copy(file, data.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isInUse(Path data) throws IOException {
    if (Files.notExists(data)) {
      return false;
    }
    try (Stream<Path> files = Files.list(data)) {
      return files.findAny().isPresent();
    }
  }

  private static Path migrate() throws IOException {
    Path directory = Files.createTempDirectory("countersign-migrated-");
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> FileSystemUtils.deleteRecursively(directory.toFile())));
    try (Database main = Database.open(StoreSettings.embedded(directory));
        Database requests = main.openBeside("requests")) {
      requests.dialect();
    }
    return directory;
  }
}
