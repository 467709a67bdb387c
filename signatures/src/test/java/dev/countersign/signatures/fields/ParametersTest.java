package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ParametersTest {

  private static final IntegerItem ONE = new IntegerItem(1);

  @Test
  void parse_repeatedKey_lastWinsAndIsTold() {
    Parameters parameters = InnerList.parse("();a=1;b;a=2").parameters();

    assertThat(parameters.serialize()).isEqualTo(";a=2;b");
    assertThat(parameters.repeatedKeys()).containsExactly("a");
  }

  @Test
  void repeatedKeys_keyRepeatedElsewhere_doesNotCount() {
    assertThat(InnerList.parse("(\"x\";a);a").parameters().repeatedKeys()).isEmpty();
  }

  @Test
  void repeatedKeys_survivesWith() {
    Parameters parameters = Item.parse("x;a;a").parameters().with("b", ONE);

    assertThat(parameters.repeatedKeys()).containsExactly("a");
  }

  @Test
  void get_keyThere_isItsValue() {
    Parameters parameters = Item.parse("x;created=1;keyid=\"k\"").parameters();

    assertThat(parameters.get("created")).hasValue(ONE);
    assertThat(parameters.get("nonce")).isEmpty();
    assertThat(parameters.contains("keyid")).isTrue();
    assertThat(parameters.keys()).containsExactly("created", "keyid");
    assertThat(parameters.size()).isEqualTo(2);
    assertThat(parameters.isEmpty()).isFalse();
  }

  @Test
  void with_newKey_isAppendedToACopy() {
    Parameters before = Parameters.empty().with("b", ONE);

    assertThat(before.with("a", BooleanItem.FALSE).serialize()).isEqualTo(";b=1;a=?0");
    assertThat(before.serialize()).isEqualTo(";b=1");
  }

  @Test
  void with_keyThere_isReplacedInPlace() {
    assertThat(Item.parse("x;a;b").parameters().with("a", ONE).serialize()).isEqualTo(";a=1;b");
  }

  @Test
  void with_badKey_throws() {
    assertThatIllegalArgumentException().isThrownBy(() -> Parameters.empty().with("", ONE));
    assertThatIllegalArgumentException().isThrownBy(() -> Parameters.of(Map.of("é", ONE)));
  }

  @Test
  void equals_repeatedKeys_doNotCount() {
    assertThat(Item.parse("x;a;a=1").parameters())
        .isEqualTo(Item.parse("x;a=1").parameters())
        .hasSameHashCodeAs(Item.parse("x;a=1").parameters());
  }

  @Test
  void equals_otherOrder_isFalseButTheMapsAgree() {
    Parameters one = Item.parse("x;a;b").parameters();
    Parameters other = Item.parse("x;b;a").parameters();

    assertThat(one).isNotEqualTo(other);
    assertThat(one.asMap()).isEqualTo(other.asMap());
  }

  @Test
  void asMap_isUnmodifiable() {
    Parameters parameters = Item.parse("x;a").parameters();

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> parameters.asMap().put("b", ONE));
  }
}
