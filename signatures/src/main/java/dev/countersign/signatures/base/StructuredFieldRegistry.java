package dev.countersign.signatures.base;

import static dev.countersign.signatures.base.FieldType.DICTIONARY;
import static dev.countersign.signatures.base.FieldType.ITEM;
import static dev.countersign.signatures.base.FieldType.LIST;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * The fields that are structured, and their types. A signer and a verifier must agree on these
 * types before they use {@code sf} or {@code key} (RFC 9421 sections 1.4 and 2.1.1).
 *
 * @see <a href="https://www.iana.org/assignments/http-fields/http-fields.xhtml">HTTP Field Name
 *     Registry</a>
 */
public final class StructuredFieldRegistry {
  private static final StructuredFieldRegistry REGISTERED =
      new StructuredFieldRegistry(registeredTypes());

  private final Map<String, FieldType> types;

  private StructuredFieldRegistry(Map<String, FieldType> types) {
    this.types = Map.copyOf(types);
  }

  /** The fields that the IANA registry listed as structured in 2025. */
  public static StructuredFieldRegistry registered() {
    return REGISTERED;
  }

  /** Returns a copy with the type of one field added or replaced. */
  public StructuredFieldRegistry with(String fieldName, FieldType type) {
    Map<String, FieldType> more = new HashMap<>(types);
    more.put(fieldName.toLowerCase(Locale.ROOT), type);
    return new StructuredFieldRegistry(more);
  }

  /** The type of a field, if it is known to be structured. */
  Optional<FieldType> of(String lowerCaseName) {
    return Optional.ofNullable(types.get(lowerCaseName));
  }

  private static Map<String, FieldType> registeredTypes() {
    Map<String, FieldType> types = new HashMap<>();
    List.of(
            "accept-ch",
            "cache-group-invalidation",
            "cache-groups",
            "cache-status",
            "client-cert-chain",
            "proxy-status")
        .forEach(name -> types.put(name, LIST));
    List.of(
            "accept-signature",
            "cdn-cache-control",
            "content-digest",
            "priority",
            "reporting-endpoints",
            "repr-digest",
            "signature",
            "signature-input",
            "use-as-dictionary",
            "want-content-digest",
            "want-repr-digest")
        .forEach(name -> types.put(name, DICTIONARY));
    List.of(
            "available-dictionary",
            "capsule-protocol",
            "client-cert",
            "cross-origin-embedder-policy",
            "cross-origin-embedder-policy-report-only",
            "cross-origin-opener-policy",
            "cross-origin-opener-policy-report-only",
            "deprecation",
            "dictionary-id",
            "origin-agent-cluster")
        .forEach(name -> types.put(name, ITEM));
    return types;
  }
}
