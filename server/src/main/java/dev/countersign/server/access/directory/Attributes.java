package dev.countersign.server.access.directory;

import dev.countersign.protocol.PlainText;
import dev.countersign.server.tables.ColumnType;
import dev.countersign.server.tables.ValueSyntax;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** The attributes of the configuration, which client records may have. */
public final class Attributes {
  /** The maximum number of values of an attribute. */
  public static final int MAXIMUM_VALUES = 1_000;

  private static final Pattern NAME = Pattern.compile("[A-Za-z][A-Za-z0-9]{0,62}");
  private static final Set<ColumnType> TYPES =
      Collections.unmodifiableSet(
          new LinkedHashSet<>(List.of(ColumnType.UUID, ColumnType.TEXT, ColumnType.INTEGER)));
  private static final int MAX_TEXT_LENGTH = 255;

  private final Map<String, Definition> byName;
  private final String origin;

  private Attributes(Map<String, Definition> byName, String origin) {
    this.byName = byName;
    this.origin = origin;
  }

  /**
   * An attribute.
   *
   * @param name its name
   * @param type the type of its values: UUID, TEXT or INTEGER
   * @param many whether a client may have several values
   */
  public record Definition(String name, ColumnType type, boolean many) {

    /** Returns the rule for a value, as a continuation of "must be". */
    public String rule() {
      return type == ColumnType.TEXT
          ? "text of 1 to " + MAX_TEXT_LENGTH + " visible characters"
          : ValueSyntax.rule(type);
    }
  }

  /**
   * Reads the attributes from the configuration.
   *
   * @throws IllegalArgumentException naming the attribute and the problem
   */
  public static Attributes parse(Map<String, AttributeProperties> configured) {
    Map<String, Definition> byName = new LinkedHashMap<>();
    Set<String> lower = new HashSet<>();
    configured.forEach(
        (name, properties) -> {
          if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException(
                "an attribute's name must be a letter, followed by at most 62 letters or digits,"
                    + " was "
                    + PlainText.quoted(name));
          }
          if (!lower.add(name.toLowerCase(Locale.ROOT))) {
            throw new IllegalArgumentException(
                "attribute " + name + " differs from another attribute only in case; rename one");
          }
          byName.put(name, new Definition(name, type(name, properties), properties.many()));
        });
    return new Attributes(Collections.unmodifiableMap(byName), "the configuration");
  }

  /** Returns a copy whose messages name this place as the origin of the attributes. */
  public Attributes from(String where) {
    return new Attributes(byName, where);
  }

  private static ColumnType type(String name, AttributeProperties properties) {
    return TYPES.stream()
        .filter(type -> type.word().equals(properties.type()))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "attribute "
                        + name
                        + ": type must be uuid, text or integer, was "
                        + PlainText.quoted(properties.type())));
  }

  /** Returns the attributes in the order of the configuration. */
  public Collection<Definition> all() {
    return byName.values();
  }

  /** Returns the attribute with this name; empty if the configuration has none. */
  public Optional<Definition> find(String name) {
    return Optional.ofNullable(byName.get(name));
  }

  /**
   * Checks a setting that an operator gives to a client.
   *
   * @return the setting with its values in the form in which they are stored
   * @throws IllegalArgumentException naming the attribute and the rule that is violated
   */
  public AttributeSetting check(String name, AttributeSetting setting) {
    Definition attribute = require(name);
    return setting.isEverything()
        ? setting
        : AttributeSetting.of(
            values(attribute, setting.values()).values().stream().map(Object::toString).toList());
  }

  /**
   * Parses the values of an attribute.
   *
   * @throws IllegalArgumentException naming the attribute and the rule that is violated
   */
  public AttributeValue.Values values(String name, List<String> texts) {
    return values(require(name), texts);
  }

  /**
   * Returns what the stored settings of a client admit, by the name of the attribute. A setting
   * that has a {@link #problem} admits nothing and is left out.
   */
  public Map<String, AttributeValue> admitted(Map<String, AttributeSetting> settings) {
    if (settings.isEmpty()) {
      return Map.of();
    }
    Map<String, AttributeValue> admitted = new HashMap<>();
    for (Definition attribute : byName.values()) {
      AttributeSetting setting = settings.get(attribute.name());
      if (setting != null && problem(attribute.name(), setting).isEmpty()) {
        admitted.put(
            attribute.name(),
            setting.isEverything()
                ? AttributeValue.EVERYTHING
                : values(attribute, setting.values()));
      }
    }
    return Map.copyOf(admitted);
  }

  /**
   * Returns why a stored setting admits nothing: the configuration no longer has the attribute, or
   * has changed so that a value does not fit. Empty if the setting admits something.
   */
  public Optional<String> problem(String name, AttributeSetting setting) {
    if (!byName.containsKey(name)) {
      return Optional.of("attribute " + name + " is not in " + origin);
    }
    try {
      check(name, setting);
      return Optional.empty();
    } catch (IllegalArgumentException unfit) {
      return Optional.of(String.valueOf(unfit.getMessage()));
    }
  }

  /**
   * Returns the attribute with this name.
   *
   * @throws IllegalArgumentException naming the attributes that the configuration has
   */
  public Definition require(String name) {
    return find(name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "there is no attribute "
                        + PlainText.quoted(name)
                        + (byName.isEmpty()
                            ? "; " + origin + " has none; add it under countersign.attributes"
                            : "; the attributes of "
                                + origin
                                + " are "
                                + String.join(", ", byName.keySet()))));
  }

  private static AttributeValue.Values values(Definition attribute, List<String> texts) {
    Set<Object> values = new LinkedHashSet<>();
    for (String text : texts) {
      values.add(value(attribute, text));
    }
    int maximum = attribute.many() ? MAXIMUM_VALUES : 1;
    if (values.isEmpty() || values.size() > maximum) {
      throw new IllegalArgumentException(
          "attribute "
              + attribute.name()
              + " must have "
              + (attribute.many() ? "1 to " + MAXIMUM_VALUES + " values" : "one value")
              + ", had "
              + values.size());
    }
    return new AttributeValue.Values(new ArrayList<>(values));
  }

  private static Object value(Definition attribute, String text) {
    if (text.equals(AttributeSetting.WILDCARD)) {
      throw new IllegalArgumentException(
          "attribute " + attribute.name() + ": * means everything and cannot be one of its values");
    }
    return ValueSyntax.parse(attribute.type(), text)
        .filter(value -> attribute.type() != ColumnType.TEXT || isVisible(text))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "attribute "
                        + attribute.name()
                        + " must be "
                        + attribute.rule()
                        + ", was "
                        + PlainText.quoted(text)));
  }

  private static boolean isVisible(String text) {
    return !text.isBlank()
        && text.codePointCount(0, text.length()) <= MAX_TEXT_LENGTH
        && text.codePoints().allMatch(PlainText::isVisible);
  }
}
