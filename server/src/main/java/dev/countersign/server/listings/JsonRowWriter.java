package dev.countersign.server.listings;

import dev.countersign.protocol.DecimalText;
import dev.countersign.server.listings.UnreadableValues.UnreadableValueException;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.TableDialect;
import java.io.Writer;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;

/**
 * Writes rows as JSON objects, directly from the result set to the generator. Every row of a page,
 * every single record and every created record is written here.
 */
final class JsonRowWriter {
  // The SQL state class of data exceptions. Drivers also use it for a value that they cannot
  // convert.
  private static final String DATA_EXCEPTION = "22";

  private final Listing listing;
  private final TableDialect dialect;

  JsonRowWriter(Listing listing, TableDialect dialect) {
    this.listing = listing;
    this.dialect = dialect;
  }

  /**
   * Requires that the columns of a result still have the types of the fields.
   *
   * @throws ListingException if the type of a column has changed
   */
  void require(ResultSetMetaData result) throws SQLException {
    int column = 1;
    for (Field field : listing.fields()) {
      if (!dialect.stillHasType(result, column++, field.column(), field.type())) {
        throw new ListingException(
            "listing "
                + listing.path()
                + ": the type of column "
                + field.column().name()
                + " has changed");
      }
    }
  }

  /**
   * Writes the current row of the result set, whose columns are the fields in their order.
   *
   * @throws UnreadableValueException if JSON cannot express one of its values
   */
  void write(ResultSet row, JsonGenerator json) throws SQLException {
    json.writeStartObject();
    int column = 1;
    for (Field field : listing.fields()) {
      json.writeName(field.json());
      try {
        write(field, row, column++, json);
      } catch (NumberFormatException | SQLException e) {
        throw unreadable(field, row, e);
      }
    }
    json.writeEndObject();
  }

  private RuntimeException unreadable(Field field, ResultSet row, Exception failure)
      throws SQLException {
    return unreadable(field, shownKey(row, listing.fields().indexOf(listing.key()) + 1), failure);
  }

  /**
   * Returns the exception for a value that cannot be served.
   *
   * @param key the key of its record as text
   * @throws SQLException the failure, if it is not about the value
   */
  RuntimeException unreadable(Field field, @Nullable String key, Exception failure)
      throws SQLException {
    if (failure instanceof SQLException sql) {
      requireDataException(sql);
    }
    return new UnreadableValueException(new UnreadableValues.Value(listing, field, key), failure);
  }

  /** Returns the key of the current row as text. */
  @Nullable String key(ResultSet row) throws SQLException {
    return key(row, listing.fields().indexOf(listing.key()) + 1);
  }

  private @Nullable String key(ResultSet row, int column) throws SQLException {
    Field key = listing.key();
    return key.type() == ColumnType.TEXT
        ? dialect.text(row, column, key.column())
        : row.getString(column);
  }

  /** Returns the key in this column for the operator, even if it is unreadable itself. */
  @Nullable String shownKey(ResultSet row, int column) throws SQLException {
    try {
      return key(row, column);
    } catch (SQLException e) {
      requireDataException(e);
      return row.getObject(column) instanceof byte[] bytes
          ? "x'" + HexFormat.of().formatHex(bytes) + "'"
          : row.getString(column);
    }
  }

  /** Returns whether JSON can express the value of a field, which is in this column. */
  boolean canWrite(Field field, ResultSet row, int column) throws SQLException {
    try (JsonGenerator json =
        JsonAnswer.JSON.createGenerator(ObjectWriteContext.empty(), Writer.nullWriter())) {
      write(field, row, column, json);
      return true;
    } catch (NumberFormatException e) {
      return false;
    } catch (SQLException e) {
      requireDataException(e);
      return false;
    }
  }

  private static void requireDataException(SQLException failure) throws SQLException {
    if (!String.valueOf(failure.getSQLState()).startsWith(DATA_EXCEPTION)) {
      throw failure;
    }
  }

  private void write(Field field, ResultSet row, int column, JsonGenerator json)
      throws SQLException {
    switch (field.type()) {
      case UUID -> text(dialect.uuidText(row, column), json);
      case TEXT -> text(dialect.text(row, column, field.column()), json);
      case TIMESTAMP -> text(dialect.timestampText(row, column, field.column()), json);
      case DATE -> text(dialect.dateText(row, column), json);
      case JSON -> raw(dialect.jsonText(row, column), json);
      case INTEGER -> integer(row.getObject(column), json);
      case DECIMAL -> decimal(dialect.decimal(row, column), json);
      case BOOLEAN -> bool(dialect.bool(row, column), json);
    }
  }

  private static void text(@Nullable String value, JsonGenerator json) {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value);
    }
  }

  private static void raw(@Nullable String value, JsonGenerator json) {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeRawValue(value);
    }
  }

  // Design note: an integer column of SQLite may also contain other values, and getLong would
  // convert each to an integer.
  private static void integer(@Nullable Object value, JsonGenerator json) throws SQLException {
    switch (value) {
      case null -> json.writeNull();
      case Integer number -> json.writeNumber(number.intValue());
      case Long number -> json.writeNumber(number.longValue());
      default ->
          throw new SQLException(
              "an integer column contains a value that is not an integer", "22003");
    }
  }

  private static void bool(@Nullable Boolean value, JsonGenerator json) {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeBoolean(value);
    }
  }

  private static void decimal(@Nullable BigDecimal value, JsonGenerator json) {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeNumber(DecimalText.of(value));
    }
  }
}
