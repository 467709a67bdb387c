package dev.countersign.server.store;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The location of the data: a SQLite file, or PostgreSQL if there is a JDBC URL.
 *
 * @param data the data directory, which holds the SQLite file and the locks
 * @param url a URL that begins with {@code jdbc:postgresql:}; null for SQLite
 * @param user the PostgreSQL user; null if the URL names it
 * @param password the user's password; null if none is needed
 * @param schema the PostgreSQL schema of the service's own tables
 * @param connections how many connections there are
 */
public record StoreSettings(
    Path data,
    @Nullable String url,
    @Nullable String user,
    @Nullable String password,
    String schema,
    Connections connections) {

  /** The default schema of the service's own tables. */
  public static final String SCHEMA = "countersign";

  /** Creates settings with the default numbers of connections. */
  public StoreSettings(
      Path data,
      @Nullable String url,
      @Nullable String user,
      @Nullable String password,
      String schema) {
    this(data, url, user, password, schema, Connections.DEFAULT);
  }

  /**
   * The settings under {@code countersign.connections}: how many connections to PostgreSQL a node
   * opens at most. SQLite uses only {@code client-share}.
   *
   * @param partners for the requests of clients, 2 to 1000
   * @param operators for the portal and the records of requests, 2 to 1000
   * @param control for the registry and the heartbeat, 1 to 10
   * @param clientShare the part of those for clients that one client may use at the same time, in
   *     percent, 1 to 100; at least one connection
   */
  public record Connections(
      @DefaultValue("16") int partners,
      @DefaultValue("6") int operators,
      @DefaultValue("2") int control,
      @DefaultValue("50") int clientShare) {
    /** The defaults. */
    public static final Connections DEFAULT = new Connections(16, 6, 2, 50);

    public Connections {
      check("partners", partners, 2, 1000);
      check("operators", operators, 2, 1000);
      check("control", control, 1, 10);
      check("client-share", clientShare, 1, 100);
    }

    private static void check(String name, int value, int least, int most) {
      if (value < least || value > most) {
        throw new IllegalArgumentException(
            "connections." + name + " must be " + least + " to " + most + ", was " + value);
      }
    }
  }

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
    return url == null ? "SQLite in " + data : "PostgreSQL at " + PostgresqlPools.shown(url);
  }
}
