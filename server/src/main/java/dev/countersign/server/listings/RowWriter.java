package dev.countersign.server.listings;

import dev.countersign.server.store.Dialect;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Writes rows as JSON objects, from the result set straight into the generator. */
final class RowWriter {
  private final List<Field> fields;
  private final Dialect dialect;

  RowWriter(List<Field> fields, Dialect dialect) {
    this.fields = fields;
    this.dialect = dialect;
  }

  /** Writes the row that the result set stands on; its columns are the fields in order. */
  void write(ResultSet row, JsonGenerator json) throws SQLException {
    json.writeStartObject();
    int column = 1;
    for (Field field : fields) {
      json.writeName(field.json());
      write(field, row, column++, json);
    }
    json.writeEndObject();
  }

  private void write(Field field, ResultSet row, int column, JsonGenerator json)
      throws SQLException {
    switch (field.type()) {
      case UUID, TEXT -> text(row.getString(column), json);
      case TIMESTAMP -> text(dialect.timestampText(row, column), json);
      case INTEGER -> {
        long number = row.getLong(column);
        if (row.wasNull()) {
          json.writeNull();
        } else {
          json.writeNumber(number);
        }
      }
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

  // Design note: the drivers' own decimals go through double on SQLite; the text does not.
  private static void decimal(@Nullable String value, JsonGenerator json) throws SQLException {
    if (value == null) {
      json.writeNull();
      return;
    }
    try {
      json.writeNumber(new BigDecimal(value));
    } catch (NumberFormatException e) {
      throw new SQLException("a column of decimals holds what JSON cannot say", "22003", e);
    }
  }
}
