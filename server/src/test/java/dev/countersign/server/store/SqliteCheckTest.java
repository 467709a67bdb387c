package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.sqlite.Collation;
import org.sqlite.Function;

/** Healthy files of other programs, whatever is in their rows, and files that are damaged. */
@ExtendWith(OutputCaptureExtension.class)
class SqliteCheckTest {
  @TempDir Path temporary;
  private Path data;
  private Path file;

  @BeforeEach
  void chooseFile() throws IOException {
    data = Files.createDirectory(temporary.resolve("data"));
    file = data.resolve("countersign.db");
  }

  private void run(String... statements) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      registerForeign(connection);
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Registers what the operator's own program has, and Countersign does not know. */
  private static void registerForeign(Connection connection) throws SQLException {
    Collation.create(
        connection,
        "icu_root",
        new Collation() {
          @Override
          protected int xCompare(String one, String other) {
            return one.compareTo(other);
          }
        });
    for (String name : List.of("regexp", "slug")) {
      Function.create(
          connection,
          name,
          new Function() {
            @Override
            protected void xFunc() throws SQLException {
              result(1);
            }
          },
          -1,
          Function.FLAG_DETERMINISTIC);
    }
  }

  private Database open() {
    return Database.open(StoreSettings.embedded(data));
  }

  private List<String> warnings() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file)) {
      return SqliteCheck.run(connection, file);
    }
  }

  /** Changes the definition of a table without its rows, as an older program may have done. */
  private void redefine(String table, String definition) throws SQLException {
    run(
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = '" + definition + "' WHERE name = '" + table + "'");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a INT) | INSERT INTO t VALUES(1, -1)"
            + " | CREATE TABLE t(id INTEGER PRIMARY KEY, a INT CHECK(a>0))"
            + " | CHECK constraint failed in t",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a) | INSERT INTO t VALUES(1, NULL)"
            + " | CREATE TABLE t(id INTEGER PRIMARY KEY, a NOT NULL) | NULL value in t.a",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a) | INSERT INTO t VALUES(1, 'x')"
            + " | CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER) STRICT"
            + " | non-INTEGER value in t.a",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a) | INSERT INTO t VALUES(1, '12')"
            + " | CREATE TABLE t(id INTEGER PRIMARY KEY, a INTEGER) | TEXT value in t.a",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a) | INSERT INTO t VALUES(1, 12)"
            + " | CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT) | NUMERIC value in t.a",
      })
  void row_unlikeItsDefinition_isAWarning(
      String create, String insert, String definition, String message, CapturedOutput output)
      throws SQLException {
    run(create, insert);
    redefine("t", definition);

    try (Database database = open()) {
      assertThat(database.<Integer>read(sql -> count(sql, "t"))).isEqualTo(1);
    }
    assertThat(output)
        .contains(file + ": rows of the table t do not follow its definition and are served as")
        .contains("they are: " + message);
  }

  @Test
  void rows_ofManyTables_areOneWarningEach() throws SQLException {
    for (String table : List.of("t", "t.a", "order", "o'x")) {
      run(
          "CREATE TABLE \"" + table + "\"(id INTEGER PRIMARY KEY, a INT CHECK(a>0))",
          "PRAGMA ignore_check_constraints = ON",
          "INSERT INTO \"" + table + "\" VALUES(1, -1), (2, -2)");
    }
    assertThat(warnings())
        .hasSize(4)
        .allMatch(line -> line.endsWith(": CHECK constraint failed in " + tableOf(line)));
  }

  private static String tableOf(String warning) {
    return warning.replaceFirst(".* of the table (.*) do not follow.*", "$1");
  }

  /** The messages about rows fill the limit of the first check; the damage is behind them. */
  @Test
  void damage_behindManyViolatedConstraints_isFound() throws Exception {
    run(
        "PRAGMA ignore_check_constraints = ON",
        "CREATE TABLE a(id INTEGER PRIMARY KEY, a INT CHECK(a>0))",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<500)"
            + " INSERT INTO a SELECT i, -i FROM n",
        "CREATE TABLE z(id INTEGER PRIMARY KEY, body TEXT)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<900)"
            + " INSERT INTO z SELECT i, hex(randomblob(200)) FROM n");
    assertThat(warnings()).singleElement().asString().contains("CHECK constraint failed in a");

    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(bytes.length() * 3 / 4);
      bytes.write(new byte[20_000]);
    }
    assertDamaged();
  }

  @Test
  void rows_beyondTheSecondLimit_areSaidToBeUnchecked() throws SQLException {
    run(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<100001)"
            + " INSERT INTO t SELECT i, NULL FROM n");
    redefine("t", "CREATE TABLE t(id INTEGER PRIMARY KEY, a NOT NULL)");
    assertThat(warnings())
        .anyMatch(line -> line.contains("the check was cut off after 100000 unexpected values"));
  }

  @Test
  void row_ofTheServiceItself_isDamage() throws SQLException {
    open().close();
    run(
        "PRAGMA writable_schema = ON",
        "UPDATE sqlite_schema SET sql = rtrim(sql, ') ' || char(10)) || ', CHECK (value < 0))'"
            + " WHERE name = 'client_revision'");
    assertDamaged();
  }

  @Test
  void fullTextIndex_damaged_isNamedWithItsStatement(CapturedOutput output) throws SQLException {
    run(
        "CREATE VIRTUAL TABLE f USING fts5(body)",
        "INSERT INTO f VALUES('hello world')",
        "CREATE TABLE t(id INTEGER PRIMARY KEY)",
        "UPDATE f_data SET block = x'0001' WHERE id > 1000000");
    open().close();
    assertThat(output)
        .contains("the full-text index f is damaged; other tables are served: rebuild it with")
        .contains("INSERT INTO \"f\"(\"f\") VALUES ('rebuild')");

    run("INSERT INTO \"f\"(\"f\") VALUES ('rebuild')");
    assertThat(warnings()).isEmpty();
  }

  @Test
  void fullTextIndex_ofFts4_isNamedToo() throws SQLException {
    run(
        "CREATE VIRTUAL TABLE f USING fts4(body)",
        "INSERT INTO f VALUES('hello world')",
        "DELETE FROM f_segdir");
    assertThat(warnings()).singleElement().asString().contains("the full-text index f is damaged");
  }

  @Test
  void otherVirtualTable_damaged_isDamage() throws SQLException {
    run(
        "CREATE VIRTUAL TABLE f USING rtree(id, x0, x1)",
        "INSERT INTO f VALUES(1, 1, 2)",
        "DELETE FROM f_rowid");
    assertDamaged();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT) | CREATE INDEX i ON t(a COLLATE icu_root)"
            + " | the table t is not checked: no such collation sequence: icu_root",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT CHECK (a REGEXP '^a')) | SELECT 1"
            + " | CHECK constraints of the table t are not checked: unknown function: REGEXP()",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT, g TEXT AS (slug(a))) | SELECT 1"
            + " | the table t is not checked: unknown function: slug()",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT) | CREATE INDEX i ON t(slug(a)) | ",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT COLLATE icu_root) | SELECT 1 | ",
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)"
            + " | CREATE VIEW v AS SELECT slug(a) AS s FROM t | ",
      })
  void objectOfAnotherProgram_isNoObstacle(
      String create, String more, String warning, CapturedOutput output) throws SQLException {
    run(create, more, "INSERT INTO t(id, a) VALUES(1, 'ab')", "CREATE TABLE good(id INTEGER)");
    Path target = temporary.resolve("backup");
    try (Database database = open()) {
      assertThat(database.<Integer>read(sql -> count(sql, "good"))).isZero();
      boolean isView = more.startsWith("CREATE VIEW");
      assertThat(database.backup(target))
          .isEqualTo(isView ? SqliteBackup.Form.COMPACT : SqliteBackup.Form.PAGES);
    }
    if (warning != null) {
      assertThat(output).contains(file + ": " + warning);
    }
    assertThat(target).isDirectoryContaining("glob:**/countersign.db");
    try (var copied = Files.list(target)) {
      assertThat(copied).hasSize(1);
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(target.resolve("countersign.db"))))
          .isEqualTo("rw-------");
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    try (Database copy = Database.open(StoreSettings.embedded(target))) {
      assertThat(copy.<Integer>read(sql -> count(sql, "good"))).isZero();
    }
  }

  @Test
  void damage_besideAnObjectOfAnotherProgram_isFound() throws Exception {
    run(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, a TEXT)",
        "CREATE INDEX i ON t(a COLLATE icu_root)",
        "CREATE TABLE z(id INTEGER PRIMARY KEY, body TEXT)",
        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i<900)"
            + " INSERT INTO z SELECT i, hex(randomblob(200)) FROM n");
    try (RandomAccessFile bytes = new RandomAccessFile(file.toFile(), "rw")) {
      bytes.seek(bytes.length() * 3 / 4);
      bytes.write(new byte[20_000]);
    }
    assertDamaged();
  }

  @ParameterizedTest
  @CsvSource({"UTF-16le", "UTF-16be"})
  void encoding_thatSortsDifferently_isRefusedByName(String encoding) throws SQLException {
    run("PRAGMA encoding = '" + encoding + "'", "CREATE TABLE t(id INTEGER PRIMARY KEY)");
    assertThatThrownBy(() -> open().close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("has the encoding " + encoding + ", whose texts sort differently");
  }

  private void assertDamaged() {
    assertThatThrownBy(() -> open().close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is damaged (")
        .hasMessageNotContaining("\n");
  }

  private static int count(JdbcClient sql, String table) {
    return sql.sql("SELECT count(*) FROM " + table).query(Integer.class).single();
  }
}
