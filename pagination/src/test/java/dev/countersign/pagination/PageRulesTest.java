package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PageRulesTest {
  @Test
  void defaults_areThoseOfTheInterface() {
    assertThat(PageRules.defaults()).isEqualTo(new PageRules(Set.of(), 20, 100));
  }

  @Test
  void sortable_keepsItsOrder() {
    assertThat(PageRules.sortableBy("z", "a", "m").sortable()).containsExactly("z", "a", "m");
  }

  @Test
  void sortable_isACopy() {
    Set<String> names = new LinkedHashSet<>(List.of("a"));
    PageRules rules = new PageRules(names, 20, 100);
    names.add("b");
    assertThat(rules.sortable()).containsExactly("a");
  }

  @Test
  void sortable_isImmutable() {
    Set<String> sortable = PageRules.sortableBy("a").sortable();
    assertThatThrownBy(() -> sortable.add("b")).isInstanceOf(UnsupportedOperationException.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a,b", "a\nb"})
  void sortable_nameThatNoQueryCouldSay_throws(String name) {
    assertThatIllegalArgumentException().isThrownBy(() -> PageRules.sortableBy(name));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 101})
  void defaultSize_outOfBounds_throws(int size) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRules.defaults().withDefaultSize(size))
        .withMessage("defaultSize must be 1 to 100, was " + size);
  }

  @Test
  void maximumSize_belowOne_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRules.defaults().withMaximumSize(0))
        .withMessage("maximumSize must be at least 1, was 0");
  }

  @Test
  void maximumSize_belowDefaultSize_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRules.defaults().withMaximumSize(10))
        .withMessage("defaultSize must be 1 to 10, was 20");
  }

  @Test
  void withers_changeOneThingEach() {
    assertThat(
            PageRules.defaults()
                .withDefaultSize(5)
                .withMaximumSize(10)
                .withSortable(List.of("name")))
        .isEqualTo(new PageRules(Set.of("name"), 5, 10));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "page", "size", "sort", "offset", "totals"})
  void parameters_nameThatEveryListHas_throws(String name) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageRules.defaults().withParameters(List.of("a", name)))
        .withMessageStartingWith("an additional parameter must have another name than page, size,");
  }

  @Test
  void parameters_after_isTakenInAListWithCursors() {
    PageRules rules = PageRules.defaults().withParameters(List.of("after"));
    assertThat(PageRequest.parse("after=a", rules).after()).isNull();
    assertThatIllegalArgumentException().isThrownBy(rules::withCursors);
  }

  @Test
  void copies_keepTheParameters() {
    PageRules rules = PageRules.defaults().withParameters(List.of("b", "a"));
    assertThat(rules.parameters()).containsExactly("b", "a");
    assertThat(rules.withSortable(List.of("x")).withDefaultSize(5).withMaximumSize(10).parameters())
        .containsExactly("b", "a");
  }
}
