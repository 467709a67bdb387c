package dev.countersign.server.tables;

import dev.countersign.server.store.Dialect;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A table or view as the database describes it.
 *
 * @param name its name, with its schema if the database has several
 * @param sql its name in SQL statements
 * @param kind the kind of relation
 * @param isOwn whether the service keeps its own data in it
 * @param columns its columns in order
 * @param uniqueColumns the columns that are unique on their own, because of a one-column primary
 *     key or a one-column unique index over every row
 * @param replacesRows whether a new row replaces rows that have the same unique values
 * @param grants the rights of the service's user
 */
public record Table(
    String name,
    String sql,
    Kind kind,
    boolean isOwn,
    List<Column> columns,
    Set<String> uniqueColumns,
    boolean replacesRows,
    Grants grants) {

  public Table {
    columns = List.copyOf(columns);
    uniqueColumns = Set.copyOf(uniqueColumns);
  }

  /** Returns whether both are the same table or view of the database. */
  public boolean isSameAs(Table other) {
    return sql.equals(other.sql);
  }

  /** Returns the column with exactly this name. */
  public Optional<Column> column(String wanted) {
    return columns.stream().filter(column -> column.name().equals(wanted)).findFirst();
  }

  /**
   * Returns whether policies of row-level security decide which rows the service's user can read
   * and insert.
   */
  public boolean hasRowSecurity() {
    return grants.rowSecurity();
  }

  /**
   * Returns what the operator can do if row-level security is required but does not apply to the
   * service's user.
   */
  public String rowSecurityRemedy() {
    if (grants.user().isEmpty()) {
      return "this database has none; use PostgreSQL, or remove row-level-security";
    }
    if (kind != Kind.TABLE && kind != Kind.PARTITIONED_TABLE) {
      return "a " + kind.words() + " has none; remove row-level-security";
    }
    return "run ALTER TABLE "
        + sql
        + " ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY; and serve as a user that is not a"
        + " superuser and has no BYPASSRLS";
  }

  /**
   * Returns the GRANT statements that let the service's user read these columns; empty if the user
   * may do so already.
   */
  public List<String> missingReadGrants(Collection<String> columnsToRead) {
    List<String> statements = new ArrayList<>();
    grants.unusableSchema().ifPresent(schema -> statements.add(grant("USAGE ON SCHEMA " + schema)));
    List<String> missing =
        columnsToRead.stream().filter(name -> !grants.readable().contains(name)).toList();
    if (!missing.isEmpty()) {
      statements.add(grant("SELECT" + list(missing) + " ON " + sql));
    }
    return statements;
  }

  /**
   * Returns the GRANT statements that let the service's user insert rows; empty if the user may do
   * so already.
   *
   * @param inserted the columns that an insert can name
   * @param always the columns that every insert names, so that their defaults are not used
   */
  public List<String> missingInsertGrants(Collection<String> inserted, Collection<String> always) {
    List<String> statements = new ArrayList<>();
    List<String> missing =
        inserted.stream().filter(name -> !grants.insertable().contains(name)).toList();
    if (!missing.isEmpty()) {
      statements.add(grant("INSERT" + list(missing) + " ON " + sql));
    } else if (grants.insertable().isEmpty()) {
      statements.add(grant("INSERT ON " + sql));
    }
    grants.unusableSequences().entrySet().stream()
        .filter(column -> !always.contains(column.getKey()))
        .map(column -> grant("USAGE ON SEQUENCE " + column.getValue()))
        .distinct()
        .forEach(statements::add);
    return statements;
  }

  private String grant(String right) {
    return "GRANT " + right + " TO " + grants.user() + ";";
  }

  private static String list(List<String> columns) {
    return columns.stream().map(Dialect::quote).collect(Collectors.joining(", ", " (", ")"));
  }

  /** The kind of a relation. Only plain tables accept new rows. */
  public enum Kind {
    TABLE("table"),
    PARTITIONED_TABLE("partitioned table"),
    FOREIGN_TABLE("foreign table"),
    /** A table of a SQLite module, such as FTS5. */
    VIRTUAL_TABLE("virtual table"),
    VIEW("view"),
    MATERIALIZED_VIEW("materialized view");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** Returns the kind in words, such as {@code materialized view}. */
    public String words() {
      return words;
    }

    /** Returns whether a relation of this kind can have indexes in PostgreSQL. */
    boolean hasIndexes() {
      return this == TABLE || this == PARTITIONED_TABLE || this == MATERIALIZED_VIEW;
    }
  }

  /**
   * The rights of the service's user on a table.
   *
   * @param user the user, quoted for SQL
   * @param unusableSchema the table's schema, quoted for SQL, if the user may not use it
   * @param readable the columns that the user may read
   * @param insertable the columns that the user may insert values into
   * @param unusableSequences the sequence, quoted for SQL, of each column whose default takes its
   *     value from a sequence that the user may not use
   * @param rowSecurity whether policies of row-level security apply to the user
   */
  record Grants(
      String user,
      Optional<String> unusableSchema,
      Set<String> readable,
      Set<String> insertable,
      Map<String, String> unusableSequences,
      boolean rowSecurity) {
    Grants {
      readable = Set.copyOf(readable);
      insertable = Set.copyOf(insertable);
      // Sorted, so that the statements have the same order at every start.
      unusableSequences = Collections.unmodifiableMap(new TreeMap<>(unusableSequences));
    }

    /** Returns the grants of a database without users. */
    static Grants all(Collection<Column> columns) {
      Set<String> names = columns.stream().map(Column::name).collect(Collectors.toSet());
      return new Grants("", Optional.empty(), names, names, Map.of(), false);
    }
  }

  /**
   * A column.
   *
   * @param name its name
   * @param type its type
   * @param nullable whether the column accepts NULL
   * @param fill when the database sets the value in a new row
   */
  public record Column(String name, Type type, boolean nullable, Fill fill) {

    /** Returns this column, but as one that does not accept NULL. */
    public Column asNotNull() {
      return new Column(name, type, false, fill);
    }

    /** Returns whether the database sets the column if an insert omits it. */
    public boolean isFilled() {
      return fill != Fill.NEVER;
    }

    /** When the database sets the value of a column in a new row. */
    public enum Fill {
      /** Never: the column has no default. */
      NEVER,
      /** If an insert omits the column, because the column has a default or is a rowid. */
      IF_OMITTED,
      /** Always, because the column is computed: an insert cannot give a value. */
      ALWAYS
    }

    /**
     * The type of a column.
     *
     * @param declared the type as written in the schema, such as {@code character varying(40)}
     * @param base the database's name of the type without length or precision; for a domain, the
     *     name of the type on which the domain is based
     * @param valueTypes the types whose values the column stores unchanged and sorts in the order
     *     of the type
     * @param limits the limits within which the column stores a value unchanged
     * @param labels the texts of an enumeration in its order; empty for other types
     * @param isArray whether the type, or the type behind a domain, is an array
     * @param comparesBytes whether texts are equal for the indexes of the column only if they have
     *     the same bytes; on PostgreSQL, the same holds for comparisons without an index
     */
    public record Type(
        String declared,
        String base,
        Set<ColumnType> valueTypes,
        Limits limits,
        List<String> labels,
        boolean isArray,
        boolean comparesBytes) {

      public Type {
        valueTypes = Set.copyOf(valueTypes);
        labels = List.copyOf(labels);
      }

      /** Returns whether the type is an enumeration. */
      public boolean isEnum() {
        return !labels.isEmpty();
      }
    }

    /**
     * The limits within which a column stores a value unchanged. Beyond them, the database refuses
     * the value, or rounds or cuts it silently.
     *
     * @param length the maximum number of characters of a text
     * @param decimals the maximum number of digits after the point of a decimal, or of the seconds
     *     of a timestamp; negative if the last digits before the point must be 0
     * @param precision which decimals the column stores unchanged, within the other limits
     * @param losses the parts of values that the column does not keep
     */
    public record Limits(
        OptionalInt length, OptionalInt decimals, Precision precision, Set<Loss> losses) {
      /** The limits of a column that stores every value of its types unchanged. */
      static final Limits NONE =
          new Limits(OptionalInt.empty(), OptionalInt.empty(), Precision.EXACT, Set.of());

      public Limits {
        losses = Set.copyOf(losses);
      }

      static Limits ofLength(int length) {
        return new Limits(OptionalInt.of(length), OptionalInt.empty(), Precision.EXACT, Set.of());
      }

      static Limits ofDecimals(int decimals) {
        return new Limits(OptionalInt.empty(), OptionalInt.of(decimals), Precision.EXACT, Set.of());
      }

      static Limits ofPrecision(Precision precision) {
        return new Limits(OptionalInt.empty(), OptionalInt.empty(), precision, Set.of());
      }

      Limits withLoss(Loss loss) {
        return new Limits(length, decimals, precision, Set.of(loss));
      }
    }

    /** Which decimals a column stores unchanged. */
    public enum Precision {
      /** All decimals, within the other limits. */
      EXACT,
      /** Decimals that a {@code float} keeps, such as all with up to 6 digits. */
      SINGLE,
      /** Decimals that a {@code double} keeps, such as all with up to 15 digits. */
      DOUBLE,
      /** The decimals of {@link #DOUBLE}, and 64-bit integers. */
      DOUBLE_OR_LONG
    }

    /** A part of a value that a column does not keep. */
    public enum Loss {
      /** The spaces at the end of a text. */
      TRAILING_SPACES,
      /** The form of a JSON value that is a number, because the column stores a number instead. */
      JSON_NUMBER
    }
  }
}
