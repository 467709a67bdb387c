package dev.countersign.cli.list;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.client.ListPage;
import dev.countersign.client.PageWalk;
import dev.countersign.pagination.Sort;
import dev.countersign.pagination.Sort.Order;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that choose the part of a list to print, and the order of its items. */
public final class ListOptions {
  // The maximum number of items on a page.
  static final int MAX_PAGE_SIZE = 100;

  @Option(
      names = "--all",
      description = "Print all pages (default: one page, or the pages that --max needs).")
  private boolean all;

  @Option(
      names = "--where",
      paramLabel = "FIELD[.gte|.gt|.lte|.lt]=VALUE",
      converter = ListFilter.FilterText.class,
      description = {
        "Only items whose field has this value, or is in this range; may be repeated.",
        "Several values of one field are alternatives."
      })
  private List<ListFilter> filters = new ArrayList<>();

  @Option(
      names = "--sort",
      paramLabel = "PROPERTY[,asc|desc]",
      converter = OrderText.class,
      description = "The order of the items; may be repeated, the first --sort takes precedence.")
  private List<Order> orders = new ArrayList<>();

  @Option(
      names = "--size",
      paramLabel = "N",
      description = "Items per page, 1 to 100 (default: 100).")
  private @Nullable Integer size;

  @Option(names = "--max", paramLabel = "N", description = "Print at most this many items.")
  private @Nullable Long max;

  @Option(names = "--page", paramLabel = "N", description = "The first page, counted from 0.")
  private @Nullable Integer page;

  @Option(names = "--offset", paramLabel = "N", description = "The first item, counted from 0.")
  private @Nullable Long offset;

  @Option(
      names = "--after",
      paramLabel = "CURSOR",
      description = {
        "Begin after the item that a cursor names, as in the command that resumes a run;",
        "with the same URL, --where and --sort. '' begins at the start of the list."
      })
  private @Nullable String after;

  @Option(
      names = "--no-totals",
      description = "Do not let the service count the list, if that takes too long.")
  private boolean noTotals;

  /** Checks that the numbers are in the range that lists accept. */
  void check() {
    requireRange("--size", size == null ? 1 : size, 1, MAX_PAGE_SIZE);
    requireRange("--max", max == null ? 1 : max, 1, Long.MAX_VALUE);
    requireRange("--page", page == null ? 0 : page, 0, Integer.MAX_VALUE);
    requireRange("--offset", offset == null ? 0 : offset, 0, Long.MAX_VALUE);
    if (Stream.of(page, offset, after).filter(Objects::nonNull).count() > 1) {
      throw CliException.usage("--page, --offset and --after cannot be used together: give one");
    }
  }

  /** Returns whether only one page was requested. */
  boolean isOnePage() {
    return !all && max == null;
  }

  /** The requested part of the list. */
  ListRun.Extent extent() {
    return new ListRun.Extent(max == null ? Long.MAX_VALUE : max, isOnePage() ? 1 : Long.MAX_VALUE);
  }

  /** Applies these options to a walk over a list. */
  <T> PageWalk<T> applyTo(PageWalk<T> list) {
    PageWalk<T> walk = ListFilter.applyTo(list, filters);
    walk = orders.isEmpty() ? walk : walk.withSort(Sort.by(orders.toArray(Order[]::new)));
    walk = size == null ? walk : walk.withSize(size);
    walk = page == null ? walk : walk.fromPage(page);
    walk = offset == null ? walk : walk.fromOffset(offset);
    walk = after == null ? walk : walk.after(after);
    walk = noTotals ? walk.withoutTotals() : walk;
    walk = max == null ? walk : walk.withLimit(max);
    return isOnePage() ? walk : walk.withFetchAhead();
  }

  /**
   * The same options for a run that starts later in the list.
   *
   * @param latest the page that was written last
   * @param written the number of items written so far
   */
  List<String> resumedAfter(ListPage<?> latest, long written) {
    List<String> words = new ArrayList<>();
    if (all) {
      words.add("--all");
    }
    filters.forEach(filter -> words.addAll(List.of("--where", filter.toString())));
    orders.forEach(order -> words.addAll(List.of("--sort", order.toString())));
    add("--size", size, words);
    add("--max", max == null ? null : max - written, words);
    if (noTotals) {
      words.add("--no-totals");
    }
    if (latest.cursor().isPresent()) {
      add("--after", latest.cursor().get(), words);
    } else {
      add("--offset", latest.nextOffset(), words);
    }
    return words;
  }

  private static void add(String option, @Nullable Object value, List<String> words) {
    if (value != null) {
      words.addAll(List.of(option, value.toString()));
    }
  }

  private static void requireRange(String option, long value, long minimum, long maximum) {
    if (value < minimum || value > maximum) {
      throw CliException.usage(
          option
              + " must be "
              + minimum
              + (maximum >= Integer.MAX_VALUE ? " or more" : " to " + maximum)
              + ", was "
              + value);
    }
  }

  /** Reads {@code property}, {@code property,asc} or {@code property,desc}. */
  static final class OrderText implements ITypeConverter<Order> {
    @Override
    public Order convert(String text) {
      int comma = text.indexOf(',');
      String property = comma < 0 ? text : text.substring(0, comma);
      String direction = comma < 0 ? "asc" : text.substring(comma + 1);
      if (!property.isEmpty() && direction.equalsIgnoreCase("asc")) {
        return Order.asc(property);
      }
      if (!property.isEmpty() && direction.equalsIgnoreCase("desc")) {
        return Order.desc(property);
      }
      throw new TypeConversionException(
          "'" + text + "' must be property, property,asc or property,desc");
    }
  }
}
