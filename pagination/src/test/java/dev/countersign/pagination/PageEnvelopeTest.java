package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.pagination.PageEnvelope.Pageable;
import dev.countersign.pagination.PageEnvelope.SortState;
import dev.countersign.pagination.Sort.Order;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;

class PageEnvelopeTest {
  private static final JsonMapper JSON =
      JsonMapper.builder().disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY).build();

  private static final String SECOND_OF_THREE =
      """
      {"pageable":{"pageNumber":1,"pageSize":20,\
      "sort":{"empty":false,"sorted":true,"unsorted":false},\
      "offset":20,"paged":true,"unpaged":false},\
      "last":false,"first":false,"totalPages":3,"totalElements":41,"size":20,"number":1,\
      "sort":{"empty":false,"sorted":true,"unsorted":false},\
      "numberOfElements":20,"empty":false}""";

  private static PageEnvelope secondOfThree() {
    PageRequest request = PageRequest.ofPage(1, 20).withSort(Sort.by(Order.asc("name")));
    return PageEnvelope.of(request, 41, 20);
  }

  @Test
  void members_inJson_haveTheInterfacesNamesAndOrder() {
    assertThat(JSON.writeValueAsString(secondOfThree())).isEqualTo(SECOND_OF_THREE);
  }

  @Test
  void members_fromJson_areReadBack() {
    assertThat(JSON.readValue(SECOND_OF_THREE, PageEnvelope.class)).isEqualTo(secondOfThree());
  }

  @Test
  void members_fromJsonWithoutPageable_areReadBack() {
    String json = SECOND_OF_THREE.replaceFirst("\"pageable\":.*?}.*?},", "");
    assertThat(json).startsWith("{\"last\"");
    assertThat(JSON.readValue(json, PageEnvelope.class))
        .isEqualTo(secondOfThree().withoutPageable());
  }

  @Test
  void sort_unsorted_isEmptyAndUnsorted() {
    PageEnvelope envelope = PageEnvelope.of(PageRequest.ofPage(0, 20), 1, 1);
    assertThat(envelope.sort()).isEqualTo(new SortState(true, false, true));
  }

  @Test
  void page_pastTheEnd_isEmptyAndLast() {
    assertThat(PageEnvelope.of(PageRequest.ofPage(9, 20), 41, 0))
        .isEqualTo(
            new PageEnvelope(
                new Pageable(9, 20, new SortState(true, false, true), 180, true, false),
                true,
                false,
                OptionalLong.of(3),
                OptionalLong.of(41),
                20,
                9,
                new SortState(true, false, true),
                0,
                true));
  }

  @Test
  void page_ofAnUncountedList_hasNoTotals() {
    PageRequest request = PageRequest.ofPage(1, 20).withoutTotals();
    PageEnvelope envelope = PageEnvelope.of(request, OptionalLong.empty(), true, 20);
    assertThat(envelope.totalElements()).isEmpty();
    assertThat(envelope.totalPages()).isEmpty();
    assertThat(envelope.last()).isFalse();
    assertThat(PageEnvelope.of(request, 41, 20)).as("of a counted one").isEqualTo(envelope);
    assertThat(PageEnvelope.of(request, OptionalLong.empty(), false, 0).last()).isTrue();
  }

  @Test
  void page_ofAnEmptyList_isFirstAndLast() {
    PageEnvelope envelope = PageEnvelope.of(PageRequest.ofPage(0, 20), 0, 0);
    assertThat(envelope.first()).isTrue();
    assertThat(envelope.last()).isTrue();
    assertThat(envelope.empty()).isTrue();
    assertThat(envelope.totalPages()).hasValue(0);
  }

  @ParameterizedTest
  @CsvSource({
    "0,0",
    "1,1",
    "19,1",
    "20,1",
    "21,2",
    "40,2",
    "41,3",
    "9007199254740991,450359962737050"
  })
  void totalPages_isRoundedUp(long totalElements, long totalPages) {
    assertThat(PageEnvelope.of(PageRequest.ofPage(0, 20), totalElements, 0).totalPages())
        .hasValue(totalPages);
  }

  @Test
  void page_offsetInsideTheFirstPage_isNumberZeroButNotFirst() {
    PageEnvelope envelope = PageEnvelope.of(PageRequest.ofOffset(7, 20), 100, 20);
    assertThat(envelope.number()).isZero();
    assertThat(envelope.first()).isFalse();
  }

  @Test
  void page_offsetAtTheLargest_doesNotOverflow() {
    long largest = PageRequest.MAXIMUM_OFFSET;
    PageEnvelope envelope = PageEnvelope.of(PageRequest.ofOffset(largest, 1), largest, 0);
    assertThat(envelope.last()).isTrue();
    assertThat(envelope.number()).isEqualTo(largest);
    assertThat(envelope.totalPages()).hasValue(largest);
  }

  @ParameterizedTest
  @CsvSource({"-1", "21"})
  void numberOfElements_outOfBounds_throws(int count) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageEnvelope.of(PageRequest.ofPage(0, 20), 100, count))
        .withMessage("numberOfElements must be 0 to 20, was " + count);
  }

  @ParameterizedTest
  @CsvSource({"-1", "9007199254740992"})
  void totalElements_outOfBounds_throws(long total) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PageEnvelope.of(PageRequest.ofPage(0, 20), total, 0))
        .withMessage("totalElements must be 0 to 9007199254740991, was " + total);
  }

  @Test
  void constructor_negativeCount_throws() {
    SortState sort = SortState.of(Sort.unsorted());
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new PageEnvelope(
                    null,
                    true,
                    true,
                    OptionalLong.empty(),
                    OptionalLong.of(-1),
                    20,
                    0,
                    sort,
                    0,
                    true))
        .withMessage("totalElements must not be negative, was -1");
  }
}
