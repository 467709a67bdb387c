package dev.countersign.server.tables;

import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.SqliteDialect;
import dev.countersign.server.tables.TableDialect.ForeignKey;
import dev.countersign.server.tables.TableDialect.UniqueIndex;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads SQLite's schema: which tables there are, and their columns. */
final class SqliteCatalog implements TableCatalog {
  private static final String MAIN = "main";

  private static final Pattern COMMENT = Pattern.compile("--[^\n]*|/\\*.*?\\*/", Pattern.DOTALL);
  // Finds the clause in a unique constraint, where it replaces other rows. After NOT NULL, the same
  // clause only replaces NULL by the default.
  private static final Pattern REPLACE =
      Pattern.compile(
          "(?<!\\bNULL\\s{1,9})\\bON\\s+CONFLICT\\s+REPLACE\\b", Pattern.CASE_INSENSITIVE);

  // A virtual table stores its rows in shadow tables, which only its module can read sensibly.
  @Override
  public List<TableName> relations(JdbcClient sql) {
    return sql.sql(
            """
            SELECT name FROM pragma_table_list
            WHERE schema = 'main' AND type IN ('table', 'view', 'virtual')
              AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
            ORDER BY name
            """)
        .query((row, number) -> new TableName(null, row.getString(1)))
        .list();
  }

  @Override
  public Optional<Table> describe(JdbcClient sql, TableName name) {
    if (name.schema() != null && !name.schema().equals(MAIN)) {
      return Optional.empty();
    }
    return sql.sql(
            """
            SELECT s.name, t.type, s.sql
            FROM sqlite_schema s JOIN pragma_table_list t ON t.schema = 'main' AND t.name = s.name
            WHERE s.name = ? COLLATE NOCASE AND s.type IN ('table', 'view')
            """)
        .param(name.table())
        .query((row, number) -> table(sql, row))
        .optional();
  }

  // All tables are in the schema main, so only a name with another schema can miss its table.
  @Override
  public List<TableName> namesakes(JdbcClient sql, TableName name) {
    return sql
        .sql(
            "SELECT name FROM sqlite_schema WHERE name = ? COLLATE NOCASE"
                + " AND type IN ('table', 'view')")
        .param(name.table())
        .query((row, number) -> row.getString(1))
        .stream()
        .filter(table -> !SqliteDialect.isOwnTable(table))
        .map(table -> new TableName(null, table))
        .toList();
  }

  private static Table.Kind kind(String type) {
    return switch (type) {
      case "view" -> Table.Kind.VIEW;
      case "virtual" -> Table.Kind.VIRTUAL_TABLE;
      default -> Table.Kind.TABLE;
    };
  }

  private static Table table(JdbcClient sql, ResultSet relation) throws SQLException {
    String table = relation.getString(1);
    Table.Kind kind = kind(relation.getString(2));
    String createSql = relation.getString(3);
    Set<String> unique = new HashSet<>(uniqueColumns(sql, table));
    List<String> primaryKey = primaryKey(sql, table);
    if (primaryKey.size() == 1) {
      unique.addAll(primaryKey);
    }
    boolean isKeyRowid = primaryKey.size() == 1 && !hasKeyIndex(sql, table);
    Set<String> collated = collatedColumns(sql, table);
    List<Table.Column> columns =
        sql.sql(
                """
                SELECT name, type, "notnull", dflt_value IS NOT NULL, pk, hidden
                FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid
                """)
            .param(table)
            .query(
                (row, number) ->
                    column(
                        row,
                        isKeyRowid,
                        kind == Table.Kind.TABLE && !collated.contains(row.getString(1))))
            .list();
    return new Table(
        table,
        Dialect.quote(table),
        kind,
        SqliteDialect.isOwnTable(table),
        columns,
        unique,
        replacesRows(createSql),
        Table.Grants.all(columns));
  }

  // Looks at the statement with and without its comments, because a comment may stand between the
  // words of the clause, and what looks like a comment may begin in a text before the clause.
  private static boolean replacesRows(String createSql) {
    return REPLACE.matcher(createSql).find()
        || REPLACE.matcher(COMMENT.matcher(createSql).replaceAll(" ")).find();
  }

  @Override
  public List<ForeignKey> foreignKeys(JdbcClient sql, Table table) {
    return ForeignKey.of(
        sql.sql(
                """
                SELECT f.id, f."table", t.name
                FROM pragma_foreign_key_list(?1) f
                JOIN pragma_table_xinfo(?1) t ON t.name = f."from" COLLATE NOCASE
                ORDER BY f.id, f.seq
                """)
            .param(table.name())
            .query(
                (row, number) ->
                    new ForeignKey.Entry(
                        row.getString(1), new TableName(null, row.getString(2)), row.getString(3)))
            .list());
  }

  // SQLite lists every index except a primary key that is the rowid, which is added here. A default
  // that calls a function, such as random(), counts as a new value for each row.
  @Override
  public List<UniqueIndex> uniqueIndexes(JdbcClient sql, Table table) {
    List<UniqueIndex.NamedPart> parts =
        new ArrayList<>(
            sql.sql(
                    """
                    SELECT i.name, CASE WHEN t.hidden = 0 THEN t.name ELSE '' END,
                      upper(c.coll) = 'BINARY',
                      t.dflt_value IS NULL OR upper(t.dflt_value) = 'NULL'
                        OR (t.dflt_value LIKE '%(%' AND t.dflt_value NOT LIKE '''%')
                        OR t.dflt_value LIKE 'CURRENT%'
                    FROM pragma_index_list(?1) i JOIN pragma_index_xinfo(i.name) c
                    LEFT JOIN pragma_table_xinfo(?1) t ON t.cid = c.cid
                    WHERE i."unique" = 1 AND c.key = 1 ORDER BY i.name, c.seqno
                    """)
                .param(table.name())
                .query(
                    (row, number) ->
                        new UniqueIndex.NamedPart(
                            row.getString(1),
                            new UniqueIndex.Part(
                                row.getString(2), row.getBoolean(3), row.getBoolean(4))))
                .list());
    if (!hasKeyIndex(sql, table.name())) {
      for (String column : primaryKey(sql, table.name())) {
        parts.add(
            new UniqueIndex.NamedPart("the primary key", new UniqueIndex.Part(column, true, true)));
      }
    }
    return UniqueIndex.of(parts);
  }

  private static List<String> primaryKey(JdbcClient sql, String table) {
    return sql.sql("SELECT name FROM pragma_table_xinfo(?) WHERE pk > 0 ORDER BY pk")
        .param(table)
        .query((row, number) -> row.getString(1))
        .list();
  }

  // A primary key that is the rowid needs no index (SQLite, Rowid Tables).
  private static boolean hasKeyIndex(JdbcClient sql, String table) {
    return sql.sql("SELECT 1 FROM pragma_index_list(?) WHERE origin = 'pk'")
        .param(table)
        .query((row, number) -> 1)
        .optional()
        .isPresent();
  }

  /** Returns the columns that an index does not compare byte for byte. */
  private static Set<String> collatedColumns(JdbcClient sql, String table) {
    return new HashSet<>(
        sql.sql(
                """
                SELECT c.name FROM pragma_index_list(?) i JOIN pragma_index_xinfo(i.name) c
                WHERE c.name IS NOT NULL AND upper(c.coll) <> 'BINARY'
                """)
            .param(table)
            .query((row, number) -> row.getString(1))
            .list());
  }

  private static List<String> uniqueColumns(JdbcClient sql, String table) {
    return sql.sql(
            """
            SELECT max(c.name) FROM pragma_index_list(?) i JOIN pragma_index_info(i.name) c
            WHERE i."unique" = 1 AND i.partial = 0
            GROUP BY i.name HAVING count(*) = 1 AND max(c.name) IS NOT NULL
            """)
        .param(table)
        .query((row, number) -> row.getString(1))
        .list();
  }

  private static Table.Column column(ResultSet row, boolean isKeyRowid, boolean comparesBytes)
      throws SQLException {
    String declaredType = row.getString(2);
    String base = declaredType.toUpperCase(Locale.ROOT);
    // SQLite assigns the rowid, and it is never NULL.
    boolean isRowid = isKeyRowid && row.getInt(5) > 0 && base.equals("INTEGER");
    boolean isComputed = row.getInt(6) > 0;
    Table.Column.Fill fill = Table.Column.Fill.NEVER;
    if (isComputed) {
      fill = Table.Column.Fill.ALWAYS;
    } else if (isRowid || row.getBoolean(4)) {
      fill = Table.Column.Fill.IF_OMITTED;
    }
    Set<ColumnType> valueTypes = valueTypes(base);
    Table.Column.Type type =
        new Table.Column.Type(
            declaredType, base, valueTypes, limits(valueTypes), List.of(), false, comparesBytes);
    return new Table.Column(row.getString(1), type, !isRowid && !row.getBoolean(3), fill);
  }

  private static Table.Column.Limits limits(Set<ColumnType> valueTypes) {
    if (valueTypes.equals(Set.of(ColumnType.JSON))) {
      // The affinity of such a column is NUMERIC, which turns 1.10 into 1.1.
      return Table.Column.Limits.NONE.withLoss(Table.Column.Loss.JSON_NUMBER);
    }
    if (valueTypes.contains(ColumnType.TIMESTAMP)) {
      return Table.Column.Limits.ofDecimals(3);
    }
    if (valueTypes.contains(ColumnType.DECIMAL)) {
      return Table.Column.Limits.ofPrecision(
          valueTypes.contains(ColumnType.INTEGER)
              ? Table.Column.Precision.DOUBLE_OR_LONG
              : Table.Column.Precision.DOUBLE);
    }
    return Table.Column.Limits.NONE;
  }

  // SQLite derives the affinity of a column from parts of its declared type (Datatypes in SQLite,
  // section 3.1).
  private static Set<ColumnType> valueTypes(String declared) {
    if (declared.contains("INT")) {
      return EnumSet.of(ColumnType.INTEGER, ColumnType.DECIMAL, ColumnType.BOOLEAN);
    }
    if (declared.contains("CHAR") || declared.contains("CLOB") || declared.contains("TEXT")) {
      return EnumSet.of(
          ColumnType.TEXT, ColumnType.UUID, ColumnType.TIMESTAMP, ColumnType.DATE, ColumnType.JSON);
    }
    if (declared.contains("REAL") || declared.contains("FLOA") || declared.contains("DOUB")) {
      return EnumSet.of(ColumnType.DECIMAL);
    }
    return switch (declared.replaceAll("\\(.*", "").strip()) {
      case "UUID" -> EnumSet.of(ColumnType.UUID);
      case "BOOLEAN", "BOOL" -> EnumSet.of(ColumnType.BOOLEAN);
      case "TIMESTAMP", "DATETIME" -> EnumSet.of(ColumnType.TIMESTAMP);
      case "DATE" -> EnumSet.of(ColumnType.DATE);
      case "JSON" -> EnumSet.of(ColumnType.JSON);
      // A view declares NUM for CAST(x AS NUMERIC).
      case "NUMERIC", "DECIMAL", "NUM" -> EnumSet.of(ColumnType.DECIMAL, ColumnType.INTEGER);
      default -> EnumSet.noneOf(ColumnType.class);
    };
  }
}
