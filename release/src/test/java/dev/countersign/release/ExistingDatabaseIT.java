package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.countersign.release.Markdown.Block;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Follows {@code docs/existing-database.md} in a release, from a new database to a partner's first
 * signed page.
 */
@Tag("full")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ExistingDatabaseIT {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
  private static final Pattern PATH = Pattern.compile("(?m)^ +- path: (\\S+)$");
  private static final String BACKGROUND = "runs in the background";

  /** The schemas that the service's user owns, or in which it owns a relation. */
  private static final String OWNED =
      """
      SELECT n.nspname FROM pg_namespace n WHERE n.nspowner = 'countersign'::regrole
      UNION SELECT n.nspname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE c.relowner = 'countersign'::regrole AND n.nspname <> 'pg_toast'
      """;

  private static final String TABLE_PRIVILEGES =
      """
      SELECT table_name || ' ' || privilege_type FROM information_schema.table_privileges
      WHERE grantee = 'countersign' AND table_schema <> 'countersign' ORDER BY 1
      """;

  private static final String ROLE =
      """
      SELECT concat_ws(' ', rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
          has_database_privilege(oid, 'bank', 'CREATE'),
          (SELECT count(*) FROM pg_auth_members m WHERE m.member = r.oid))
      FROM pg_roles r WHERE rolname = 'countersign'
      """;

  @TempDir private Path folder;
  private Path release;
  private ShellSession session;
  private @Nullable EmbeddedPostgres server;

  @BeforeEach
  void unpack() throws IOException {
    Command.require("openssl", "curl");
    release = Release.copyTo(folder.resolve("countersign"));
    session = new ShellSession(release);
  }

  @AfterEach
  void stop() throws IOException {
    if (session != null) {
      session.close();
    }
    if (server != null) {
      server.close(); // after the service, which would wait for it
    }
  }

  @Test
  void postgresql_fromCreatedbToTheFirstPage_withTheLeastPrivileges() throws Exception {
    Command.require("psql", "createdb");
    server = startServer();
    session
        .replacing("localhost:5432", "localhost:" + server.getPort())
        .exporting("PGHOST", "localhost")
        .exporting("PGPORT", "" + server.getPort())
        .exporting("PGUSER", "postgres");
    List<JsonNode> answers = follow("## PostgreSQL");
    assertThat(answers).hasSize(3);
    requireFirstPage(answers.get(0));
    assertThat(answers.get(1).get("totalElements").asInt()).isEqualTo(4);
    assertThat(answers.get(1).get("content").get(0).get("balance").decimalValue())
        .isEqualByComparingTo("-1521.50");
    assertThat(answers.get(2).get("explanation").asString()).isEqualTo("Charged twice.");
    requireLeastPrivileges(server.getJdbcUrl("postgres", "bank"));
    serveAllTablesOfTheSchema();
    requireFirstPages();
  }

  private void serveAllTablesOfTheSchema() throws IOException, InterruptedException {
    session.run("psql -q -d bank -c 'GRANT SELECT ON ALL TABLES IN SCHEMA ledger TO countersign'");
    session.run(
        """
        sed '/^countersign:/,$d' countersign.yaml >all.yaml
        ./countersign listings suggest >>all.yaml
        mv all.yaml countersign.yaml
        """);
    session.serve("./countersign serve");
  }

  /** Reads a page of each suggested listing. */
  private void requireFirstPages() throws IOException, InterruptedException {
    String yaml = Files.readString(release.resolve("countersign.yaml"));
    List<String> paths = PATH.matcher(yaml).results().map(path -> path.group(1)).toList();
    assertThat(paths).as(yaml).hasSizeGreaterThan(10);
    for (String path : paths) {
      String list = "LISTING=" + path + " docs/examples/openssl-curl.sh list size=2";
      JsonNode page = JSON.readTree(session.run(list).out());
      assertThat(page.get("numberOfElements").asInt()).as(path).isEqualTo(2);
    }
  }

  @Test
  void sqlite_fromTheTablesToTheFirstPage_leavesTheRowsUnchanged() throws Exception {
    Command.require("sqlite3");
    List<JsonNode> answers = follow("## SQLite");
    assertThat(answers).hasSize(1);
    requireFirstPage(answers.get(0));
    requireFirstPages();
    session.close();
    String without = folder.resolve("without.db").toString();
    session.run("sqlite3 -bail '" + without + "' <docs/examples/ledger-sqlite.sql");
    assertThat(dump("data/countersign.db")).containsAll(dump(without)).contains("COMMIT;");
    assertThat(dump(without)).filteredOn(line -> line.startsWith("CREATE TABLE")).hasSize(15);
  }

  private List<String> dump(String file) throws IOException, InterruptedException {
    return session.run("sqlite3 -bail '" + file + "' .dump").out().lines().toList();
  }

  private static void requireFirstPage(JsonNode page) {
    assertThat(page.get("totalElements").asInt()).isEqualTo(7);
    assertThat(page.get("content").size()).isEqualTo(3);
    JsonNode newest = page.get("content").get(0);
    assertThat(newest.get("endToEndId").asString()).isEqualTo("E2E-0007");
    assertThat(newest.get("createdAt").asString()).isEqualTo("2026-02-14T23:59:59.999Z");
    assertThat(page.get("content").get(2).get("amount").decimalValue())
        .isEqualTo("9000000000000.01");
  }

  /** Runs the blocks under a heading in their order, and returns the JSON that they print. */
  private List<JsonNode> follow(String heading) throws Exception {
    List<JsonNode> answers = new ArrayList<>();
    Path document = release.resolve("docs/existing-database.md");
    for (Block block : Markdown.read(document).section(heading).blocks()) {
      if (block.language().equals("yaml")) {
        Files.writeString(release.resolve("countersign.yaml"), session.inPlace(block.text()));
      } else if (block.note().startsWith(BACKGROUND)) {
        session.serve(block.text());
      } else {
        assertThat(block).extracting(Block::language, Block::note).containsExactly("sh", "");
        String out = session.run(block.text()).out();
        if (out.startsWith("{")) {
          JSON.readerFor(JsonNode.class).<JsonNode>readValues(out).forEachRemaining(answers::add);
        }
      }
    }
    return answers;
  }

  /** Starts a server that asks every user for a password, except the administrator. */
  private EmbeddedPostgres startServer() throws IOException {
    Path rules = folder.resolve("pg_hba.conf");
    Files.writeString(
        rules,
        """
        host all postgres samehost trust
        host all all samehost scram-sha-256
        """);
    try {
      return EmbeddedPostgres.builder()
          .setServerConfig("hba_file", rules.toString())
          .setPGStartupWait(Duration.ofMinutes(3))
          .start();
    } catch (IOException | RuntimeException e) {
      if (System.getenv("CI") != null) {
        throw e;
      }
      return abort("PostgreSQL cannot start here: " + e);
    }
  }

  private static void requireLeastPrivileges(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      assertThat(rows(statement, OWNED)).containsExactly("countersign");
      assertThat(rows(statement, TABLE_PRIVILEGES))
          .containsExactly(
              "account_balances SELECT", "disputes INSERT", "disputes SELECT", "payments SELECT");
      assertThat(rows(statement, ROLE)).containsExactly("f f f f f f 0");
    }
  }

  private static List<String> rows(Statement statement, String query) throws SQLException {
    List<String> rows = new ArrayList<>();
    try (ResultSet result = statement.executeQuery(query)) {
      while (result.next()) {
        rows.add(result.getString(1));
      }
    }
    return rows;
  }
}
