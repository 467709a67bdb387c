package dev.countersign.release.faults;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/** A PostgreSQL server on an address of the loopback network, with its usual port. */
final class Postgres extends Program {
  private static final int PORT = 5432;
  private static final Pattern SUDO_PSQL = Pattern.compile("sudo .*-u postgres psql");
  private static final String INITDB =
      """
      initdb --pgdata='%s' --username=postgres --encoding=UTF8 --locale=C --auth=scram-sha-256 \
        --pwfile=/dev/fd/3 3<<END
      $PGPASSWORD
      END
      """;
  // The administrator's: psql by the socket, and the comparison of the results.
  private static final String RULES =
      "local all postgres trust\nhost all postgres samehost scram-sha-256\n";

  private final Programs programs;
  private final Path data;
  private final Path sockets;
  private final String host;

  /**
   * Prepares a server.
   *
   * @param folder a folder of PostgreSQL's user, which nobody else can enter
   */
  Postgres(Programs programs, Path folder, String name, String host) {
    super(programs, name);
    this.programs = programs;
    this.data = folder.resolve(name);
    this.sockets = folder.resolve(name + "-sockets");
    this.host = host;
  }

  String host() {
    return host;
  }

  Path data() {
    return data;
  }

  InetSocketAddress address() {
    return new InetSocketAddress(host, PORT);
  }

  /** Runs a block of the guide on this server's machine. */
  String run(String block) throws IOException, InterruptedException {
    return programs.shellOfDatabase(
        SUDO_PSQL.matcher(block).replaceAll("psql -h '" + sockets + "' -U postgres"));
  }

  /** Makes an empty server, whose administrator has the password in {@code PGPASSWORD}. */
  void create() throws IOException, InterruptedException {
    programs.shellOfDatabase(String.format(Locale.ROOT, INITDB, data));
  }

  /**
   * Sets what differs between servers.
   *
   * @param settings the guide's additions to {@code postgresql.conf} of the first server
   * @param rules its additions to {@code pg_hba.conf}
   */
  void configure(String settings, String rules) throws IOException {
    Files.writeString(data.resolve("pg_hba.conf"), RULES + rules);
    Files.writeString(
        data.resolve("postgresql.conf"),
        Guide.replace(
            Guide.replace(settings, "'*'", "'" + host + "'"), "'db1'", "'" + name() + "'"),
        StandardOpenOption.APPEND);
  }

  /** Deletes the data of a server that has ended. */
  void empty() throws IOException, InterruptedException {
    if (isRunning()) {
      throw new IllegalStateException(name() + " still runs");
    }
    programs.shell("rm -rf '" + data + "'");
  }

  void start() throws IOException, InterruptedException {
    programs.shellOfDatabase("mkdir -p '" + sockets + "'");
    start(
        Map.of(),
        this::probe,
        Programs.ofDatabase(
            "postgres",
            "-D",
            data.toString(),
            "-p",
            String.valueOf(PORT),
            "-c",
            "unix_socket_directories=" + sockets));
  }

  /** Asks whether this server answers, and not one of somebody else at its address. */
  private boolean probe() {
    try {
      return query("SHOW data_directory").equals(data.toString());
    } catch (SQLException notYet) {
      return false;
    }
  }

  /** Runs a statement as administrator; returns the first value of its result, or an empty text. */
  String query(String sql) throws SQLException {
    try (Connection connection = connect("postgres");
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet row = statement.getResultSet()) {
        return row.next() ? String.valueOf(row.getString(1)) : "";
      }
    }
  }

  /** Opens a connection of the administrator, with limits. */
  Connection connect(String database) throws SQLException {
    return DriverManager.getConnection(
        "jdbc:postgresql://"
            + host
            + "/"
            + database
            + "?connectTimeout=5&loginTimeout=10&socketTimeout=60",
        "postgres",
        programs.variable("PGPASSWORD"));
  }
}
