package dev.countersign.cli.captured;

import java.util.Locale;

/**
 * A header or trailer field, as one line of a message (RFC 9112 section 5).
 *
 * @param name the name as spelled in the file
 * @param value the value without surrounding white space
 */
public record CapturedField(String name, String value) {

  boolean isNamed(String lowerCaseName) {
    return name.toLowerCase(Locale.ROOT).equals(lowerCaseName);
  }
}
