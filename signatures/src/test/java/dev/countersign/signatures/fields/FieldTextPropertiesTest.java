package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;
import net.jqwik.api.statistics.Statistics;
import net.jqwik.api.statistics.StatisticsReport;

/** Any text is refused with one exception type, or read as the reference reads it. */
@Domain(FieldText.class)
@Domain(DomainContext.Global.class)
class FieldTextPropertiesTest {

  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  @Property(seed = "9421", tries = 20_000)
  void parse_anyText_agreesWithTheReference(@ForAll VectorType type, @ForAll String text) {
    Optional<String> canonical = canonical(type, text);
    assertThat(canonical).isEqualTo(NaiveFieldsTest.canonical(type, text));
    canonical.ifPresent(
        accepted -> assertThat(canonical(type, accepted)).as("a fixed point").isEqualTo(canonical));
    Statistics.collect(canonical.isPresent());
    Statistics.coverage(coverage -> coverage.check(true).count(accepted -> accepted > 1_000));
  }

  @StatisticsReport(StatisticsReport.StatisticsReportMode.OFF)
  @Property(seed = "9421", tries = 5_000)
  void textOf_anyText_isReadAsTheSameMember(@ForAll String one, @ForAll String other) {
    String text = "a=" + one + ", b=" + other;
    Optional<Dictionary> dictionary = dictionary(text);
    dictionary.ifPresent(parsed -> parsed.keys().forEach(key -> checkTextOf(key, parsed, text)));
    Statistics.collect(dictionary.isPresent());
    Statistics.coverage(coverage -> coverage.check(true).count(accepted -> accepted > 20));
  }

  private static void checkTextOf(String key, Dictionary dictionary, String text) {
    String own = dictionary.textOf(key).orElseThrow();
    // The text of a bare key is that of its parameters; no value is empty or begins like them.
    String alone = own.isEmpty() || own.startsWith(";") ? key + own : key + "=" + own;
    assertThat(text).contains(alone);
    assertThat(Dictionary.parse(alone).get(key)).isEqualTo(dictionary.get(key));
  }

  private static Optional<Dictionary> dictionary(String text) {
    try {
      return Optional.of(Dictionary.parse(text));
    } catch (FieldParseException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> canonical(VectorType type, String text) {
    try {
      return Optional.of(VectorType.serialize(type.parse(text)));
    } catch (FieldParseException e) {
      assertThat(e.position()).isBetween(0, text.length());
      assertThat(e.caret()).matches("[ -~\ufffd]*\n *\\^ expected [ -~]+");
      return Optional.empty();
    }
  }
}
