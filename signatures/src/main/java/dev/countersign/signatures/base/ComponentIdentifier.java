package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.BareItem;
import dev.countersign.signatures.fields.BooleanItem;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.Item;
import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.fields.StringItem;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Names one component of a message: a field or a derived component, with its parameters (RFC 9421
 * section 2).
 *
 * <pre>{@code
 * ComponentIdentifier.of("@method")                    // "@method"
 * ComponentIdentifier.of("content-digest").withReq()   // "content-digest";req
 * ComponentIdentifier.queryParam("page")               // "@query-param";name="page"
 * }</pre>
 *
 * <p>Two identifiers are equal if their names and parameters are equal, whatever the order of the
 * parameters. {@code "content-digest"} and {@code "content-digest";req} are two different
 * components.
 *
 * @param name a field's name in lower case, or a derived component's name with its {@code @}
 * @param parameters the parameters in the order in which they are written
 */
public record ComponentIdentifier(String name, Parameters parameters) {

  private static final Set<String> WHOLE_FIELD_PARAMETERS = Set.of("sf", "bs");
  private static final Set<String> COMMON_NAMES =
      Set.of("@method", "@target-uri", "@authority", "@path", "@query", "content-digest", "date");
  private static final String NAME_MARKS = "!#$%&'*+-.^_`|~";

  /**
   * @throws IllegalArgumentException unless the name is a field name in lower case, optionally with
   *     {@code @} before it
   */
  public ComponentIdentifier {
    // A lookup among the common names is faster than checking each letter.
    if (!COMMON_NAMES.contains(name)) {
      requireName(name);
    }
  }

  private static void requireName(String name) {
    // RFC 9421 section 2.1: field names in lower case; section 2.2: derived ones begin with '@'.
    int first = name.startsWith("@") ? 1 : 0;
    if (name.length() == first || !isLowerCaseToken(name, first)) {
      throw new IllegalArgumentException(
          "a component must be a field's name in lower case or begin with @, was \""
              + name.replaceAll("[^ -~]", "?")
              + '"');
    }
  }

  /** RFC 9110 section 5.6.2: the characters of a field name. */
  private static boolean isLowerCaseToken(String name, int start) {
    for (int i = start; i < name.length(); i++) {
      char c = name.charAt(i);
      if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && NAME_MARKS.indexOf(c) < 0) {
        return false;
      }
    }
    return true;
  }

  /** The identifier of a component without parameters. */
  public static ComponentIdentifier of(String name) {
    return new ComponentIdentifier(name, Parameters.empty());
  }

  /**
   * The identifier of one query parameter (RFC 9421 section 2.2.8).
   *
   * @param encodedName the parameter's name, percent-encoded: {@code fa%C3%A7ade}
   */
  public static ComponentIdentifier queryParam(String encodedName) {
    return of("@query-param").with("name", new StringItem(encodedName));
  }

  /**
   * Reads an identifier as written in a signature base: {@code "content-digest";req}.
   *
   * @throws FieldParseException when it is not a structured item
   * @throws IllegalArgumentException when the item does not name a component
   */
  public static ComponentIdentifier parse(String text) {
    return of(Item.parse(text));
  }

  /**
   * @throws IllegalArgumentException when the item does not name a component
   */
  static ComponentIdentifier of(Item item) {
    if (item.value() instanceof StringItem name) {
      return new ComponentIdentifier(name.value(), item.parameters());
    }
    throw new IllegalArgumentException("a component's name must be in double quotes");
  }

  /** This component with its value serialized as a structured field (RFC 9421 section 2.1.1). */
  public ComponentIdentifier withSf() {
    return with("sf", BooleanItem.TRUE);
  }

  /** One member of this dictionary field (RFC 9421 section 2.1.2). */
  public ComponentIdentifier withKey(String key) {
    return with("key", new StringItem(key));
  }

  /** This component with each line of the field as a byte sequence (RFC 9421 section 2.1.3). */
  public ComponentIdentifier withBs() {
    return with("bs", BooleanItem.TRUE);
  }

  /** This component, taken from the trailers (RFC 9421 section 2.1.4). */
  public ComponentIdentifier withTr() {
    return with("tr", BooleanItem.TRUE);
  }

  /** This component, taken from the request that a response answers (RFC 9421 section 2.4). */
  public ComponentIdentifier withReq() {
    return with("req", BooleanItem.TRUE);
  }

  private ComponentIdentifier with(String parameter, BareItem value) {
    return new ComponentIdentifier(name, parameters.with(parameter, value));
  }

  /** Returns whether this names a derived component rather than a field (RFC 9421 section 2.2). */
  public boolean isDerived() {
    return name.startsWith("@");
  }

  /** Returns whether this is the component with this name and no parameters. */
  public boolean isBare(String other) {
    return parameters.isEmpty() && name.equals(other);
  }

  /**
   * Returns whether this covers a whole header field of the message itself: it has no parameters
   * other than sf and bs.
   */
  public boolean isWhole(String field) {
    return name.equals(field) && WHOLE_FIELD_PARAMETERS.containsAll(parameters.keys());
  }

  /**
   * Returns whether a message has this component. If this cannot be determined, such as for a
   * member of a field that is not a dictionary, the component counts as present.
   */
  public boolean isPresentIn(HttpMessage message) {
    return ComponentPresence.of(this, message);
  }

  /**
   * Checks that a message can have such a component at all.
   *
   * @throws IllegalArgumentException if the derived component is unknown, if a parameter is not
   *     allowed for the component, or if the parameters cannot be combined
   */
  public void requireForm() {
    ComponentValue.requireForm(this);
  }

  /** The identifier as written in a signature base: {@code "date"}. */
  public String serialize() {
    return '"' + name + '"' + parameters.serialize();
  }

  /** A text that is the same for two identifiers if and only if they are equal. */
  String identity() {
    return parameters.size() < 2
        ? serialize()
        : '"' + name + '"' + Parameters.of(new TreeMap<>(parameters.asMap())).serialize();
  }

  /** A list of identifiers as written in Signature-Input: {@code ("@method" "date")}. */
  public static String serialize(List<ComponentIdentifier> identifiers) {
    return identifiers.stream()
        .map(ComponentIdentifier::serialize)
        .collect(Collectors.joining(" ", "(", ")"));
  }

  // RFC 9421 section 2: the order of parameters is ignored when identifiers are compared.
  @Override
  public boolean equals(Object other) {
    return other instanceof ComponentIdentifier that
        && name.equals(that.name)
        && parameters.asMap().equals(that.parameters.asMap());
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + parameters.asMap().hashCode();
  }

  @Override
  public String toString() {
    return serialize();
  }
}
