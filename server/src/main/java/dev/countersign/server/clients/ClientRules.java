package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.INVALID;

import dev.countersign.protocol.ClientId;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.access.network.NetworkWhitelist;
import java.util.List;
import java.util.function.Supplier;

/**
 * The rules for a client's record, which the commands and the portal share. Each method returns the
 * value as it is stored, or throws {@link ClientException} with the rule.
 */
public final class ClientRules {
  // In characters.
  private static final int MAX_NAME = 120;

  private final Roles roles;

  public ClientRules(Roles roles) {
    this.roles = roles;
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
    return allowed(() -> NetworkWhitelist.parse(entries).entries());
  }

  public List<String> roles(List<String> names) {
    List<String> distinct = names.stream().distinct().toList();
    if (distinct.isEmpty()) {
      throw invalid("a client needs at least one role; the roles are " + known());
    }
    return allowed(
        () -> {
          roles.requireKnown(distinct);
          return distinct;
        });
  }

  private String known() {
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
