package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListsTest {

  private static final Item METHOD = Item.of(new StringItem("@method"));

  @Test
  void innerList_parse_readsItemsAndParameters() {
    InnerList parsed = InnerList.parse("(\"@method\" \"x\";sf);created=1618884473");

    Parameters sf = Parameters.empty().with("sf", BooleanItem.TRUE);
    Parameters created = Parameters.empty().with("created", new IntegerItem(1618884473));
    assertThat(parsed)
        .isEqualTo(new InnerList(List.of(METHOD, new Item(new StringItem("x"), sf)), created));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a", "()a", "(), ()", "(a)b", "(a\tb)", "(a,b)", "((a))", "(", ")"})
  void innerList_parseOfAnythingElse_throws(String input) {
    assertThatExceptionOfType(FieldParseException.class).isThrownBy(() -> InnerList.parse(input));
  }

  @Test
  void innerList_serialize_hasSingleSpaces() {
    assertThat(InnerList.of(METHOD, METHOD).serialize()).isEqualTo("(\"@method\" \"@method\")");
    assertThat(InnerList.of().serialize()).isEqualTo("()");
  }

  @Test
  void innerList_laterChangeOfTheItems_isNotSeen() {
    List<Item> items = new ArrayList<>(List.of(METHOD));
    InnerList list = new InnerList(items, Parameters.empty());

    items.clear();

    assertThat(list.items()).containsExactly(METHOD);
    assertThatExceptionOfType(UnsupportedOperationException.class)
        .isThrownBy(() -> list.items().clear());
  }

  @Test
  void fieldList_severalLines_areOneList() {
    assertThat(FieldList.parse(List.of("a, (b)", "\"c\"")).members())
        .containsExactly(
            Item.of(new TokenItem("a")),
            InnerList.of(Item.of(new TokenItem("b"))),
            Item.of(new StringItem("c")));
  }

  @Test
  void fieldList_empty_serializesToNothing() {
    assertThat(FieldList.of().serialize()).isEmpty();
    assertThat(FieldList.parse("  ")).isEqualTo(FieldList.of());
  }

  @Test
  void fieldList_laterChangeOfTheMembers_isNotSeen() {
    List<Member> members = new ArrayList<>(List.of(METHOD));
    FieldList list = new FieldList(members);

    members.clear();

    assertThat(list).isEqualTo(FieldList.of(METHOD));
  }
}
