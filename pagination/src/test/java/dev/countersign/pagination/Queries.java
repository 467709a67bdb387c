package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.pagination.PageParameterException.Reason;

/** Queries to one list, accepted or refused. */
final class Queries {
  static final PageRules RULES = PageRules.sortableBy("name", "currencyCode", "createdAt");

  private Queries() {}

  static PageRequest parse(String query) {
    return PageRequest.parse(query, RULES);
  }

  static PageParameterException refusal(String query) {
    PageParameterException refusal =
        catchThrowableOfType(PageParameterException.class, () -> parse(query));
    assertThat(refusal).as(query).isNotNull();
    return refusal;
  }

  static void assertInvalid(String query, String parameter, String message) {
    PageParameterException refusal = refusal(query);
    assertThat(refusal).hasMessage(message);
    assertThat(refusal.reason()).isEqualTo(Reason.PARAMETER_INVALID);
    assertThat(refusal.parameter()).isEqualTo(parameter);
  }

  static void assertUnknown(String query, String parameter, String message) {
    PageParameterException refusal = refusal(query);
    assertThat(refusal).hasMessage(message);
    assertThat(refusal.reason()).isEqualTo(Reason.PARAMETER_UNKNOWN);
    assertThat(refusal.parameter()).isEqualTo(parameter);
  }
}
