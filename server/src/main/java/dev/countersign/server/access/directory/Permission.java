package dev.countersign.server.access.directory;

import java.util.regex.Pattern;

/**
 * The right to perform one operation on one collection, written {@code area:collection:operation}.
 *
 * @param value the text, such as {@code ledger:wallets:read}
 */
public record Permission(String value) {
  private static final Pattern FORM = Pattern.compile("[a-z0-9-]+:[a-z0-9-]+:(read|create)");

  public Permission {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "a permission must be area:collection:read or area:collection:create, was " + value);
    }
  }

  public static Permission of(String value) {
    return new Permission(value);
  }

  @Override
  public String toString() {
    return value;
  }
}
