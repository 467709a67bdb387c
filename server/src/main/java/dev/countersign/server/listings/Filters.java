package dev.countersign.server.listings;

import dev.countersign.server.tables.Condition;
import dev.countersign.server.tables.SortOrder;
import dev.countersign.server.tables.TableDialect;
import dev.countersign.server.tables.TableDialect.RangeOperator;
import dev.countersign.server.tables.TableDialect.Unreadable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The filters of a request. A record must satisfy all of them. No record without a value in a field
 * satisfies a filter by this field.
 *
 * @param all the filters; empty for every record
 */
record Filters(List<Filter> all) {
  static final Filters NONE = new Filters(List.of());

  // The maximum number of separate searches for undecided rows: enough for ranges of three fields,
  // or filters by two UUIDs or four texts. SQLite accepts a UNION ALL of at most 500 SELECTs.
  private static final int MAX_SEARCHES = 27;

  Filters {
    all = List.copyOf(all);
  }

  /** A filter by one field. */
  sealed interface Filter {

    /** Returns the field. */
    Field field();

    /** Returns the condition that a row satisfies this filter. */
    Condition condition(TableDialect dialect, SortOrder order);

    /** Returns the rows about which this filter cannot decide; empty if there can be none. */
    Optional<Unreadable> unreadable(TableDialect dialect, SortOrder order);

    /** The field has one of these values. */
    record AnyOf(Field field, List<Object> values) implements Filter {
      @Override
      public Condition condition(TableDialect dialect, SortOrder order) {
        return dialect.equalAsShown(field.column(), field.type(), values);
      }

      @Override
      public Optional<Unreadable> unreadable(TableDialect dialect, SortOrder order) {
        return dialect.unreadable(field.column(), field.type(), values);
      }
    }

    /** The field is on one side of the value, in the order of the listing. */
    record Range(Field field, RangeOperator operator, Object value) implements Filter {
      @Override
      public Condition condition(TableDialect dialect, SortOrder order) {
        return dialect.compare(field.column(), field.type(), comparison(), order);
      }

      @Override
      public Optional<Unreadable> unreadable(TableDialect dialect, SortOrder order) {
        return dialect.unreadable(field.column(), field.type(), comparison(), order);
      }

      private TableDialect.Comparison comparison() {
        return new TableDialect.Comparison(operator, value);
      }
    }
  }

  /** Returns the condition that a row satisfies all filters. */
  Condition condition(TableDialect dialect, SortOrder order) {
    return Condition.all(all.stream().map(filter -> filter.condition(dialect, order)).toList());
  }

  /** Returns the fields that a filter compares with one or more values. */
  List<Field> equal() {
    return fields(Filter.AnyOf.class);
  }

  /** Returns the fields that a filter limits to a range. */
  List<Field> between() {
    return fields(Filter.Range.class);
  }

  private List<Field> fields(Class<? extends Filter> kind) {
    return all.stream().filter(kind::isInstance).map(Filter::field).distinct().toList();
  }

  /** Returns a value that identifies the list of these filters; their order does not matter. */
  Object identity() {
    return all.stream()
        .map(
            filter ->
                switch (filter) {
                  case Filter.AnyOf any -> List.of(any.field().name(), Set.copyOf(any.values()));
                  case Filter.Range range -> range;
                })
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Rows that may satisfy all filters, but have an unreadable value in a field.
   *
   * @param field the field
   * @param rows the condition that finds them
   */
  record Undecided(Field field, Condition rows) {}

  /**
   * Returns where to look for rows about which a filter cannot decide, because their value is
   * unreadable. Leaves out rows that a filter by another field excludes. For this purpose, a filter
   * by a timestamp compares only days.
   */
  List<Undecided> undecided(TableDialect dialect, SortOrder order) {
    Map<Field, Unreadable> unreadable = new LinkedHashMap<>();
    for (Filter filter : all) {
      Optional<Unreadable> rows = filter.unreadable(dialect, order);
      if (rows.isEmpty()) {
        return List.of(); // the database has no such values
      }
      unreadable.merge(filter.field(), rows.get(), Filters::both);
    }
    List<Field> fields = List.copyOf(unreadable.keySet());
    List<Unreadable> found = List.copyOf(unreadable.values());
    Condition near = Condition.all(found.stream().map(Unreadable::near).toList());
    Condition nearBefore = Condition.TRUE;
    boolean hasFewSearches = combinations(found) <= MAX_SEARCHES;
    List<Undecided> places = new ArrayList<>();
    for (int i = 0; i < fields.size(); i++) {
      Unreadable rows = found.get(i);
      if (!rows.value().equals(Condition.FALSE)) {
        places.add(new Undecided(fields.get(i), and(near, rows.value())));
      }
      for (Condition beyond : rows.beyond()) {
        List<Condition> searches = List.of(and(nearBefore, beyond));
        for (Unreadable later : found.subList(i + 1, found.size())) {
          searches =
              crossed(searches, hasFewSearches ? separateSearches(later) : combinedSearch(later));
        }
        for (Condition search : searches) {
          places.add(new Undecided(fields.get(i), search));
        }
      }
      nearBefore = and(nearBefore, rows.near());
    }
    return places;
  }

  private static long combinations(List<Unreadable> fields) {
    long combinations = 1;
    for (Unreadable rows : fields) {
      combinations = Math.min(Integer.MAX_VALUE, combinations * (1 + rows.beyond().size()));
    }
    return combinations;
  }

  // A search for each place of a field is served by any index that begins with the field.
  private static List<Condition> separateSearches(Unreadable rows) {
    return Stream.concat(Stream.of(rows.near()), rows.beyond().stream()).toList();
  }

  // One search, but an index that begins with the field serves an OR only sometimes.
  private static List<Condition> combinedSearch(Unreadable rows) {
    return List.of(Condition.any(separateSearches(rows)));
  }

  private static List<Condition> crossed(List<Condition> searches, List<Condition> places) {
    return searches.stream()
        .flatMap(search -> places.stream().map(place -> and(search, place)))
        .toList();
  }

  private static Condition and(Condition one, Condition other) {
    return Condition.all(List.of(one, other));
  }

  // For two filters by one field. A row that is near for one of them may be beyond for the other.
  private static Unreadable both(Unreadable one, Unreadable other) {
    return new Unreadable(
        Condition.all(List.of(one.near(), other.near())),
        one.value().equals(Condition.FALSE) ? other.value() : one.value(),
        Stream.concat(one.beyond().stream(), other.beyond().stream()).distinct().toList());
  }
}
