package dev.countersign.signatures.fields;

import static dev.countersign.signatures.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Inputs of megabytes that a quadratic or recursive parser could not process. */
class LinearTimeTest {

  private static final int MANY = 500_000;

  @ParameterizedTest
  @ValueSource(strings = {"a,", "a=(),", "a=1;x;x,", "a=:YQ:,", "a=\"\\\\\",", "a=%\"%61\","})
  void parse_manyRepeatedMembers_isQuick(String member) {
    Dictionary parsed = soon(() -> Dictionary.parse(member.repeat(MANY) + "b"));

    assertThat(parsed.keys()).containsExactly("a", "b");
  }

  @Test
  void parse_manyMembers_isQuick() {
    String input =
        IntStream.range(0, MANY).mapToObj(i -> "k" + i + ";p" + i).collect(Collectors.joining(","));

    Dictionary parsed = soon(() -> Dictionary.parse(input));

    assertThat(parsed.keys()).hasSize(MANY);
  }

  @Test
  void parse_manyParameters_isQuick() {
    String input =
        IntStream.range(0, MANY).mapToObj(i -> ";p" + i).collect(Collectors.joining("", "a", ""));

    Item parsed = soon(() -> Item.parse(input));

    assertThat(parsed.parameters().size()).isEqualTo(MANY);
    assertThat(parsed.serialize()).isEqualTo(input);
  }

  @Test
  void parse_keysOfOneHash_isQuick() {
    String input =
        IntStream.range(0, 1 << 16)
            .mapToObj(LinearTimeTest::colliding)
            .collect(Collectors.joining(","));

    Dictionary parsed = soon(() -> Dictionary.parse(input));

    assertThat(parsed.keys()).hasSize(1 << 16);
    assertThat(parsed.keys().stream().mapToInt(String::hashCode).distinct().count()).isOne();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"(", "((", "\"", "\"\\\\", ":", ":a", "%\"a", "1", "a;", " ", "(1 ", "a,("})
  void parse_manyOpenings_failsQuickly(String opening) {
    String input = opening.repeat(MANY) + "\u0000";

    FieldParseException failure =
        soon(() -> catchThrowableOfType(FieldParseException.class, () -> FieldList.parse(input)));

    assertThat(failure.caret()).hasSizeLessThan(400);
  }

  /** One of 2^16 keys with the same hash, because "an" and "c0" have the same. */
  private static String colliding(int bits) {
    StringBuilder key = new StringBuilder("k");
    for (int i = 0; i < 16; i++) {
      key.append((bits >> i & 1) == 0 ? "an" : "c0");
    }
    return key.toString();
  }
}
