package dev.countersign.server.tables;

import dev.countersign.protocol.DecimalText;
import dev.countersign.server.store.StoredText;
import java.math.BigDecimal;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/**
 * JSON values (RFC 8259) that are stored, and those that callers can store.
 *
 * <p>Design note: PostgreSQL writes every digit of a number, so a few characters such as {@code
 * 1e100000} would become a value of many kilobytes.
 */
public final class StoredJson {
  /** The maximum absolute value of the exponent of a number in scientific notation. */
  public static final int MAXIMUM_EXPONENT = 100;

  // The same limit as in the body of a request. All other limits are Jackson's.
  private static final JsonFactory STORABLE =
      parsers(StreamReadConstraints.builder().maxNumberLength(DecimalText.MAXIMUM_LENGTH).build());

  // Another program may have stored any value that the database accepts. The parser neither
  // recurses nor converts a number, so it only needs memory for each level. PostgreSQL's parser
  // recurses, and its stack ends at fewer levels.
  private static final JsonFactory STORED =
      parsers(
          StreamReadConstraints.builder()
              .maxNestingDepth(100_000)
              .maxNumberLength(Integer.MAX_VALUE)
              .maxNameLength(Integer.MAX_VALUE)
              .build());

  private StoredJson() {}

  // With canonical names, the factory would keep thousands of the names that it has read.
  private static JsonFactory parsers(StreamReadConstraints limits) {
    return JsonFactory.builder()
        .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
        .streamReadConstraints(limits)
        .build();
  }

  /** Returns whether text is one JSON value of any length, nested at most 100,000 levels deep. */
  public static boolean isValid(String text) {
    return isValid(text, false);
  }

  /**
   * Returns whether text is one JSON value that both databases can store: no name and no string in
   * it contains U+0000 or a lone surrogate, not even escaped, and every number has at most {@link
   * DecimalText#MAXIMUM_LENGTH} digits and an exponent in range.
   */
  public static boolean isStorable(String text) {
    return isValid(text, true);
  }

  private static boolean isValid(String text, boolean storable) {
    JsonFactory parsers = storable ? STORABLE : STORED;
    try (JsonParser json = parsers.createParser(ObjectReadContext.empty(), text)) {
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
