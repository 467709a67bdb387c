package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema of the service's own tables, in databases that have others. */
class PostgresqlSchemaTest {
  private static final String SCHEMA_OF_CLIENTS =
      "SELECT schemaname FROM pg_tables WHERE tablename = 'client_revision' ORDER BY 1";

  @TempDir private Path directory;

  @BeforeEach
  void beginEmpty() {
    TestStore.POSTGRESQL.empty(directory);
  }

  /** A role or a database may limit every statement, but a migration takes as long as it takes. */
  @Test
  void migrations_haveNoLimitOfTheDatabase() throws Exception {
    TestStore.POSTGRESQL.run(
        directory,
        "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET statement_timeout = ''1h''',"
            + " current_database()); END $$",
        "CREATE TABLE public.limits (made text, statement text)",
        "CREATE FUNCTION public.note_limits() RETURNS event_trigger LANGUAGE plpgsql AS $$"
            + " BEGIN INSERT INTO public.limits SELECT object_identity,"
            + " current_setting('statement_timeout') FROM pg_event_trigger_ddl_commands(); END $$",
        "CREATE EVENT TRIGGER note_limits ON ddl_command_end WHEN TAG IN ('CREATE TABLE')"
            + " EXECUTE FUNCTION public.note_limits()");

    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      assertThat(
              texts(
                  database,
                  "SELECT DISTINCT statement FROM public.limits"
                      + " WHERE made NOT LIKE '%flyway_schema_history'"))
          .containsExactly("0");
      // The limit still holds for everything else.
      assertThat(
              texts(database, "SELECT reset_val FROM pg_settings WHERE name = 'statement_timeout'"))
          .containsExactly("3600000");
    }
  }

  private static List<String> texts(Database database, String query) {
    return database.read(sql -> sql.sql(query).query(String.class).list());
  }

  @Test
  void open_databaseWithTablesInPublic_createsItsOwnSchemaAndLeavesTheRest() throws SQLException {
    run("CREATE TABLE clients (id int); CREATE TABLE flyway_schema_history (n int)");
    List<String> before =
        rows("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace");

    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      assertThat(rows(SCHEMA_OF_CLIENTS)).containsExactly("countersign");
      assertThat(
              database.<Long>read(
                  sql -> sql.sql("SELECT value FROM client_revision").query(Long.class).single()))
          .isZero();
    }
    assertThat(rows("SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"))
        .isEqualTo(before);
    TestStore.POSTGRESQL.open(directory).close();
    assertThat(rows(SCHEMA_OF_CLIENTS)).containsExactly("countersign");
  }

  @ParameterizedTest
  @CsvSource({"V1__clients.sql, -514315357", "V1__countersign.sql, 631910542"})
  void open_schemaOfAnUnreleasedBuild_isRefusedAndUnchanged(String script, int checksum)
      throws SQLException {
    TestStore.POSTGRESQL.open(directory).close();
    run(
        "UPDATE countersign.flyway_schema_history"
            + " SET script = '"
            + script
            + "', checksum = "
            + checksum
            + " WHERE version = '1'");
    String history = "SELECT flyway_schema_history::text FROM countersign.flyway_schema_history";
    List<String> before = rows(history);

    assertThatThrownBy(() -> TestStore.POSTGRESQL.open(directory))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the schema countersign was made by an unreleased build; start with an empty database");
    assertThat(rows(history)).isEqualTo(before);
  }

  /** A pooler in transaction mode gives each transaction a session that others have used. */
  @ParameterizedTest
  @ValueSource(strings = {"public", "", "pg_catalog, nowhere"})
  void transactions_inASessionThatAnotherProgramChanged_seeTheRightTables(String path)
      throws SQLException {
    run("CREATE TABLE public.client_revision (value text); CREATE TABLE public.entries (n int)");
    String revision = "SELECT value FROM client_revision";
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      List<Runnable> transactions =
          List.of(
              () ->
                  assertThat(
                          database.<Long>read(sql -> sql.sql(revision).query(Long.class).single()))
                      .isZero(),
              () ->
                  assertThat(
                          database.<Integer>write(
                              sql -> sql.sql("UPDATE client_revision SET value = value").update()))
                      .isOne(),
              () ->
                  assertThat(
                          database.<Long>readTables(
                              sql ->
                                  sql.sql("SELECT count(*) FROM entries")
                                      .query(Long.class)
                                      .single()))
                      .isZero());
      for (Runnable transaction : transactions) {
        // The pool gives the thread the connection that it has just given back.
        database.write(
            sql ->
                sql.sql("SELECT set_config('search_path', ?, false)")
                    .param(path)
                    .query(String.class)
                    .single());
        transaction.run();
        assertThat(
                database.<String>write(
                    sql -> {
                      sql.sql("ROLLBACK").update();
                      return sql.sql("SHOW search_path").query(String.class).single();
                    }))
            .as("the session's own search path, which a transaction must not change")
            .isEqualTo(path);
      }
    }
  }

  @Test
  void read_afterARollbackOnEveryConnection_stillFindsTheTables() throws Exception {
    int connections = StoreSettings.Connections.DEFAULT.operators();
    // Each transaction waits for all others, within its limit.
    try (Database database = TestStore.POSTGRESQL.open(directory, Waits.LIMIT.multipliedBy(2));
        TestThreads threads = TestThreads.of(connections)) {
      CyclicBarrier held = new CyclicBarrier(connections);
      List<Future<Long>> revisions = new ArrayList<>();
      for (int i = 0; i < connections; i++) {
        revisions.add(threads.submit(() -> revisionAfterARollback(database, held)));
      }
      for (Future<Long> revision : revisions) {
        assertThat(Waits.forResult(revision)).isZero();
      }
    }
  }

  /** Holds a connection until all others are held too, and rolls its first transaction back. */
  private static Long revisionAfterARollback(Database database, CyclicBarrier held) {
    Throwable end;
    do {
      end =
          catchThrowable(
              () ->
                  database.write(
                      sql -> {
                        try {
                          Waits.forBarrier(held);
                        } catch (Exception e) {
                          throw new IllegalStateException(e);
                        }
                        throw new IllegalStateException("undone");
                      }));
      // On a slow machine, a connection may be made too late.
    } while (end instanceof StoreUnavailableException);
    assertThat(end).hasMessage("undone");
    return database.<Long>read(
        sql -> sql.sql("SELECT value FROM client_revision").query(Long.class).single());
  }

  @Test
  void open_anotherSchemaByName_usesThatOne() throws SQLException {
    StoreSettings settings = settings("postgres", "partners");
    Database.open(settings).close();
    assertThat(rows(SCHEMA_OF_CLIENTS)).containsExactly("partners");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Partners", "a b", "x'; DROP SCHEMA public; --", "1st", "pg_own"})
  void open_schemaThatIsNoPlainName_isRefused(String schema) {
    assertThatThrownBy(() -> Database.open(settings("postgres", schema)))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("countersign.schema must be a lower-case letter or _, followed by")
        .hasMessageEndingWith("was " + schema);
  }

  @ParameterizedTest
  @ValueSource(strings = {"user", "order"})
  void open_schemaNamedLikeAKeyword_isUsed(String schema) throws SQLException {
    Database.open(settings("postgres", schema)).close();
    assertThat(rows(SCHEMA_OF_CLIENTS)).containsExactly(schema);
  }

  @ParameterizedTest
  @ValueSource(strings = {"countersign", "public"})
  void open_byManyNodesAtOnce_createsTheTablesOnce(String schema) throws Exception {
    run("CREATE TABLE public.theirs (n int)");
    CyclicBarrier together = new CyclicBarrier(8);
    try (TestThreads nodes = TestThreads.of(8)) {
      List<Future<?>> starts = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        starts.add(
            nodes.submit(
                () -> {
                  Waits.forBarrier(together);
                  Database.open(settings("postgres", schema)).close();
                  return null;
                }));
      }
      for (Future<?> start : starts) {
        Waits.forResult(start);
      }
    }
    assertThat(rows(SCHEMA_OF_CLIENTS)).containsExactly(schema);
  }

  @Test
  void open_tablesPlantedByAnotherUser_areNotTakenOver() throws SQLException {
    String user = role("victim");
    run(
        "CREATE TABLE public.clients (n int); CREATE TABLE public.client_keys (n int);"
            + " CREATE TABLE public.client_revision (n int);"
            + " CREATE TABLE public.flyway_schema_history (n int);"
            + " CREATE SCHEMA countersign AUTHORIZATION "
            + user);

    Database.open(settings(user, "countersign")).close();
    assertThat(rows(SCHEMA_OF_CLIENTS)).containsExactly("countersign", "public");

    run("GRANT CREATE, USAGE ON SCHEMA public TO " + user);
    assertThatThrownBy(() -> Database.open(settings(user, "public")))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("the table public.client_keys belongs to another user: run ALTER");
  }

  @Test
  void open_userWhoMayNotCreateSchemas_namesTheStatementThatHelps() throws SQLException {
    String user = role("plain");

    assertThatThrownBy(() -> Database.open(settings(user, "countersign")))
        .isInstanceOf(StoreException.class)
        .hasMessageStartingWith("the schema countersign does not exist, and it cannot be created")
        .hasMessageEndingWith("run CREATE SCHEMA \"countersign\" AUTHORIZATION " + user)
        .hasMessageNotContaining("\n");
    run("CREATE SCHEMA countersign AUTHORIZATION " + user);
    Database.open(settings(user, "countersign")).close();
    assertThat(rows(SCHEMA_OF_CLIENTS)).containsExactly("countersign");
  }

  @Test
  void open_schemaOfAnotherUser_namesTheStatementThatHelps() throws SQLException {
    String user = role("guest");
    run("CREATE SCHEMA countersign");

    assertThatThrownBy(() -> Database.open(settings(user, "countersign")))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the schema countersign belongs to another user: run ALTER SCHEMA \"countersign\" OWNER TO "
                + user);
  }

  /** Its owner could drop the tables that somebody else has in it. */
  @Test
  void open_schemaWithTablesOfAnotherUser_asksForNoMoreThanTwoRights() throws SQLException {
    String user = role("lodger");
    run("CREATE SCHEMA countersign; CREATE TABLE countersign.entries (id int)");

    assertThatThrownBy(() -> Database.open(settings(user, "countersign")))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "the schema countersign belongs to another user: run GRANT USAGE, CREATE ON SCHEMA"
                + " \"countersign\" TO "
                + user
                + ", or choose another countersign.schema");
  }

  /** An operator that fits better than PostgreSQL's own would run with the service's rights. */
  @Test
  void open_operatorsPlantedByAnotherUser_areNotUsed() throws SQLException {
    String user = role("victim");
    run(
        "CREATE SCHEMA countersign AUTHORIZATION "
            + user
            + "; CREATE FUNCTION public.planted(name, varchar) RETURNS bool LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE 'planted'; END $$; CREATE OPERATOR public.= (LEFTARG = name,"
            + " RIGHTARG = varchar, FUNCTION = public.planted)");
    try (Database database = Database.open(settings(user, "countersign"))) {
      assertThat(
              database.<Long>read(
                  sql -> sql.sql("SELECT value FROM client_revision").query(Long.class).single()))
          .isZero();
    }
  }

  /** Preparing each statement anew would cost a round trip for each. */
  @Test
  void transactions_inTurn_keepTheirPreparedStatements() {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      Runnable inTurn =
          () -> {
            for (int i = 0; i < 8; i++) {
              database.read(
                  sql -> sql.sql("SELECT value FROM client_revision").query(Long.class).single());
              database.write(
                  sql ->
                      database
                          .dialect()
                          .onTables(
                              sql,
                              Database.CallerSettings.NONE,
                              () -> sql.sql("SELECT 1 + 1").query(Long.class).single()));
            }
          };
      inTurn.run();
      List<String> before = prepared(database);
      inTurn.run();
      assertThat(before).hasSizeGreaterThanOrEqualTo(2);
      assertThat(prepared(database)).containsAll(before);
    }
  }

  private static List<String> prepared(Database database) {
    return database.read(
        sql ->
            sql.sql("SELECT name || ' ' || statement FROM pg_prepared_statements ORDER BY 1")
                .query(String.class)
                .list());
  }

  private StoreSettings settings(String user, String schema) {
    StoreSettings base = TestStore.POSTGRESQL.settings(directory);
    return new StoreSettings(directory, base.url(), user, null, schema);
  }

  /** A role without rights; roles belong to the server, so each test has its own. */
  private String role(String prefix) throws SQLException {
    String name = prefix + Integer.toHexString(directory.hashCode());
    run("CREATE ROLE " + name + " LOGIN");
    return name;
  }

  private void run(String sql) throws SQLException {
    runAs("postgres", sql);
  }

  private void runAs(String user, String sql) throws SQLException {
    String url = String.valueOf(TestStore.POSTGRESQL.settings(directory).url());
    try (Connection connection = DriverManager.getConnection(url, user, null);
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private List<String> rows(String sql) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (Connection connection = connection();
        Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return rows;
  }

  private Connection connection() throws SQLException {
    String url = String.valueOf(TestStore.POSTGRESQL.settings(directory).url());
    return DriverManager.getConnection(url, "postgres", null);
  }
}
