package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientRules;
import dev.countersign.server.tables.ColumnType;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.util.MultiValueMap;

/**
 * The form field of an attribute, as typed.
 *
 * @param attribute the attribute in the configuration
 * @param text the values, one per line; empty for none
 * @param isEverything whether the client is to have every value
 */
record AttributeField(Attributes.Definition attribute, String text, boolean isEverything) {
  // The form parameter with the names of the attributes whose box for everything is checked.
  private static final String EVERYTHING = "everything";
  private static final int MIN_ROWS = 3;
  private static final int MAX_ROWS = 10;

  static AttributeField empty(Attributes.Definition attribute) {
    return new AttributeField(attribute, "", false);
  }

  static AttributeField of(Attributes.Definition attribute, Client client) {
    AttributeSetting setting = client.attributes().get(attribute.name());
    return setting == null
        ? empty(attribute)
        : new AttributeField(
            attribute, String.join("\n", setting.values()), setting.isEverything());
  }

  /** Reads the field; a private key in it is left out and reported as a problem. */
  static AttributeField read(
      Attributes.Definition attribute,
      MultiValueMap<String, String> sent,
      Map<String, String> problems) {
    return new AttributeField(
        attribute,
        RecordForm.text(sent, field(attribute), problems),
        sent.getOrDefault(EVERYTHING, List.of()).contains(attribute.name()));
  }

  public String name() {
    return attribute.name();
  }

  /** Returns the name of the field in the form. */
  public String field() {
    return field(attribute);
  }

  private static String field(Attributes.Definition attribute) {
    return "attribute-" + attribute.name();
  }

  /**
   * Returns whether the field needs several lines. This includes an attribute that may no longer
   * have several values but still has them, because a browser would join them in a single line.
   */
  public boolean hasLines() {
    return attribute.many() || text.lines().count() > 1;
  }

  /** Returns the number of lines that the field shows without scrolling. */
  public int rows() {
    return Math.clamp(text.lines().count() + 1, MIN_ROWS, MAX_ROWS);
  }

  /** Returns the setting; empty if the client is not to have the attribute. */
  Optional<AttributeSetting> setting() {
    if (isEverything) {
      return Optional.of(AttributeSetting.EVERYTHING);
    }
    List<String> values = values();
    return values.isEmpty() ? Optional.empty() : Optional.of(AttributeSetting.of(values));
  }

  /** Returns why the field is refused; empty if it is allowed. */
  Optional<String> problem(ClientRules rules) {
    if (isEverything && !values().isEmpty()) {
      return Optional.of(
          "attribute " + name() + ": remove the values, or uncheck the box below them");
    }
    try {
      setting().ifPresent(setting -> rules.attribute(name(), setting));
      return Optional.empty();
    } catch (ClientException refused) {
      return Optional.of(String.valueOf(refused.getMessage()));
    }
  }

  /**
   * Returns the texts that look like several values but are stored as one: those with a comma or a
   * semicolon.
   */
  public List<String> joined() {
    return attribute.type() == ColumnType.TEXT && !isEverything
        ? values().stream().filter(value -> value.matches(".*[,;].*")).toList()
        : List.of();
  }

  /**
   * Returns the lines that are not blank. Only a text attribute keeps leading and trailing blanks.
   */
  public List<String> values() {
    return text.lines()
        .filter(line -> !line.isBlank())
        .map(line -> attribute.type() == ColumnType.TEXT ? line : line.strip())
        .toList();
  }
}
