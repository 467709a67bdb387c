package dev.countersign.server.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The location of the data: a SQLite file, or PostgreSQL if there is a JDBC URL.
 *
 * @param data the data directory, which holds the SQLite file and the locks
 * @param url a URL that begins with {@code jdbc:postgresql:}; null for SQLite
 * @param user the PostgreSQL user; null if the URL names it
 * @param password the user's password; null if none is needed
 * @param schema the PostgreSQL schema of the service's own tables
 */
public record StoreSettings(
    Path data,
    @Nullable String url,
    @Nullable String user,
    @Nullable String password,
    String schema) {

  /** The default schema of the service's own tables. */
  public static final String SCHEMA = "countersign";

  /** Returns the settings of SQLite in a directory. */
  public static StoreSettings embedded(Path data) {
    return new StoreSettings(data, null, null, null, SCHEMA);
  }

  /**
   * Describes the location without the password, and without the URL's parameters, because they may
   * contain a password.
   */
  @Override
  public String toString() {
    return url == null ? "SQLite in " + data : "PostgreSQL at " + PostgresqlPool.shown(url);
  }
}
