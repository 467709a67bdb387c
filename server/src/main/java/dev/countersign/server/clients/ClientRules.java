package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.INVALID;

import dev.countersign.protocol.ClientId;
import dev.countersign.protocol.PlainText;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.access.network.NetworkWhitelist;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Supplier;

/**
 * The rules for a client's record, which the commands and the portal share. Each method returns the
 * value as it is stored, or throws {@link ClientException} with the rule.
 */
public final class ClientRules {
  // In characters.
  private static final int MAX_NAME = 120;

  private final Roles roles;
  private final Attributes attributes;

  public ClientRules(Roles roles, Attributes attributes) {
    this.roles = roles;
    this.attributes = attributes;
  }

  String clientId(String clientId) {
    return allowed(() -> new ClientId(clientId).value());
  }

  public String name(String name) {
    String stripped = name.strip();
    int length = stripped.codePointCount(0, stripped.length());
    if (length < 1 || length > MAX_NAME) {
      throw invalid("a client's name must have 1 to " + MAX_NAME + " characters, was " + length);
    }
    if (stripped.codePoints().anyMatch(ClientRules::isInvisible)) {
      throw invalid(
          "a client's name must be one line of visible characters; remove control characters");
    }
    return stripped;
  }

  public List<String> whitelist(List<String> entries) {
    return allowed(() -> readWhitelist(entries).entries());
  }

  /**
   * Reads a whitelist as people type or paste it. Spaces and invisible marks at the ends of an
   * entry are dropped.
   *
   * @throws IllegalArgumentException if an entry is refused. The message gives the code point of a
   *     character outside printable ASCII, because the character may be invisible
   */
  public static NetworkWhitelist readWhitelist(List<String> entries) {
    List<String> stripped = entries.stream().map(ClientRules::stripped).toList();
    stripped.forEach(ClientRules::requireVisible);
    return NetworkWhitelist.parse(stripped);
  }

  /** Returns an entry of a whitelist without the spaces and invisible marks at its ends. */
  public static String stripped(String entry) {
    int start = 0;
    int end = entry.length();
    while (start < end && isMark(entry.charAt(start))) {
      start++;
    }
    while (start < end && isMark(entry.charAt(end - 1))) {
      end--;
    }
    return entry.substring(start, end);
  }

  // The byte order mark, U+200B to U+200D, and the marks of the direction of text.
  private static boolean isMark(char c) {
    return Character.isWhitespace(c) || c == '\ufeff' || (c >= '\u200b' && c <= '\u200f');
  }

  private static void requireVisible(String entry) {
    OptionalInt foreign = entry.codePoints().filter(c -> c < ' ' || c > '~').findFirst();
    if (foreign.isPresent()) {
      int code = foreign.getAsInt();
      throw new IllegalArgumentException(
          "network whitelist: "
              + PlainText.quoted(entry)
              + String.format(
                  Locale.ROOT,
                  " has the character U+%04X after %d others; remove it",
                  code,
                  entry.codePointCount(0, entry.indexOf(code))));
    }
  }

  public List<String> roles(List<String> names) {
    List<String> distinct = names.stream().distinct().toList();
    if (distinct.isEmpty()) {
      throw invalid("a client needs at least one role; the roles are " + roleNames());
    }
    return allowed(
        () -> {
          roles.requireKnown(distinct);
          return distinct;
        });
  }

  public AttributeSetting attribute(String name, AttributeSetting setting) {
    return allowed(() -> attributes.check(name, setting));
  }

  Map<String, AttributeSetting> attributes(Map<String, AttributeSetting> settings) {
    Map<String, AttributeSetting> checked = new TreeMap<>(settings);
    checked.replaceAll(this::attribute);
    return checked;
  }

  /**
   * Requires that the client has each of these attributes, or that the configuration has it. A
   * client may have an attribute that is no longer in the configuration.
   */
  void requireKnown(Collection<String> names, Client client) {
    for (String name : names) {
      if (!client.attributes().containsKey(name)) {
        allowed(() -> attributes.require(name));
      }
    }
  }

  private String roleNames() {
    return String.join(", ", roles.names());
  }

  // Also true for lone surrogates and for characters that change the direction of text.
  private static boolean isInvisible(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          true;
      default -> false;
    };
  }

  private static <T> T allowed(Supplier<T> check) {
    try {
      return check.get();
    } catch (IllegalArgumentException refused) {
      throw invalid(String.valueOf(refused.getMessage()));
    }
  }

  private static ClientException invalid(String message) {
    return new ClientException(INVALID, message);
  }
}
