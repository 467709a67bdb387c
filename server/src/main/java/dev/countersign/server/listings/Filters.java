package dev.countersign.server.listings;

import dev.countersign.server.store.Condition;
import dev.countersign.server.store.Dialect;
import dev.countersign.server.store.Dialect.RangeOperator;
import dev.countersign.server.store.values.SortOrder;
import java.util.List;

/**
 * The filters of a request. A record must satisfy all of them. No record without a value in a field
 * satisfies a filter by this field.
 *
 * @param all the filters; empty for every record
 */
record Filters(List<Filter> all) {
  static final Filters NONE = new Filters(List.of());

  Filters {
    all = List.copyOf(all);
  }

  /** A filter by one field. */
  sealed interface Filter {

    /** The field has one of these values. */
    record AnyOf(Field field, List<Object> values) implements Filter {}

    /** The field is on one side of the value, in the order of the listing. */
    record Range(Field field, RangeOperator operator, Object value) implements Filter {}
  }

  /** Returns the condition that a row satisfies all filters. */
  Condition condition(Dialect dialect, SortOrder order) {
    return Condition.all(
        all.stream()
            .map(
                filter ->
                    switch (filter) {
                      case Filter.AnyOf one ->
                          dialect.equal(one.field().column(), one.field().type(), one.values());
                      case Filter.Range range ->
                          dialect.compare(
                              range.field().column(),
                              range.field().type(),
                              new Dialect.Comparison(range.operator(), range.value()),
                              order);
                    })
            .toList());
  }
}
