package dev.countersign.server.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** Copies SQLite files that were migrated once, because that is faster than migrating new files. */
public final class MigratedFiles {
  private static final AtomicBoolean USES_LATER_SCHEMA = new AtomicBoolean();

  private static Path currentTemplate;
  private static Path laterTemplate;

  private MigratedFiles() {}

  /** Copies the files to a data directory, unless the directory already contains files. */
  public static synchronized void copyTo(Path data) {
    try {
      if (hasFiles(data)) {
        return;
      }
      DataDirectory.prepare(data);
      try (Stream<Path> files = Files.list(template())) {
        for (Path file : files.toList()) {
          Files.copy(file, data.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Gives all new databases the schema of a later build of the same minor version, until the result
   * is closed. This is a switch for the whole process, which runs one test at a time.
   */
  static LaterSchema switchToLaterSchema() {
    USES_LATER_SCHEMA.set(true);
    return () -> USES_LATER_SCHEMA.set(false);
  }

  /** Switches back to the present schema when it is closed. */
  interface LaterSchema extends AutoCloseable {
    @Override
    void close();
  }

  /** Returns whether new databases get the schema of a later build. */
  static boolean usesLaterSchema() {
    return USES_LATER_SCHEMA.get();
  }

  /**
   * Expands the schema of a database that this build has migrated, as a later build would.
   *
   * @param user the user of PostgreSQL; null for SQLite
   * @param folder the folder with the service's own migrations
   */
  static void expand(String url, @Nullable String user, String folder) {
    Flyway.configure()
        .dataSource(url, user, null)
        .locations("classpath:db/migration/" + folder, "classpath:db/later/" + folder)
        .defaultSchema(user == null ? null : StoreSettings.SCHEMA)
        .createSchemas(false)
        .load()
        .migrate();
  }

  private static Path template() throws IOException {
    if (!usesLaterSchema()) {
      currentTemplate = currentTemplate == null ? migrate() : currentTemplate;
      return currentTemplate;
    }
    if (laterTemplate == null) {
      laterTemplate = migrate();
      for (String name : List.of("countersign.db", "requests.db")) {
        String folder = name.equals("requests.db") ? "sqlite-requests" : "sqlite";
        expand("jdbc:sqlite:" + laterTemplate.resolve(name), null, folder);
      }
    }
    return laterTemplate;
  }

  private static boolean hasFiles(Path data) throws IOException {
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
    // Opening a database migrates it.
    try (Database main = Database.open(StoreSettings.embedded(directory))) {
      main.openBeside("requests").close();
    }
    return directory;
  }
}
