package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.BareItem;
import dev.countersign.signatures.fields.BooleanItem;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.fields.StringItem;
import java.util.List;
import java.util.Set;

/** Finds the value of a component in a message (RFC 9421 section 2). */
final class ComponentValue {
  /** The parameters without a value that a field component can have. */
  private static final Set<String> FIELD_FLAGS = Set.of("sf", "bs", "tr", "req");

  private final ComponentIdentifier identifier;
  private final StructuredFieldRegistry types;
  private final ParsedParts parts;

  private ComponentValue(
      ComponentIdentifier identifier, StructuredFieldRegistry types, ParsedParts parts) {
    this.identifier = identifier;
    this.types = types;
    this.parts = parts;
  }

  /**
   * Checks that a component can exist at all.
   *
   * @throws IllegalArgumentException for an unknown derived component, and for parameters that do
   *     not fit the component or each other
   */
  static void requireForm(ComponentIdentifier identifier) {
    ComponentValue value =
        new ComponentValue(identifier, StructuredFieldRegistry.registered(), new ParsedParts());
    try {
      value.checkParameters();
      if (identifier.isDerived() && value.component() == DerivedComponent.QUERY_PARAM) {
        value.requireEncodedName();
      }
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "no message has the component " + identifier.serialize() + ": " + e.getMessage(), e);
    }
  }

  /**
   * The value of a component.
   *
   * @param parts the parsed parts of this target, shared by the components of one base
   * @throws VerificationException {@link VerificationFailure#COMPONENTS_WRONG} when the parameters
   *     do not fit the component, when the message has no such component, or when the value is not
   *     allowed in a signature base
   */
  static String of(
      ComponentIdentifier identifier,
      HttpMessage target,
      StructuredFieldRegistry types,
      ParsedParts parts) {
    try {
      return new ComponentValue(identifier, types, parts).in(target);
    } catch (FieldParseException e) {
      throw wrong(identifier, "is not a structured field of its type: " + e.getMessage());
    } catch (IllegalArgumentException e) {
      throw wrong(identifier, "cannot be taken from the message: " + e.getMessage());
    }
  }

  private String in(HttpMessage target) {
    if (!identifier.parameters().isEmpty()) {
      checkParameters();
    }
    HttpMessage context = has("req") ? requestOf(target) : target;
    String value = identifier.isDerived() ? derived(context) : field(context);
    checkCharacters(value);
    return value;
  }

  /**
   * RFC 9421 section 2.5: the base is ASCII. A line break in a value could forge another line of
   * the base.
   */
  private void checkCharacters(String value) {
    boolean derived = identifier.isDerived();
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c > '~' || (c < ' ' && (derived || c != '\t'))) {
        throw new IllegalArgumentException(
            "its value has characters other than printable ASCII" + (derived ? "" : "; use ;bs"));
      }
    }
    // RFC 9421 section 2.2: a derived value neither starts nor ends with whitespace.
    if (derived && (value.startsWith(" ") || value.endsWith(" "))) {
      throw new IllegalArgumentException("its value begins or ends with a space");
    }
  }

  /** The request of a response, for the parameter {@code req} (RFC 9421 section 2.4). */
  private static RequestMessage requestOf(HttpMessage target) {
    if (target instanceof ResponseMessage response) {
      return response
          .request()
          .orElseThrow(
              () -> new IllegalArgumentException("the request of this response is not available"));
    }
    throw new IllegalArgumentException("req is allowed only in the signature of a response");
  }

  private String derived(HttpMessage context) {
    return component().of(context, identifier, parts);
  }

  private DerivedComponent component() {
    DerivedComponent component =
        DerivedComponent.named(identifier.name())
            .orElseThrow(() -> new IllegalArgumentException("it is not a known derived component"));
    boolean named = has("name");
    if (named != (component == DerivedComponent.QUERY_PARAM)) {
      throw new IllegalArgumentException(
          "@query-param needs the parameter name, and no other component may have it");
    }
    return component;
  }

  private String field(HttpMessage context) {
    List<String> lines =
        has("tr") ? context.trailerLines(identifier.name()) : context.fieldLines(identifier.name());
    // An absent field is an error and never an empty value (RFC 9421 section 2.5).
    if (lines.isEmpty()) {
      throw new IllegalArgumentException("the message has no such field");
    }
    if (identifier.parameters().isEmpty()) {
      return FieldValue.combined(lines);
    }
    if (has("bs")) {
      return FieldValue.bytes(lines);
    }
    if (has("key")) {
      requireType(FieldType.DICTIONARY);
      return member(lines);
    }
    return has("sf") ? FieldValue.strict(lines, type()) : FieldValue.combined(lines);
  }

  /** One member of a dictionary, for the parameter {@code key} (RFC 9421 section 2.1.2). */
  private String member(List<String> lines) {
    StringItem key = (StringItem) identifier.parameters().get("key").orElseThrow();
    String place = identifier.name() + (has("tr") ? ";tr" : "") + (has("req") ? ";req" : "");
    return parts
        .dictionary(place, lines)
        .get(key.value())
        .orElseThrow(() -> new IllegalArgumentException("the dictionary has no such member"))
        .serialize();
  }

  private FieldType type() {
    return types
        .of(identifier.name())
        .orElseThrow(
            () -> new IllegalArgumentException("it is not known to be a structured field"));
  }

  private void requireType(FieldType type) {
    if (type() != type) {
      throw new IllegalArgumentException("key needs a dictionary, but the field is not one");
    }
  }

  /**
   * RFC 9421 sections 2.1, 2.2 and 2.5: each parameter is known, fits the component, and may be
   * combined with the other parameters.
   */
  private void checkParameters() {
    Parameters parameters = identifier.parameters();
    if (!parameters.repeatedKeys().isEmpty()) {
      throw new IllegalArgumentException("one of its parameters occurs twice");
    }
    parameters.asMap().forEach(this::checkParameter);
    if (has("bs") && (has("sf") || has("key"))) {
      throw new IllegalArgumentException("bs cannot be combined with sf or key");
    }
  }

  // No parameter of a query has another name. A rule for it would never apply.
  private void requireEncodedName() {
    if (identifier.parameters().get("name").orElseThrow() instanceof StringItem name
        && !RawQuery.isEncoded(name.value())) {
      throw new IllegalArgumentException(
          "the name of a query parameter must be percent-encoded"
              + RawQuery.encoded(name.value()).map(text -> " as " + text).orElse(""));
    }
  }

  private void checkParameter(String parameter, BareItem value) {
    boolean fits =
        identifier.isDerived()
            ? (parameter.equals("name") && value instanceof StringItem)
                || (parameter.equals("req") && value.equals(BooleanItem.TRUE))
            : (parameter.equals("key") && value instanceof StringItem)
                || (FIELD_FLAGS.contains(parameter) && value.equals(BooleanItem.TRUE));
    if (!fits) {
      throw new IllegalArgumentException("the parameter " + parameter + " is not allowed for it");
    }
  }

  private boolean has(String parameter) {
    return identifier.parameters().contains(parameter);
  }

  private static VerificationException wrong(ComponentIdentifier identifier, String fault) {
    return VerificationException.faultyComponent(
        identifier, "the component " + identifier.serialize() + ' ' + fault);
  }
}
