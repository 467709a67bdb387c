package dev.countersign.pagination;

import static dev.countersign.pagination.Queries.assertInvalid;
import static dev.countersign.pagination.Queries.parse;
import static dev.countersign.pagination.Queries.refusal;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.pagination.Sort.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The requested order of a list. */
class SortParserTest {
  @ParameterizedTest
  @ValueSource(strings = {"name", "name,asc", "name%2Casc", "name%2casc", "name,ASC", "n%61me,Asc"})
  void sort_ascending_inAnySpelling(String value) {
    assertThat(parse("sort=" + value).sort()).isEqualTo(Sort.by(Order.asc("name")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"name,desc", "name%2CDESC", "name,dEsC"})
  void sort_descending_inAnySpelling(String value) {
    assertThat(parse("sort=" + value).sort()).isEqualTo(Sort.by(Order.desc("name")));
  }

  @Test
  void sort_notGiven_isUnsorted() {
    assertThat(parse("page=1").sort()).isEqualTo(Sort.unsorted());
  }

  @Test
  void sort_repeated_keepsTheOrderAsPrecedence() {
    assertThat(parse("sort=createdAt,desc&page=0&sort=name").sort())
        .isEqualTo(Sort.by(Order.desc("createdAt"), Order.asc("name")));
  }

  @Test
  void sort_propertyWithASpace_mayComeAsPlus() {
    PageRules rules = PageRules.sortableBy("full name");
    assertThat(PageRequest.parse("sort=full+name,desc", rules).sort())
        .isEqualTo(Sort.by(Order.desc("full name")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"colour", "colour,desc", "colour,up", "Name", ",asc", ","})
  void sort_unsortableProperty_listsTheSortable(String value) {
    assertInvalid(
        "sort=" + value,
        "sort",
        "sort must name one of name, currencyCode, createdAt, was " + value);
  }

  @Test
  void sort_empty_listsTheSortable() {
    assertInvalid(
        "sort=", "sort", "sort must name one of name, currencyCode, createdAt, was empty");
  }

  @Test
  void sort_unsortableList_saysSo() {
    assertThat(
            catchThrowableOfType(
                PageParameterException.class,
                () -> PageRequest.parse("sort=name", PageRules.defaults())))
        .hasMessage("sort must be left out, as this list cannot be sorted, was name");
  }

  @ParameterizedTest
  @ValueSource(strings = {"name,", "name,up", "name,asc,desc", "name,name", "name,ascending"})
  void sort_otherDirection_isInvalid(String value) {
    assertInvalid(
        "sort=" + value,
        "sort",
        "sort must be property, property,asc or property,desc, was " + value);
  }

  @Test
  void sort_directionWithASpace_isInvalid() {
    assertThat(refusal("sort=name,+asc").parameter()).isEqualTo("sort");
  }

  @Test
  void sort_directionWithALongS_isInvalid() {
    assertThat(refusal("sort=name,a%C5%BFc").parameter()).isEqualTo("sort");
  }

  @ParameterizedTest
  @ValueSource(strings = {"name,desc", "name,asc", "name"})
  void sort_samePropertyTwice_isInvalid(String second) {
    assertInvalid(
        "sort=name,asc&sort=" + second,
        "sort",
        "sort must name each property once, was name,asc and " + second);
  }
}
