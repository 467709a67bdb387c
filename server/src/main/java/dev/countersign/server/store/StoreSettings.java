package dev.countersign.server.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Where the data is kept: in one SQLite file, or in PostgreSQL once a JDBC URL is given.
 *
 * @param data the data directory, which holds the SQLite file and the locks
 * @param url a URL that begins with {@code jdbc:postgresql:}; null for SQLite
 * @param user the PostgreSQL user; null where the URL names it
 * @param password the user's password; null where none is needed
 */
public record StoreSettings(
    Path data, @Nullable String url, @Nullable String user, @Nullable String password) {

  /** SQLite in the given directory. */
  public static StoreSettings embedded(Path data) {
    return new StoreSettings(data, null, null, null);
  }

  /** The settings without the password, and without the URL's parameters, which may hold one. */
  @Override
  public String toString() {
    return url == null ? "SQLite in " + data : "PostgreSQL at " + PostgresqlPool.shown(url);
  }
}
