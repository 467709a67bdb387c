package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.Domain;
import net.jqwik.api.domains.DomainContext;

/** Every value can be read back from its text; a text with an error anywhere is refused. */
@Domain(GeneratedFields.class)
@Domain(DomainContext.Global.class)
class FieldValuePropertiesTest {

  @Property(seed = "9421")
  void item_serialized_isReadAsItself(@ForAll Item item) {
    String text = item.serialize();
    assertThat(Item.parse(text)).isEqualTo(item);
    assertThat(NaiveFields.item(text)).contains(text);
  }

  @Property(seed = "9421")
  void innerList_serialized_isReadAsItself(@ForAll InnerList list) {
    String text = list.serialize();
    assertThat(InnerList.parse(text)).isEqualTo(list);
    assertThat(NaiveFields.innerList(text)).contains(text);
  }

  @Property(seed = "9421")
  void list_serialized_isReadAsItself(@ForAll FieldList list) {
    String text = list.serialize();
    assertThat(FieldList.parse(text)).isEqualTo(list);
    assertThat(NaiveFields.list(text)).contains(text);
  }

  @Property(seed = "9421")
  void dictionary_serialized_isReadAsItself(@ForAll Dictionary dictionary) {
    String text = dictionary.serialize();
    assertThat(Dictionary.parse(text)).isEqualTo(dictionary);
    assertThat(NaiveFields.dictionary(text)).contains(text);
  }

  @Property(seed = "9421")
  void parse_foreignCharacterAnywhere_isRefused(
      @ForAll Item item,
      @ForAll FieldList list,
      @ForAll Dictionary dictionary,
      @ForAll double place,
      @ForAll("foreign") char c) {
    assertRefused(VectorType.ITEM, inserted(item.serialize(), place, c));
    assertRefused(VectorType.LIST, inserted(list.serialize(), place, c));
    assertRefused(VectorType.DICTIONARY, inserted(dictionary.serialize(), place, c));
  }

  @Property(seed = "9421")
  void parse_somethingBegunBehindTheEnd_isRefused(
      @ForAll Item item,
      @ForAll FieldList list,
      @ForAll Dictionary dictionary,
      @ForAll("openings") char c) {
    assertRefused(VectorType.ITEM, item.serialize() + c);
    assertRefused(VectorType.LIST, list.serialize() + c);
    assertRefused(VectorType.DICTIONARY, dictionary.serialize() + c);
  }

  /** Characters that no field may contain; a tab may occur between members. */
  @Provide
  Arbitrary<Character> foreign() {
    return Arbitraries.chars().all().filter(c -> (c < ' ' || c > '~') && c != '\t');
  }

  @Provide
  Arbitrary<Character> openings() {
    return Arbitraries.of('(', ')', '"', ',', ';', '=', '\\', '@', '?');
  }

  private static String inserted(String text, double place, char c) {
    int index = (int) (Math.abs(place % 1) * (text.length() + 1));
    return text.substring(0, index) + c + text.substring(index);
  }

  private static void assertRefused(VectorType type, String text) {
    assertThatExceptionOfType(FieldParseException.class)
        .isThrownBy(() -> type.parse(text))
        .satisfies(e -> assertThat(e.position()).isBetween(0, text.length()));
  }
}
