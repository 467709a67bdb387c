package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DictionaryTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      nullValues = "absent",
      textBlock =
          """
          sig=("date");created=1            | ("date");created=1
          x=1, sig=( "date"  );  a=01 , y=2 | ( "date"  );  a=01
          x=1,sig=:YQ:,y=2                  | :YQ:
          sig=1.50                          | 1.50
          sig=?1;a                          | ?1;a
          x, sig;a;  b=1 , y                | ;a;  b=1
          x, sig , y                        | ``
          sig=1, sig=2;x, sig="a, sig=b"    | "a, sig=b"
          sigs=1                            | absent
          """)
  void textOf_isTheTextAsReceived(String input, String expected) {
    assertThat(Dictionary.parse(input).textOf("sig").orElse(null)).isEqualTo(expected);
  }

  @Test
  void textOf_severalLines_isFoundInTheRightOne() {
    Dictionary dictionary = Dictionary.parse(List.of("a=( 1 )", "b=( 2 );x"));

    assertThat(dictionary.textOf("a")).hasValue("( 1 )");
    assertThat(dictionary.textOf("b")).hasValue("( 2 );x");
  }

  @Test
  void textOf_notParsed_isTheSerializedText() {
    Parameters x = Parameters.empty().with("x", new IntegerItem(1));
    Dictionary dictionary =
        Dictionary.of(
            Map.of("a", new Item(new TokenItem("b"), x), "t", new Item(BooleanItem.TRUE, x)));

    assertThat(dictionary.textOf("a")).hasValue("b;x=1");
    assertThat(dictionary.textOf("t")).hasValue(";x=1");
    assertThat(dictionary.textOf("z")).isEmpty();
  }

  @Test
  void parse_repeatedKey_lastWinsInTheFirstPlaceAndIsTold() {
    Dictionary dictionary = Dictionary.parse("a=1, b=2, a=3, a=4");

    assertThat(dictionary.serialize()).isEqualTo("a=4, b=2");
    assertThat(dictionary.repeatedKeys()).containsExactly("a");
  }

  @Test
  void parse_keyRepeatedOnAnotherLine_isTold() {
    assertThat(Dictionary.parse(List.of("a=1", "a=2")).repeatedKeys()).containsExactly("a");
  }

  @Test
  void parse_noKeyRepeated_tellsNone() {
    assertThat(Dictionary.parse("a=1, b=a").repeatedKeys()).isEmpty();
  }

  @Test
  void parse_noLines_isEmpty() {
    assertThat(Dictionary.parse(List.of()).keys()).isEmpty();
  }

  @Test
  void parse_emptyLineBetween_throws() {
    assertThatExceptionOfType(FieldParseException.class)
        .isThrownBy(() -> Dictionary.parse(List.of("a=1", "", "b=2")));
  }

  @Test
  void parse_thousandMembers_keepsTheirOrder() {
    Map<String, Member> members = new LinkedHashMap<>();
    for (int i = 0; i < 1000; i++) {
      members.put("k" + (i * 7919 % 1000), Item.of(new IntegerItem(i)));
    }
    Dictionary dictionary = Dictionary.of(members);

    Dictionary parsed = Dictionary.parse(dictionary.serialize());

    assertThat(parsed).isEqualTo(dictionary);
    assertThat(parsed.keys()).containsExactlyElementsOf(members.keySet());
    assertThat(parsed.get("k0")).hasValue(Item.of(new IntegerItem(0)));
  }

  @Test
  void equals_sameMembersFromOtherText_isTrue() {
    assertThat(Dictionary.parse("a=1,a=01;x=?1"))
        .isEqualTo(Dictionary.parse("a=1;x"))
        .hasSameHashCodeAs(Dictionary.parse("a=1;x"));
  }

  @Test
  void equals_otherOrder_isFalse() {
    assertThat(Dictionary.parse("a, b")).isNotEqualTo(Dictionary.parse("b, a"));
  }

  @Test
  void of_laterChangeOfTheMap_isNotSeen() {
    Map<String, Member> members = new LinkedHashMap<>(Map.of("a", Item.of(BooleanItem.TRUE)));
    Dictionary dictionary = Dictionary.of(members);

    members.clear();

    assertThat(dictionary.keys()).containsExactly("a");
  }

  @Test
  void views_areUnmodifiable() {
    Dictionary dictionary = Dictionary.parse("a, a");

    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> dictionary.asMap().clear());
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> dictionary.keys().remove("a"));
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> dictionary.repeatedKeys().clear());
  }

  @Test
  void of_badKey_throwsAndShowsItPrintable() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Dictionary.of(Map.of("A\n", Item.of(BooleanItem.TRUE))))
        .withMessageEndingWith("was 'A\ufffd'");
  }
}
