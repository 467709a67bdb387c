package dev.countersign.server.access.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AttributesTest {
  private static final String ID = "1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f";

  private final Attributes attributes =
      parse(
          "customerId", new AttributeProperties("text", true),
          "region", new AttributeProperties("integer", false),
          "tenant", new AttributeProperties("uuid", false));

  @ParameterizedTest
  @ValueSource(strings = {"", "1a", "customer-id", "customer_id", "customer.id", "ä", "a b"})
  void parse_nameNotAllowed_throws(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse(name, new AttributeProperties("text", false)))
        .withMessageContaining("must be a letter, followed by at most 62 letters or digits");
  }

  @Test
  void parse_nameOf63Characters_isTheLongest() {
    parse("a".repeat(63), new AttributeProperties("text", false));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("a".repeat(64), new AttributeProperties("text", false)));
  }

  @Test
  void parse_namesThatDifferOnlyInCase_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                parse(
                    "customerId", new AttributeProperties("text", false),
                    "customerID", new AttributeProperties("text", false)))
        .withMessageContaining("differs from another attribute only in case");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "TEXT", "decimal", "timestamp", "json", "boolean", "date"})
  void parse_anotherType_throws(String type) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> parse("customerId", new AttributeProperties(type, false)))
        .withMessageStartingWith("attribute customerId: type must be uuid, text or integer, was ");
  }

  @Test
  void check_valuesOfTheType_areStoredInOneForm() {
    assertThat(check("tenant", ID.toUpperCase(Locale.ROOT)).values()).containsExactly(ID);
    assertThat(check("region", "-7").values()).containsExactly("-7");
    assertThat(check("customerId", "b", "a", "b").values()).containsExactly("a", "b");
    assertThat(check("customerId", "A", "a", "a ", "ä", "a\u0308").values()).hasSize(5);
    assertThat(attributes.check("region", AttributeSetting.EVERYTHING))
        .isEqualTo(AttributeSetting.EVERYTHING);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tenant | 4711 | attribute tenant must be a UUID such as",
        "region | x | attribute region must be a 64-bit integer, was \"x\"",
        "region | 9223372036854775808 | must be a 64-bit integer",
        "region | 07 | must be a 64-bit integer",
        "region | * | * means everything",
        "customerId | * | attribute customerId: * means everything and cannot be one of its values",
        "customerId | '' | must be text of 1 to 255 visible characters, was an empty text",
        "customerId | ' ' | must be text of 1 to 255 visible characters",
        "nothing | x | there is no attribute \"nothing\"; the attributes of the configuration are"
            + " customerId,",
      })
  void check_valueNotAllowed_namesTheRule(String name, String value, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> check(name, value))
        .withMessageContaining(message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\u0000", "a\nb", "a\tb", "\ud83d", "a\u202eb", "a\u2028b"})
  void check_invisibleCharacters_throws(String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> check("customerId", value))
        .withMessageContaining("visible characters");
  }

  @Test
  void check_textOf255CodePoints_isTheLongest() {
    check("customerId", "😀".repeat(255));
    assertThatIllegalArgumentException().isThrownBy(() -> check("customerId", "a".repeat(256)));
  }

  @Test
  void check_moreValuesThanAllowed_throws() {
    List<String> most = IntStream.range(0, 1_000).mapToObj(i -> "c" + i).toList();
    assertThat(attributes.check("customerId", AttributeSetting.of(most)).values()).hasSize(1_000);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> attributes.values("customerId", with(most, "one more")))
        .withMessage("attribute customerId must have 1 to 1000 values, had 1001");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> check("region", "1", "2"))
        .withMessage("attribute region must have one value, had 2");
  }

  @Test
  void admitted_storedSettings_areValuesOfTheirTypes() {
    assertThat(
            attributes.admitted(
                Map.of(
                    "tenant", AttributeSetting.of(List.of(ID)),
                    "region", AttributeSetting.EVERYTHING,
                    "customerId", AttributeSetting.of(List.of("4711", "4712")))))
        .containsOnly(
            Map.entry("tenant", new AttributeValue.Values(List.of(UUID.fromString(ID)))),
            Map.entry("region", AttributeValue.EVERYTHING),
            Map.entry("customerId", new AttributeValue.Values(List.of("4711", "4712"))));
    assertThat(attributes.admitted(Map.of("region", AttributeSetting.of(List.of("7")))))
        .containsOnly(Map.entry("region", new AttributeValue.Values(List.of(7L))));
  }

  @Test
  void admitted_settingsThatTheConfigurationNoLongerAllows_admitNothing() {
    Map<String, AttributeSetting> stored =
        Map.of(
            "gone", AttributeSetting.EVERYTHING,
            "region", AttributeSetting.of(List.of("north")),
            "tenant", AttributeSetting.of(List.of(ID, ID.replace('1', '2'))));
    assertThat(attributes.admitted(stored)).isEmpty();
    assertThat(problem(stored, "gone")).isEqualTo("attribute gone is not in the configuration");
    assertThat(problem(stored, "region"))
        .isEqualTo("attribute region must be a 64-bit integer, was \"north\"");
    assertThat(problem(stored, "tenant")).isEqualTo("attribute tenant must have one value, had 2");
    assertThat(attributes.problem("region", AttributeSetting.EVERYTHING)).isEmpty();
  }

  @Test
  void require_unknownAttribute_namesTheOrigin() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> attributes.from("/etc/c.yaml").require("x"))
        .withMessage(
            "there is no attribute \"x\"; the attributes of /etc/c.yaml are customerId, region,"
                + " tenant");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Attributes.parse(Map.of()).require("x"))
        .withMessage(
            "there is no attribute \"x\"; the configuration has none; add it under"
                + " countersign.attributes");
  }

  @Test
  void setting_withNeitherOrBoth_cannotBeMade() {
    assertThatIllegalArgumentException().isThrownBy(() -> AttributeSetting.of(List.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new AttributeSetting(true, List.of("4711")));
  }

  private AttributeSetting check(String name, String... values) {
    return attributes.check(name, AttributeSetting.of(List.of(values)));
  }

  private String problem(Map<String, AttributeSetting> stored, String name) {
    return attributes.problem(name, stored.get(name)).orElseThrow();
  }

  private static List<String> with(List<String> values, String another) {
    List<String> more = new ArrayList<>(values);
    more.add(another);
    return Collections.unmodifiableList(more);
  }

  private static Attributes parse(Object... namesAndProperties) {
    Map<String, AttributeProperties> configured = new LinkedHashMap<>();
    for (int i = 0; i < namesAndProperties.length; i += 2) {
      configured.put(
          (String) namesAndProperties[i], (AttributeProperties) namesAndProperties[i + 1]);
    }
    return Attributes.parse(configured);
  }
}
