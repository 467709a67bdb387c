package dev.countersign.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** Readers of YAML 1.1 and 1.2 see the same values. */
class YamlWriterTest {
  @ParameterizedTest
  @ValueSource(strings = {"0o17", "0x1F", "017", "1e3", "yes", "no", "null", "~", "1:30", ".5", ""})
  void text_thatSomeVersionTakesForSomethingElse_isQuoted(String text) {
    assertThat(YamlWriter.write(Map.of("name", text))).isEqualTo("name: \"" + text + "\"\n");
  }

  @ParameterizedTest
  @CsvSource({"0, 0", "5, 5", "1E+3, 1000", "0.0, 0.0", "2.50, 2.50", "1E-7, 0.0000001", "-3, -3"})
  void decimal_isAPlainNumberWithoutExponentOrTag(BigDecimal number, String written) {
    String yaml = YamlWriter.write(Map.of("name", number));

    assertThat(yaml).isEqualTo("name: " + written + "\n");
    Map<String, Object> read = new Yaml().load(yaml);
    assertThat(new BigDecimal(read.get("name").toString())).isEqualByComparingTo(number);
  }

  @Test
  void names_areQuotedWhereTheyWouldBeSomethingElse() {
    Map<String, Object> names = new LinkedHashMap<>();
    List.of("$ref", "/a/{id}", "200", "no").forEach(name -> names.put(name, true));

    assertThat(YamlWriter.write(names))
        .isEqualTo("$ref: true\n/a/{id}: true\n'200': true\n'no': true\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"y", "Y", "n", "N", "0o17", "089", "1e3", "-.5"})
  void name_thatOneVersionTakesForSomethingElse_isQuoted(String name) {
    assertThat(YamlWriter.write(Map.of(name, true))).isEqualTo("'" + name + "': true\n");
  }

  @Test
  void values_comeBackAsTheyWere() {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("text", "a \"quoted\" word: \\d+ … and a\nsecond line");
    values.put("list", java.util.Arrays.asList("old", null, 7, Map.of("deep", List.of())));
    values.put("long", 9_999_999_999_999_999L);

    Object read = new Yaml().load(YamlWriter.write(values));

    assertThat(read).isEqualTo(values);
  }
}
