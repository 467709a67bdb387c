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

/** SQLite files that were migrated once, because a copy is faster than the migrations. */
public final class MigratedFiles {
  private static final AtomicBoolean LATER = new AtomicBoolean();

  private static Path migrated;
  private static Path later;

  private MigratedFiles() {}

  /** Copies the files to a data directory, unless there is something in it. */
  public static synchronized void copyTo(Path data) {
    try {
      if (isInUse(data)) {
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
   * From now on, new databases of tests have the schema of a later build of the same minor version,
   * until the result is closed. A process runs one test at a time.
   */
  static Later onLaterSchema() {
    LATER.set(true);
    return () -> LATER.set(false);
  }

  /** The time in which new databases have a later schema. */
  interface Later extends AutoCloseable {
    @Override
    void close();
  }

  /** Returns whether new databases have the schema of a later build. */
  static boolean isOnLaterSchema() {
    return LATER.get();
  }

  /**
   * Expands the schema in a database of this build, as a later build would.
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
    if (!isOnLaterSchema()) {
      migrated = migrated == null ? migrate() : migrated;
      return migrated;
    }
    if (later == null) {
      later = migrate();
      for (String name : List.of("countersign.db", "requests.db")) {
        String folder = name.equals("requests.db") ? "sqlite-requests" : "sqlite";
        expand("jdbc:sqlite:" + later.resolve(name), null, folder);
      }
    }
    return later;
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
