package dev.countersign.server.portal.listings;

import dev.countersign.server.listings.Field;
import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.TextRules;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A field of a listing in words.
 *
 * @param name the member's name
 * @param type the name of its type in the configuration
 * @param column the column behind it
 * @param isKey whether this member identifies the record in its URL
 * @param origin the source of a new record's value
 * @param rules the rules for a value besides its type
 */
record FieldRow(
    String name, String type, String column, boolean isKey, String origin, List<String> rules) {

  FieldRow {
    rules = List.copyOf(rules);
  }

  static FieldRow of(Field field, Listing listing) {
    String attribute = listing.scope().get(field.name());
    return new FieldRow(
        field.name(),
        field.type().word(),
        field.column().name(),
        field.equals(listing.key()),
        attribute == null ? origin(field) : "caller; if omitted, the client's only value",
        rules(field, attribute));
  }

  private static String origin(Field field) {
    return switch (field.origin()) {
      case CALLER_REQUIRED -> "caller, required";
      case CALLER_OPTIONAL -> "caller";
      case SERVER -> "service";
      case DATABASE -> "database";
    };
  }

  private static List<String> rules(Field field, @Nullable String attribute) {
    TextRules text = field.rules();
    List<String> rules = new ArrayList<>();
    if (attribute != null) {
      rules.add("a value of the client's attribute " + attribute);
    }
    if (text.max() != TextRules.DEFAULT_MAX) {
      rules.add("at most " + text.max() + " characters");
    }
    if (text.pattern() != null) {
      rules.add("matches " + text.pattern());
    }
    if (!text.oneOf().isEmpty()) {
      rules.add("one of " + String.join(", ", text.oneOf()));
    }
    if (field.defaultValue() != null) {
      rules.add("default " + field.defaultValue());
    }
    return rules;
  }
}
