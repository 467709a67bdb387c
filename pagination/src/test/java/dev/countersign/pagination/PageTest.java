package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageTest {
  private static final PageRequest REQUEST = PageRequest.ofPage(0, 3);

  @Test
  void of_content_isCountedIntoTheEnvelope() {
    Page<String> page = Page.of(REQUEST, 5, List.of("a", "b", "c"));
    assertThat(page.envelope()).isEqualTo(PageEnvelope.of(REQUEST, 5, 3));
  }

  @Test
  void uncounted_hasNoTotals_andIsLastWithoutANextElement() {
    for (boolean hasNext : List.of(true, false)) {
      Page<String> page = Page.uncounted(REQUEST, hasNext, List.of("a", "b", "c"));
      assertThat(page.content()).containsExactly("a", "b", "c");
      assertThat(page.envelope().totalElements()).isEmpty();
      assertThat(page.envelope().totalPages()).isEmpty();
      assertThat(page.envelope().last()).isEqualTo(!hasNext);
    }
  }

  @Test
  void content_isACopy() {
    List<String> content = new ArrayList<>(List.of("a"));
    Page<String> page = Page.of(REQUEST, 1, content);
    content.add("b");
    assertThat(page.content()).containsExactly("a");
  }

  @Test
  void map_keepsEnvelopeAndOrder() {
    Page<String> page = Page.of(REQUEST, 5, List.of("a", "bb", "ccc"));
    assertThat(page.map(String::length)).isEqualTo(new Page<>(page.envelope(), List.of(1, 2, 3)));
  }

  @Test
  void constructor_otherCountThanTheEnvelope_throws() {
    PageEnvelope envelope = PageEnvelope.of(REQUEST, 5, 3);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Page<>(envelope, List.of("a")))
        .withMessage("content must hold numberOfElements = 3, was 1");
  }

  @Test
  void of_moreThanTheSize_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Page.of(REQUEST, 5, List.of("a", "b", "c", "d")));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Page.uncounted(REQUEST, true, List.of("a", "b", "c", "d")));
  }
}
