package dev.countersign.server.tables;

import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.PostgresqlDialect;
import dev.countersign.server.tables.TableDialect.ForeignKey;
import dev.countersign.server.tables.TableDialect.UniqueIndex;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads PostgreSQL's catalog: which tables there are, their columns, and the user's rights. */
final class PostgresqlCatalog implements TableCatalog {
  /** The type {@code char(n)}. */
  static final String PADDED = "bpchar";

  /** The type {@code timestamp without time zone}. */
  static final String WITHOUT_ZONE = "timestamp";

  // PostgreSQL adds this number to the length or precision that it stores in atttypmod.
  private static final int MODIFIER_BASE = 4;

  // Follows each domain to the type behind it. From version 18, PostgreSQL reports a column as NOT
  // NULL even if the constraint is NOT VALID, so older rows may have NULL.
  private static final String COLUMNS =
      """
      WITH RECURSIVE followed (attnum, type, modifier) AS (
        SELECT attnum, atttypid, atttypmod FROM pg_attribute
        WHERE attrelid = :table AND attnum > 0 AND NOT attisdropped
        UNION ALL
        SELECT f.attnum, t.typbasetype, t.typtypmod
        FROM followed f JOIN pg_type t ON t.oid = f.type WHERE t.typtype = 'd')
      SELECT a.attname, format_type(a.atttypid, a.atttypmod),
             CASE WHEN n.nspname = 'pg_catalog' THEN t.typname::text
                  ELSE quote_ident(n.nspname) || '.' || quote_ident(t.typname) END,
             a.attnotnull AND NOT EXISTS (
               SELECT FROM pg_constraint k
               WHERE k.conrelid = a.attrelid AND k.contype = 'n' AND NOT k.convalidated
                 AND k.conkey = ARRAY[a.attnum]),
             a.attgenerated <> '' OR a.attidentity = 'a',
             a.atthasdef OR a.attidentity <> '',
             f.modifier,
             ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid
                   ORDER BY e.enumsortorder),
             has_column_privilege(a.attrelid, a.attnum, 'SELECT'),
             has_column_privilege(a.attrelid, a.attnum, 'INSERT'),
             t.typcategory = 'A',
             coalesce((SELECT c.collisdeterministic FROM pg_collation c
                       WHERE c.oid = a.attcollation), true)
      FROM followed f
      JOIN pg_attribute a ON a.attrelid = :table AND a.attnum = f.attnum
      JOIN pg_type t ON t.oid = f.type AND t.typtype <> 'd'
      JOIN pg_namespace n ON n.oid = t.typnamespace
      ORDER BY a.attnum
      """;
  // Follows views and partitions to the tables behind them. A materialized view has its own rows.
  private static final String IS_FOREIGN =
      """
      WITH RECURSIVE behind (oid) AS (
        SELECT c.oid FROM pg_class c WHERE c.oid = :table
        UNION
        SELECT c.oid
        FROM behind b
        JOIN pg_class r ON r.oid = b.oid AND r.relkind <> 'm'
        CROSS JOIN LATERAL (
          SELECT d.refobjid
          FROM pg_rewrite w
          JOIN pg_depend d ON d.classid = 'pg_rewrite'::regclass AND d.objid = w.oid
          WHERE w.ev_class = b.oid AND d.refclassid = 'pg_class'::regclass
          UNION ALL
          SELECT i.inhrelid FROM pg_inherits i WHERE i.inhparent = b.oid) AS next (oid)
        JOIN pg_class c ON c.oid = next.oid)
      SELECT EXISTS (
        SELECT FROM behind b JOIN pg_class c ON c.oid = b.oid WHERE c.relkind = 'f')
      """;
  private static final int NAMESAKES = 3;

  private final PostgresqlDialect dialect;

  PostgresqlCatalog(PostgresqlDialect dialect) {
    this.dialect = dialect;
  }

  @Override
  public List<TableName> relations(JdbcClient sql) {
    return sql.sql(
            """
            SELECT n.nspname, c.relname
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition
              AND n.nspname <> 'information_schema' AND NOT starts_with(n.nspname::text, 'pg_')
              AND NOT EXISTS (
                SELECT FROM pg_depend d
                WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
            ORDER BY n.nspname, c.relname
            """)
        .query((row, number) -> new TableName(row.getString(1), row.getString(2)))
        .list();
  }

  @Override
  public Optional<Table> describe(JdbcClient sql, TableName name) {
    return sql.sql(
            """
            SELECT c.oid, n.nspname, c.relname, c.relkind::text, row_security_active(c.oid),
                   has_schema_privilege(n.oid, 'USAGE'), quote_ident(current_user)
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relname = :table AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
              AND n.nspname = ANY (:schemas)
            ORDER BY array_position(:schemas, n.nspname) LIMIT 1
            """)
        .param("table", name.table())
        .param("schemas", schemasOf(name))
        .query((row, number) -> table(sql, row))
        .optional();
  }

  @Override
  public List<TableName> namesakes(JdbcClient sql, TableName name) {
    return sql
        .sql(
            """
            SELECT n.nspname, c.relname
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE lower(c.relname) = lower(?) AND c.relkind IN ('r', 'p', 'f', 'v', 'm')
              AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
            ORDER BY 1, 2
            """)
        .param(name.table())
        .query((row, number) -> new TableName(row.getString(1), row.getString(2)))
        .stream()
        .filter(found -> !dialect.isOwnTable(String.valueOf(found.schema()), found.table()))
        .limit(NAMESAKES)
        .toList();
  }

  /** The schemas to search: the service's own, then those of the user's search path. */
  private String[] schemasOf(TableName name) {
    return name.schema() != null
        ? new String[] {name.schema()}
        : Stream.concat(Stream.of(dialect.ownSchema()), dialect.userSchemas().stream())
            .toArray(String[]::new);
  }

  private Table table(JdbcClient sql, ResultSet relation) throws SQLException {
    long oid = relation.getLong(1);
    String schema = relation.getString(2);
    String name = relation.getString(3);
    Set<String> readable = new HashSet<>();
    Set<String> insertable = new HashSet<>();
    boolean foreign = sql.sql(IS_FOREIGN).param("table", oid).query(Boolean.class).single();
    List<Table.Column> columns =
        sql.sql(COLUMNS)
            .param("table", oid)
            .query(
                (row, number) -> {
                  if (row.getBoolean(9)) {
                    readable.add(row.getString(1));
                  }
                  if (row.getBoolean(10)) {
                    insertable.add(row.getString(1));
                  }
                  return column(row, foreign);
                })
            .list();
    List<String> unique =
        sql.sql(
                """
                SELECT a.attname
                FROM pg_index i
                JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
                WHERE i.indrelid = ? AND i.indisunique AND i.indisvalid
                  AND i.indnkeyatts = 1 AND i.indpred IS NULL
                  AND NOT EXISTS (
                    SELECT FROM pg_inherits h JOIN pg_class p ON p.oid = h.inhparent
                    WHERE p.oid = i.indrelid AND p.relkind = 'r')
                """)
            .param(oid)
            .query((row, number) -> row.getString(1))
            .list();
    return new Table(
        schema + "." + name,
        Dialect.quote(schema) + "." + Dialect.quote(name),
        kind(relation.getString(4)),
        dialect.isOwnTable(schema, name),
        columns,
        Set.copyOf(unique),
        false,
        new Table.Grants(
            relation.getString(7),
            relation.getBoolean(6) ? Optional.empty() : Optional.of(Dialect.quote(schema)),
            readable,
            insertable,
            unusableSequences(sql, oid),
            relation.getBoolean(5)));
  }

  // An identity column also has a sequence, but its values need no right.
  private static Map<String, String> unusableSequences(JdbcClient sql, long table) {
    Map<String, String> sequences = new TreeMap<>();
    sql.sql(
            """
            SELECT a.attname, n.nspname, s.relname
            FROM pg_attrdef d
            JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum
            JOIN pg_depend p ON p.classid = 'pg_attrdef'::regclass AND p.objid = d.oid
            JOIN pg_class s ON p.refclassid = 'pg_class'::regclass AND s.oid = p.refobjid
            JOIN pg_namespace n ON n.oid = s.relnamespace
            WHERE d.adrelid = ?
              AND CASE s.relkind WHEN 'S' THEN NOT has_sequence_privilege(s.oid, 'USAGE, UPDATE') END
            """)
        .param(table)
        .query(
            row -> {
              sequences.put(
                  row.getString(1),
                  Dialect.quote(row.getString(2)) + "." + Dialect.quote(row.getString(3)));
            });
    return sequences;
  }

  // A foreign key to a partitioned table has further entries for the partitions.
  @Override
  public List<ForeignKey> foreignKeys(JdbcClient sql, Table table) {
    return ForeignKey.of(
        sql.sql(
                """
                SELECT c.conname, n.nspname, t.relname, a.attname
                FROM pg_constraint c
                JOIN pg_class t ON t.oid = c.confrelid
                JOIN pg_namespace n ON n.oid = t.relnamespace
                CROSS JOIN unnest(c.conkey) WITH ORDINALITY AS k (attnum, place)
                JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum
                WHERE c.conrelid = CAST(? AS regclass) AND c.contype = 'f'
                  AND NOT EXISTS (SELECT FROM pg_constraint p
                    WHERE p.oid = c.conparentid AND p.conrelid = c.conrelid)
                ORDER BY c.conname, k.place
                """)
            .param(table.sql())
            .query(
                (row, number) ->
                    new ForeignKey.Entry(
                        row.getString(1),
                        new TableName(row.getString(2), row.getString(3)),
                        row.getString(4)))
            .list());
  }

  // PostgreSQL 14 has no indnullsnotdistinct. A default that calls a function, such as nextval, is
  // taken for a new value each time.
  @Override
  public List<UniqueIndex> uniqueIndexes(JdbcClient sql, Table table) {
    return UniqueIndex.of(
        sql.sql(
                """
                SELECT c.relname, CASE WHEN a.attgenerated = '' THEN a.attname::text ELSE '' END,
                  NOT EXISTS (SELECT 1 FROM pg_collation l
                    WHERE l.oid = i.indcollation[k.place - 1] AND NOT l.collisdeterministic)
                  AND CASE WHEN i.indisexclusion
                    THEN (SELECT o.oprname = '=' AND o.oprnamespace = 'pg_catalog'::regnamespace
                      FROM pg_constraint e JOIN pg_operator o ON o.oid = e.conexclop[k.place]
                      WHERE e.conindid = i.indexrelid AND e.conexclop IS NOT NULL)
                    ELSE (SELECT o.opcnamespace = 'pg_catalog'::regnamespace
                      FROM pg_opclass o WHERE o.oid = i.indclass[k.place - 1]) END,
                  CASE WHEN a.attidentity <> '' THEN true
                    WHEN d.adbin IS NULL
                      THEN (to_jsonb(i) ->> 'indnullsnotdistinct') IS DISTINCT FROM 'true'
                    ELSE regexp_replace(pg_get_expr(d.adbin, d.adrelid), '''[^'']*''', '', 'g')
                      ~ '\\w\\(|^CURRENT|^LOCAL' END
                FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
                CROSS JOIN unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
                LEFT JOIN pg_attribute a
                  ON a.attrelid = i.indrelid AND a.attnum = k.attnum AND k.attnum > 0
                LEFT JOIN pg_attrdef d ON d.adrelid = i.indrelid AND d.adnum = k.attnum
                WHERE i.indrelid = CAST(? AS regclass) AND (i.indisunique OR i.indisexclusion)
                  AND k.place <= i.indnkeyatts
                ORDER BY c.relname, k.place
                """)
            .param(table.sql())
            .query(
                (row, number) ->
                    new UniqueIndex.NamedPart(
                        row.getString(1),
                        new UniqueIndex.Part(
                            row.getString(2), row.getBoolean(3), row.getBoolean(4))))
            .list());
  }

  /** Returns whether an index over all rows begins with these columns, in any order. */
  boolean hasIndexThatBeginsWith(JdbcClient sql, Table table, List<Table.Column> columns) {
    return sql.sql(
            """
            SELECT EXISTS (
              SELECT FROM pg_index i
              WHERE i.indrelid = CAST(? AS regclass) AND i.indisvalid AND i.indpred IS NULL
                AND ? = (SELECT count(DISTINCT a.attname)
                  FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (attnum, place)
                  JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
                  WHERE k.place <= ? AND a.attname = ANY (?)))
            """)
        .param(table.sql())
        .param(columns.size())
        .param(columns.size())
        .param(columns.stream().map(Table.Column::name).toArray(String[]::new))
        .query(Boolean.class)
        .single();
  }

  private static Table.Kind kind(String relkind) {
    return switch (relkind) {
      case "p" -> Table.Kind.PARTITIONED_TABLE;
      case "f" -> Table.Kind.FOREIGN_TABLE;
      case "v" -> Table.Kind.VIEW;
      case "m" -> Table.Kind.MATERIALIZED_VIEW;
      default -> Table.Kind.TABLE;
    };
  }

  private static Table.Column column(ResultSet row, boolean foreign) throws SQLException {
    Table.Column.Fill fill = Table.Column.Fill.NEVER;
    if (row.getBoolean(5)) {
      fill = Table.Column.Fill.ALWAYS;
    } else if (row.getBoolean(6)) {
      fill = Table.Column.Fill.IF_OMITTED;
    }
    return new Table.Column(row.getString(1), type(row, foreign), !row.getBoolean(4), fill);
  }

  private static Table.Column.Type type(ResultSet row, boolean foreign) throws SQLException {
    String base = row.getString(3);
    List<String> labels = List.of((String[]) row.getArray(8).getArray());
    return new Table.Column.Type(
        row.getString(2),
        base,
        labels.isEmpty() ? valueTypes(base) : EnumSet.of(ColumnType.TEXT),
        limits(base, row.getInt(7)),
        labels,
        row.getBoolean(11),
        // The padding of a char(n) does not count for its equality, and another server compares by
        // its own collation.
        row.getBoolean(12) && !base.equals(PADDED) && !foreign);
  }

  /**
   * Returns the limits of a type.
   *
   * @param modifier the length, precision or scale that the column declares; -1 for none
   */
  private static Table.Column.Limits limits(String base, int modifier) {
    boolean isDeclared = modifier >= 0;
    return switch (base) {
      case "varchar" ->
          isDeclared
              ? Table.Column.Limits.ofLength(modifier - MODIFIER_BASE)
              : Table.Column.Limits.NONE;
      case PADDED ->
          (isDeclared
                  ? Table.Column.Limits.ofLength(modifier - MODIFIER_BASE)
                  : Table.Column.Limits.NONE)
              .withLoss(Table.Column.Loss.TRAILING_SPACES);
      case "int2", "int4", "int8" -> Table.Column.Limits.ofDecimals(0);
      // The low 11 bits hold the scale, which may be negative.
      case "numeric" ->
          isDeclared
              ? Table.Column.Limits.ofDecimals(((modifier - MODIFIER_BASE) << 21) >> 21)
              : Table.Column.Limits.NONE;
      case "timestamptz", WITHOUT_ZONE ->
          isDeclared ? Table.Column.Limits.ofDecimals(modifier) : Table.Column.Limits.NONE;
      case "float4" -> Table.Column.Limits.ofPrecision(Table.Column.Precision.SINGLE);
      case "float8" -> Table.Column.Limits.ofPrecision(Table.Column.Precision.DOUBLE);
      default -> Table.Column.Limits.NONE;
    };
  }

  /**
   * Returns the limits of a number or a timestamp.
   *
   * @param precision the precision as the driver reports it; 0 for a numeric without one
   * @param scale the scale as the driver reports it, without the sign of a negative one
   */
  static Table.Column.Limits limits(String base, int precision, int scale) {
    int modifier =
        switch (base) {
          case "numeric" ->
              precision == 0 ? -1 : (precision << 16 | (scale & 0x7FF)) + MODIFIER_BASE;
          default -> scale;
        };
    return limits(base, modifier);
  }

  /** Returns the types whose values a PostgreSQL type stores unchanged. */
  static Set<ColumnType> valueTypes(String base) {
    return switch (base) {
      case "uuid" -> EnumSet.of(ColumnType.UUID);
      case "text", "varchar", PADDED -> EnumSet.of(ColumnType.TEXT);
      case "int2", "int4", "int8" -> EnumSet.of(ColumnType.INTEGER, ColumnType.DECIMAL);
      case "numeric", "float4", "float8" -> EnumSet.of(ColumnType.DECIMAL);
      case "bool" -> EnumSet.of(ColumnType.BOOLEAN);
      case "timestamptz", WITHOUT_ZONE -> EnumSet.of(ColumnType.TIMESTAMP);
      case "date" -> EnumSet.of(ColumnType.DATE);
      case "json", "jsonb" -> EnumSet.of(ColumnType.JSON);
      default -> EnumSet.noneOf(ColumnType.class);
    };
  }
}
