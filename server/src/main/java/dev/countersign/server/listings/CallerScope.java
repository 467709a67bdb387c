package dev.countersign.server.listings;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Database.CallerSettings;
import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.TableDialect;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The records of a listing that the calling client may see and create. Every statement of a request
 * requires a scope, and a scope cannot be created without a client.
 */
final class CallerScope {
  private final CallingClient client;
  private final Map<Field, AttributeValue> admitted;
  private final boolean isUnderPolicies;

  private CallerScope(
      CallingClient client, Map<Field, AttributeValue> admitted, boolean isUnderPolicies) {
    this.client = client;
    this.admitted = admitted;
    this.isUnderPolicies = isUnderPolicies;
  }

  /**
   * Returns the scope of a client, as a part of the check {@code authorization}.
   *
   * @throws DeniedException {@link Reason#SCOPE_MISSING}, naming the attribute that the client does
   *     not have
   */
  static CallerScope of(Listing listing, CallingClient client) {
    Map<Field, AttributeValue> admitted = new LinkedHashMap<>();
    listing
        .scope()
        .forEach(
            (field, attribute) -> admitted.put(listing.field(field), required(client, attribute)));
    return new CallerScope(client, admitted, listing.table().hasRowSecurity());
  }

  private static AttributeValue required(CallingClient client, String attribute) {
    return client
        .attribute(attribute)
        .orElseThrow(
            () ->
                new DeniedException(
                    Reason.SCOPE_MISSING,
                    "this collection shows each client only its own records, and the client has no"
                        + " attribute "
                        + attribute
                        + "; ask the operator to set it"));
  }

  /** Returns the condition that a row belongs to the scope. */
  Condition condition(TableDialect dialect) {
    List<Condition> conditions = new ArrayList<>();
    admitted.forEach(
        (field, value) -> {
          switch (value) {
            case AttributeValue.Values some ->
                conditions.add(dialect.equal(field.column(), field.type(), some.values()));
            case AttributeValue.Everything all -> {}
          }
        });
    return Condition.all(conditions);
  }

  /** Returns whether the scope decides about this field. */
  boolean covers(Field field) {
    return admitted.containsKey(field);
  }

  /** Returns the only value that a field can have in this scope; empty if there are several. */
  Optional<Object> only(Field field) {
    return admitted.get(field) instanceof AttributeValue.Values some && some.values().size() == 1
        ? Optional.of(some.values().getFirst())
        : Optional.empty();
  }

  /** Returns the names of the fields that have one value in all records of the scope. */
  Set<String> fixed() {
    return admitted.keySet().stream()
        .filter(field -> only(field).isPresent())
        .map(Field::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Enters the check {@code authorization} again, for the values of a new record.
   *
   * @throws DeniedException {@link Reason#SCOPE_VIOLATION} if a value is outside the scope
   */
  void require(Map<Field, @Nullable Object> values) {
    if (admitted.isEmpty()) {
      return;
    }
    client.authorize(
        () -> {
          admitted.forEach(
              (field, value) -> {
                Object given = values.get(field);
                if (value instanceof AttributeValue.Values some
                    && (given == null || !some.values().contains(given))) {
                  throw violation(
                      field.name()
                          + " must be one of the client's own values; correct it, or ask the"
                          + " operator to add the value");
                }
              });
          return values;
        });
  }

  /** Refuses a record that the database stored outside the scope, for example by a trigger. */
  DeniedException refuseStored() {
    return client.authorize(
        () -> {
          throw violation(
              "the collection would store the record outside the client's scope; ask the"
                  + " operator");
        });
  }

  private static DeniedException violation(String detail) {
    return new DeniedException(Reason.SCOPE_VIOLATION, detail);
  }

  /** Returns the view of the store for the request of the calling client. */
  Database connections(Database database) {
    return client.connections(database);
  }

  /** Returns the fields that have one of the client's values in all records of the scope. */
  List<Field> compared() {
    return admitted.entrySet().stream()
        .filter(rule -> rule.getValue() instanceof AttributeValue.Values)
        .map(Map.Entry::getKey)
        .toList();
  }

  /**
   * Returns the identity of a list of the client. It contains the client's attributes, because
   * policies and views may depend on them.
   */
  Totals.ListKey listKey(Listing listing, Filters filters) {
    return new Totals.ListKey(
        listing.path(), client.clientId(), client.attributes(), filters.identity());
  }

  /** Returns the settings by which policies of row-level security recognize the client. */
  CallerSettings settings() {
    return this::values;
  }

  private Map<String, String> values() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("countersign.client_id", client.clientId());
    client
        .attributes()
        .forEach(
            (name, value) -> {
              switch (value) {
                case AttributeValue.Values some ->
                    settings.put("countersign.attribute_" + name, json(some.values()));
                case AttributeValue.Everything all ->
                    settings.put("countersign.everything_" + name, "true");
              }
            });
    return settings;
  }

  /**
   * Returns a text of all values that decide about the scope; empty if there are none. Policies of
   * row-level security can decide by any attribute of the client, so if they apply, the text
   * contains all attributes.
   */
  String text() {
    Map<String, List<String>> parts = new TreeMap<>();
    admitted.forEach((field, value) -> parts.put(field.name(), sorted(value)));
    if (isUnderPolicies) {
      // No field has a name with a dot.
      client.attributes().forEach((name, value) -> parts.put("attribute." + name, sorted(value)));
    }
    return parts.isEmpty() ? "" : json(parts);
  }

  // Only Everything becomes an empty list, because Values has at least one value.
  private static List<String> sorted(AttributeValue value) {
    return switch (value) {
      case AttributeValue.Values some ->
          some.values().stream().map(Object::toString).sorted().toList();
      case AttributeValue.Everything all -> List.of();
    };
  }

  private static String json(Object values) {
    return JsonMapper.shared().writeValueAsString(values);
  }
}
