package dev.countersign.server.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables and views that the database names, and how their names are written. */
class RelationsTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void relations_tablesAndViews_areNamedOnce(TestStore store) {
    try (Database database = store.open(directory)) {
      String schema = store == TestStore.SQLITE ? null : "countersign";
      run(
          database,
          "CREATE TABLE \"Odd \"\"name\"\".x\" (id INTEGER PRIMARY KEY)",
          "CREATE INDEX an_index ON \"Odd \"\"name\"\".x\" (id)",
          "CREATE VIEW a_view AS SELECT * FROM \"Odd \"\"name\"\".x\"");
      assertThat(relations(database))
          .contains(
              new TableName(schema, "Odd \"name\".x"),
              new TableName(schema, "a_view"),
              new TableName(schema, "clients"))
          .doesNotContain(new TableName(schema, "an_index"))
          .doesNotHaveDuplicates();
      for (TableName name : relations(database)) {
        Optional<Table> table = database.read(sql -> TableDialect.of(database).describe(sql, name));
        assertThat(table).as(name.text()).isPresent();
      }
    }
  }

  @Test
  void relations_ofPostgresql_leavesOutPartitionsAndItsOwnTables() {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      run(
          database,
          "CREATE SCHEMA ledger",
          "CREATE TABLE ledger.postings (id int) PARTITION BY LIST (id)",
          "CREATE TABLE ledger.postings_1 PARTITION OF ledger.postings FOR VALUES IN (1)",
          "CREATE MATERIALIZED VIEW ledger.sums AS SELECT 1 AS id",
          "CREATE SEQUENCE ledger.numbers");
      assertThat(relations(database))
          .filteredOn(name -> !"countersign".equals(name.schema()))
          .containsExactly(new TableName("ledger", "postings"), new TableName("ledger", "sums"));
    }
  }

  @Test
  void relations_ofSqlite_leavesOutShadowTablesAndItsOwnTables() {
    try (Database database = TestStore.SQLITE.open(directory)) {
      run(
          database,
          "CREATE VIRTUAL TABLE words USING fts5(body)",
          "CREATE TABLE counted (id INTEGER PRIMARY KEY AUTOINCREMENT)");
      assertThat(relations(database))
          .extracting(TableName::table)
          .contains("words", "counted")
          .noneMatch(name -> name.startsWith("sqlite_") || name.startsWith("words_"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "CREATE TABLE t (id INTEGER PRIMARY KEY) | IF_OMITTED | false",
        "CREATE TABLE t (id INTEGER, PRIMARY KEY (id DESC)) | IF_OMITTED | false",
        "CREATE TABLE t (id INTEGER PRIMARY KEY) WITHOUT ROWID | NEVER | false",
        "CREATE TABLE t (id INTEGER PRIMARY KEY DESC) | NEVER | true",
        "CREATE TABLE t (id INT PRIMARY KEY) | NEVER | true",
      })
  void describe_ofASqliteKey_knowsWhetherItIsTheRowid(
      String create, Table.Column.Fill fill, boolean nullable) {
    try (Database database = TestStore.SQLITE.open(directory)) {
      run(database, create);
      assertThat(described(database, "t").columns())
          .singleElement()
          .satisfies(column -> assertThat(column.fill()).isEqualTo(fill))
          .satisfies(column -> assertThat(column.nullable()).isEqualTo(nullable));
    }
  }

  @Test
  void describe_ofAVirtualTable_knowsItsKind() {
    try (Database database = TestStore.SQLITE.open(directory)) {
      run(
          database,
          "CREATE VIRTUAL TABLE words USING fts5(body)",
          "CREATE TABLE plain (id INTEGER PRIMARY KEY)");
      assertThat(described(database, "WORDS").kind()).isEqualTo(Table.Kind.VIRTUAL_TABLE);
      assertThat(described(database, "plain").kind()).isEqualTo(Table.Kind.TABLE);
    }
  }

  private static Table described(Database database, String table) {
    TableName name = new TableName(null, table);
    return database.read(sql -> TableDialect.of(database).describe(sql, name)).orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"entries", "ledger.entries", "\"monthly entries\"", "_a.\"b\"\"c\"", "\"1\".x"})
  void text_ofAName_isParsedToTheSameName(String text) {
    assertThat(TableName.parse(text).text()).isEqualTo(text);
  }

  private static List<TableName> relations(Database database) {
    return database.read(TableDialect.of(database)::relations);
  }

  private static void run(Database database, String... statements) {
    database.write(
        sql -> {
          for (String statement : statements) {
            sql.sql(statement).update();
          }
          return null;
        });
  }
}
