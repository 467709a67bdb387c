package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.pagination.Sort.Order;
import org.junit.jupiter.api.Test;

class SortTest {
  @Test
  void unsorted_hasNoOrders() {
    assertThat(Sort.unsorted().orders()).isEmpty();
    assertThat(Sort.unsorted().isSorted()).isFalse();
  }

  @Test
  void by_anOrder_isSorted() {
    assertThat(Sort.by(Order.asc("name")).isSorted()).isTrue();
  }

  @Test
  void by_samePropertyTwice_throws() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Sort.by(Order.asc("name"), Order.desc("name")))
        .withMessage("a sort must not name a property twice: name");
  }

  @Test
  void order_toString_isTheParametersValue() {
    assertThat(Order.desc("name")).hasToString("name,desc");
  }
}
