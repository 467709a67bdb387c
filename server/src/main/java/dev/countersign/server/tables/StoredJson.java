package dev.countersign.server.tables;

import dev.countersign.protocol.DecimalText;
import dev.countersign.server.store.StoredText;
import java.math.BigDecimal;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON values (RFC 8259) that callers can store.
 *
 * <p>Design note: PostgreSQL writes every digit of a number, so a few characters such as {@code
 * 1e100000} would become a value of many kilobytes.
 */
public final class StoredJson {
  /** The maximum absolute value of the exponent of a number in scientific notation. */
  public static final int MAXIMUM_EXPONENT = 100;

  private static final JsonFactory JSON = new JsonFactory();

  private StoredJson() {}

  /** Returns whether text is one JSON value. */
  public static boolean isValid(String text) {
    return isValid(text, false);
  }

  /**
   * Returns whether text is one JSON value that both databases can store: no name and no string in
   * it contains U+0000 or a lone surrogate, not even escaped, and every number has an exponent in
   * range.
   */
  public static boolean isStorable(String text) {
    return isValid(text, true);
  }

  private static boolean isValid(String text, boolean storable) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      int depth = 0;
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        if (storable && !isStorable(token, json)) {
          return false;
        }
        if (token.isStructStart()) {
          depth++;
        } else if (token.isStructEnd()) {
          depth--;
        }
        if (depth == 0) {
          return json.nextToken() == null;
        }
      }
      return false;
    } catch (JacksonException e) {
      return false;
    }
  }

  private static boolean isNumberStorable(String text) {
    try {
      return DecimalText.hasBoundedExponent(new BigDecimal(text), MAXIMUM_EXPONENT);
    } catch (NumberFormatException e) {
      return false; // the exponent does not even fit into an int
    }
  }

  private static boolean isStorable(JsonToken token, JsonParser json) {
    return switch (token) {
      case PROPERTY_NAME, VALUE_STRING -> StoredText.isStorable(json.getString());
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> isNumberStorable(json.getString());
      default -> true;
    };
  }
}
