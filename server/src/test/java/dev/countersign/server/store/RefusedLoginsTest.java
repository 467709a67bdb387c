package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.LogCapture;
import java.nio.file.Path;
import java.util.Locale;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** A PostgreSQL that answers, but does not log the service in. */
class RefusedLoginsTest {
  private static final TestStore STORE = TestStore.POSTGRESQL;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ALTER ROLE %s NOLOGIN | ALTER ROLE %1$s LOGIN"
            + " | role \"%s\" is not permitted to log in (28000)",
        "ALTER ROLE %s CONNECTION LIMIT 0 | ALTER ROLE %1$s CONNECTION LIMIT -1"
            + " | too many connections for role \"%s\" (53300)",
        "REVOKE CONNECT ON DATABASE %2$s FROM PUBLIC, %1$s | GRANT CONNECT ON DATABASE %2$s TO %1$s"
            + " | permission denied for database",
      })
  void refusal_isSaidInPostgresqlsWords(String close, String open, String words) throws Exception {
    String role = "refused" + Integer.toHexString(directory.hashCode());
    StoreSettings owner = STORE.empty(directory);
    String name = String.valueOf(owner.url()).replaceAll(".*/([^?]+).*", "$1");
    STORE.run(
        directory,
        "CREATE ROLE " + role + " LOGIN",
        "GRANT CREATE ON DATABASE " + name + " TO " + role);
    StoreSettings settings =
        new StoreSettings(directory, owner.url(), role, null, StoreSettings.SCHEMA);
    try (Database database = Database.open(settings);
        LogCapture log = LogCapture.of(Reachability.class)) {
      assertThat(one(database)).isOne();
      STORE.run(directory, String.format(Locale.ROOT, close, role, name));
      // An open connection works on.
      assertThat(one(database)).isOne();
      assertThat(database.refusal()).isEmpty();

      STORE.run(
          directory,
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '" + role + "'");
      String said = String.format(Locale.ROOT, words, role);
      Awaitility.await()
          .untilAsserted(
              () ->
                  assertThatThrownBy(() -> one(database))
                      .isInstanceOf(StoreUnavailableException.class)
                      .hasMessageStartingWith("PostgreSQL provides no connection: ")
                      .hasMessageContaining(said));
      assertThat(database.refusal()).get().asString().contains(said);
      assertThat(log.lines())
          .filteredOn(line -> line.startsWith("PostgreSQL refuses new connections: "))
          .singleElement()
          .asString()
          .contains(said);

      STORE.run(directory, String.format(Locale.ROOT, open, role, name));
      Awaitility.await()
          .ignoreException(StoreUnavailableException.class)
          .untilAsserted(() -> assertThat(one(database)).isOne());
      assertThat(database.refusal()).isEmpty();
      assertThat(log.lines()).contains("PostgreSQL accepts new connections again");
    } finally {
      STORE.run(directory, "DROP OWNED BY " + role, "DROP ROLE " + role);
    }
  }

  @Test
  void wrongPassword_isARefusal() {
    assertThat(PostgresqlDialect.loginRefusal(failure("28P01", "wrong password")))
        .hasValue("wrong password (28P01)");
    assertThat(PostgresqlDialect.loginRefusal(failure("3D000", "no database")))
        .hasValue("no database (3D000)");
  }

  @Test
  void serverThatStarts_doesNotRefuse() {
    assertThat(PostgresqlDialect.loginRefusal(failure("57P03", "is starting up"))).isEmpty();
  }

  private static PSQLException failure(String state, String message) {
    return new PSQLException(new ServerErrorMessage("SFATAL\0C" + state + "\0M" + message + "\0"));
  }

  private static int one(Database database) {
    return database.read(sql -> sql.sql("SELECT 1").query(Integer.class).single());
  }
}
