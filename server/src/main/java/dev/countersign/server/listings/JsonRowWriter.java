package dev.countersign.server.listings;

import dev.countersign.server.store.Dialect;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/**
 * Writes rows as JSON objects, directly from the result set to the generator. Every row of a page,
 * every single record and every created record is written here.
 */
final class JsonRowWriter {
  // The SQL state class of data exceptions. Drivers also use it for a value that they cannot
  // convert.
  private static final String DATA_EXCEPTION = "22";

  private final Listing listing;
  private final Dialect dialect;

  JsonRowWriter(Listing listing, Dialect dialect) {
    this.listing = listing;
    this.dialect = dialect;
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
    if (failure instanceof SQLException sql
        && !String.valueOf(sql.getSQLState()).startsWith(DATA_EXCEPTION)) {
      throw sql;
    }
    String key = row.getString(listing.fields().indexOf(listing.key()) + 1);
    return new UnreadableValueException(listing.table().name(), field, key, failure);
  }

  private void write(Field field, ResultSet row, int column, JsonGenerator json)
      throws SQLException {
    switch (field.type()) {
      case UUID, TEXT -> text(row.getString(column), json);
      case TIMESTAMP -> text(dialect.timestampText(row, column), json);
      case INTEGER -> integer(row.getObject(column), json);
      case DECIMAL -> decimal(row.getString(column), json);
      case BOOLEAN -> {
        boolean value = row.getBoolean(column);
        if (row.wasNull()) {
          json.writeNull();
        } else {
          json.writeBoolean(value);
        }
      }
    }
  }

  private static void text(@Nullable String value, JsonGenerator json) {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeString(value);
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

  // Design note: on SQLite, the driver reads decimals as double; the text is exact. RFC 8259
  // section 6: numbers are finite, and BigDecimal accepts no others.
  private static void decimal(@Nullable String value, JsonGenerator json) {
    if (value == null) {
      json.writeNull();
    } else {
      json.writeNumber(new BigDecimal(value));
    }
  }
}
