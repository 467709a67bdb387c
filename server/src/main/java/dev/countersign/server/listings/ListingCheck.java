package dev.countersign.server.listings;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.RowLevelSecurity;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.Table;
import dev.countersign.server.tables.TableDialect;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Checks a definition against its table and creates the listing. */
final class ListingCheck {
  private static final Pattern IDENTIFIER = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
  private static final Set<String> PAGE_PARAMETERS =
      Set.of("page", "size", "sort", "offset", "totals", "after");

  // The percent-encoded key of a new record must fit into the Location header of the answer.
  private static final int MAX_KEY_LENGTH = 255;

  private final ListingPath path;
  private final ListingProperties properties;
  private final Source source;
  private final Table table;

  ListingCheck(ListingPath path, ListingProperties properties, Source source) {
    this.path = path;
    this.properties = properties;
    this.source = source;
    this.table = source.table();
  }

  /** A table, the dialect of its database, and the attributes that clients may have. */
  record Source(Table table, TableDialect dialect, Attributes attributes) {}

  /**
   * Creates the listing.
   *
   * @throws ListingException naming the first rule that the definition violates
   */
  Listing listing() {
    List<Field> fields = fields();
    requireKey(fields);
    requireFields("sortable", properties.sortable(), fields, "has no order");
    requireFilterable(fields);
    requireScope(fields);
    requireRowSecurity();
    if (properties.create()) {
      requireCreatable(fields);
    }
    requireGrants(fields);
    if (properties.deprecated() != null
        && properties.sunset() != null
        && properties.sunset().isBefore(properties.deprecated())) {
      // RFC 9745 section 4
      throw problem("sunset must not be before deprecated, was " + properties.sunset());
    }
    return new Listing(path, source, fields, properties);
  }

  static void requireIdentifier(String what, String name) {
    if (!IDENTIFIER.matcher(name).matches()) {
      throw new ListingException(
          what + " must be a letter or _, followed by letters, digits or _, was '" + name + "'");
    }
  }

  private List<Field> fields() {
    if (properties.fields().isEmpty()) {
      throw problem("fields must contain at least the key");
    }
    List<Field> fields = new ArrayList<>();
    Set<String> columns = new HashSet<>();
    for (Map.Entry<String, FieldProperties> entry : properties.fields().entrySet()) {
      String where = "listing " + path + ": field " + entry.getKey();
      TextRules.Place place =
          entry.getKey().equals(properties.key())
              ? TextRules.Place.PATH_SEGMENT
              : TextRules.Place.NOWHERE;
      Field field = new FieldCheck(where, entry.getKey(), entry.getValue(), place).field(source);
      if (!columns.add(field.column().name())) {
        throw new ListingException(
            where + ": column " + field.column().name() + " already belongs to another field");
      }
      fields.add(field);
    }
    return fields;
  }

  private void requireKey(List<Field> fields) {
    Field key =
        find(fields, properties.key())
            .orElseThrow(
                () -> problem("key must be one of the fields, was '" + properties.key() + "'"));
    if (!key.type().isKey()) {
      throw problem("key " + key.name() + " must be of type uuid, text or integer");
    }
    if (key.column().type().isEnum()) {
      throw problem(
          "key "
              + key.name()
              + " must not be an enumeration, was "
              + key.column().type().declared());
    }
    String column = key.column().name();
    boolean proven = table.uniqueColumns().contains(column) && !key.column().nullable();
    if (!proven
        && table.uniqueColumns().contains(column)
        && properties.unique() != Unique.ASSUMED) {
      throw problem(
          "key "
              + key.name()
              + ": column "
              + column
              + " is unique, but may be NULL: declare it NOT NULL, or set unique: assumed");
    }
    if (!proven && properties.unique() != Unique.ASSUMED) {
      throw problem(
          "key "
              + key.name()
              + ": column "
              + column
              + " must be the primary key, or NOT NULL with its own unique index; if the database"
              + " cannot prove that it is unique, set unique: assumed");
    }
  }

  private static Optional<Field> find(List<Field> fields, String name) {
    return fields.stream().filter(field -> field.name().equals(name)).findFirst();
  }

  private void requireFields(
      String setting, List<String> names, List<Field> fields, String reasonAgainstJson) {
    Set<String> seen = new HashSet<>();
    for (String name : names) {
      Field field =
          find(fields, name)
              .orElseThrow(() -> problem(setting + " must contain only field names, was " + name));
      if (!field.type().hasOrder()) {
        throw problem(
            setting + " must not contain " + name + ", because a JSON value " + reasonAgainstJson);
      }
      if (!seen.add(name)) {
        throw problem(setting + " contains " + name + " twice");
      }
    }
  }

  private void requireFilterable(List<Field> fields) {
    requireFields("filterable", properties.filterable(), fields, "cannot be compared");
    for (String name : properties.filterable()) {
      if (PAGE_PARAMETERS.contains(name)) {
        throw problem(
            "filterable must not contain "
                + name
                + ", because requests have a parameter with this name: rename the field");
      }
    }
  }

  private void requireScope(List<Field> fields) {
    for (Map.Entry<String, String> entry : properties.scope().entrySet()) {
      String scope = "scope " + entry.getKey();
      Field field =
          find(fields, entry.getKey())
              .orElseThrow(() -> problem(scope + ": there is no such field: add it to fields"));
      Attributes.Definition attribute =
          source
              .attributes()
              .find(entry.getValue())
              .orElseThrow(
                  () ->
                      problem(
                          scope
                              + ": there is no attribute "
                              + entry.getValue()
                              + ": add it under countersign.attributes"));
      if (attribute.type() != field.type()) {
        throw problem(
            scope
                + ": the field is of type "
                + field.type().word()
                + " and the attribute "
                + attribute.name()
                + " of type "
                + attribute.type().word()
                + ": give both the same type");
      }
      if (field.column().type().isEnum()) {
        throw problem(
            scope
                + ": the field must not be an enumeration, was "
                + field.column().type().declared());
      }
      if (properties.create() && field.isGenerated()) {
        throw problem(
            scope
                + ": the field is generated, so a new record could be outside the scope of its"
                + " client: set create: false, or remove generated");
      }
    }
  }

  private void requireRowSecurity() {
    if (properties.rowLevelSecurity() != RowLevelSecurity.REQUIRED || table.hasRowSecurity()) {
      return;
    }
    throw problem(
        "row-level-security is required, but no policies apply to the service's user on "
            + table.name()
            + ": "
            + table.rowSecurityRemedy());
  }

  private void requireGrants(List<Field> fields) {
    List<String> missing = new ArrayList<>(table.missingReadGrants(columns(fields, field -> true)));
    if (properties.create()) {
      missing.addAll(
          table.missingInsertGrants(
              columns(fields, field -> field.origin() != Field.Origin.DATABASE),
              columns(fields, Field::isAlwaysInserted)));
    }
    if (!missing.isEmpty()) {
      throw problem("rights on " + table.name() + " are missing: run " + String.join(" ", missing));
    }
  }

  private static List<String> columns(List<Field> fields, Predicate<Field> which) {
    return fields.stream().filter(which).map(field -> field.column().name()).toList();
  }

  private void requireCreatable(List<Field> fields) {
    if (table.kind() != Table.Kind.TABLE) {
      throw problem(
          "create must be false, because " + table.name() + " is a " + table.kind().words());
    }
    if (table.replacesRows() && !properties.scope().isEmpty()) {
      throw problem(
          "create must be false, because a new record of "
              + table.name()
              + " would replace records of other clients: remove ON CONFLICT REPLACE from its unique"
              + " constraints");
    }
    if (properties.unique() == Unique.ASSUMED) {
      throw problem(
          "create must be false if unique is assumed: nothing would refuse a second record with the same key");
    }
    Set<String> covered = new HashSet<>();
    fields.forEach(field -> covered.add(field.column().name()));
    for (Table.Column column : table.columns()) {
      if (!column.nullable() && !column.isFilled() && !covered.contains(column.name())) {
        throw problem(
            "create: column "
                + column.name()
                + " does not allow NULL and has no default: add a field for it, or set create:"
                + " false");
      }
    }
    for (Field field : fields) {
      requireShort(field);
      Table.Column column = field.column();
      if (field.origin() == Field.Origin.CALLER_OPTIONAL
          && field.defaultValue() == null
          && !column.nullable()
          && !column.isFilled()) {
        throw problem(
            "create: field "
                + field.name()
                + " must be required, because its column does not allow NULL");
      }
    }
  }

  private void requireShort(Field field) {
    boolean isTextKey = field.name().equals(properties.key()) && field.type() == ColumnType.TEXT;
    if (isTextKey
        && field.origin() != Field.Origin.DATABASE
        && field.rules().max() > MAX_KEY_LENGTH) {
      throw problem(
          "create: key "
              + field.name()
              + " becomes part of a URL: its max must be at most "
              + MAX_KEY_LENGTH
              + ", was "
              + field.rules().max());
    }
  }

  private ListingException problem(String what) {
    return new ListingException("listing " + path + ": " + what);
  }
}
