package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.google.re2j.Pattern;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TextRulesTest {

  @ParameterizedTest
  @ValueSource(strings = {"([a-z]|[0-9])*", "(a+)+", "(a|a)*", "(a*)*b", "(.*)(.*)(.*)(.*)(.*)x"})
  void brokenBy_longTextAndACostlyPattern_isSoonSaid(String pattern) {
    String text = "a".repeat(TextRules.DEFAULT_MAX - 1) + "!";
    TextRules rules =
        new TextRules(
            TextRules.DEFAULT_MAX, Pattern.compile(pattern), List.of(), TextRules.Place.NOWHERE);
    assertThat(assertTimeoutPreemptively(Duration.ofSeconds(60), () -> rules.violationOf(text)))
        .contains("match " + pattern);
  }

  @Test
  void shape_isTheAllowedTextsOrThePattern() {
    Pattern pattern = Pattern.compile("[A-Z]+");
    TextRules.Place key = TextRules.Place.PATH_SEGMENT;
    assertThat(new TextRules(3, pattern, List.of(), key).shape()).contains("match [A-Z]+");
    assertThat(new TextRules(3, pattern, List.of("A", "B"), key).shape())
        .contains("be one of A, B");
    assertThat(new TextRules(3, null, List.of(), key).shape()).isEmpty();
  }
}
