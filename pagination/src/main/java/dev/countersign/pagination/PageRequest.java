package dev.countersign.pagination;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The page of a list that a caller asks for: where it begins, its size, and its order.
 *
 * <p>A page is requested by number ({@code page=2&size=20}) or by offset ({@code
 * offset=47&size=20}). An offset need not be a multiple of the size. If the list has cursors, a
 * page can also be requested by the cursor after which it begins ({@code after=AQ&size=20}).
 *
 * @param offset number of elements before the page, 0 to {@link #MAXIMUM_OFFSET}; a multiple of
 *     {@code size} if the page was requested by number; 0 if it was requested by a cursor, until
 *     {@link #withElementsBefore} sets it
 * @param size maximum number of elements on the page, at least 1
 * @param sort the requested order
 * @param byOffset whether the page was requested by offset; links to its neighbours then also use
 *     an offset
 * @param wantsTotals whether the answer has the totals of the list; false for {@code totals=none},
 *     in which case the list need not be counted
 * @param after the cursor after which the page begins, empty for the start of the list; null if the
 *     page was requested by number or offset
 * @param parameters the additional parameters of the list, such as filters, in the order of the
 *     query
 * @see <a href="https://url.spec.whatwg.org/#urlencoded-parsing">WHATWG URL, form parsing</a>
 */
@SuppressWarnings("exports") // JSpecify is for compilers; callers do not need its module.
public record PageRequest(
    long offset,
    int size,
    Sort sort,
    boolean byOffset,
    boolean wantsTotals,
    @Nullable String after,
    List<Parameter> parameters) {
  /**
   * The largest offset, 2<sup>53</sup> - 1.
   *
   * <p>Design note: JSON readers that hold numbers as doubles are exact up to this number (RFC
   * 8259, section 6), and no sum of an offset and a size can overflow.
   */
  public static final long MAXIMUM_OFFSET = (1L << 53) - 1;

  /**
   * Checks the ranges. Prefer {@link #ofPage} and {@link #ofOffset}, which read better.
   *
   * @throws IllegalArgumentException if a value is out of its range
   */
  public PageRequest {
    Objects.requireNonNull(sort, "sort");
    parameters = List.copyOf(parameters);
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1, was " + size);
    }
    if (offset < 0 || offset > MAXIMUM_OFFSET) {
      throw new IllegalArgumentException(
          "offset must be 0 to " + MAXIMUM_OFFSET + ", was " + offset);
    }
    if (!byOffset && after == null && offset % size != 0) {
      throw new IllegalArgumentException(
          "offset of a numbered page must be a multiple of size " + size + ", was " + offset);
    }
  }

  /**
   * Requests a page with totals and without additional parameters; checks the ranges in the same
   * way.
   */
  public PageRequest(long offset, int size, Sort sort, boolean byOffset) {
    this(offset, size, sort, byOffset, true, null, List.of());
  }

  /**
   * An additional parameter of a list, decoded. The list gives it its meaning.
   *
   * @param name one of {@link PageRules#parameters()}
   * @param value the value; may be empty
   */
  public record Parameter(String name, String value) {}

  /**
   * Reads the query of a list request, strictly: values are not coerced, and unknown parameters are
   * errors.
   *
   * <ul>
   *   <li>{@code page}, {@code size} and {@code offset} are at most 16 ASCII digits, each given at
   *       most once.
   *   <li>{@code offset} takes precedence over {@code page}; an invalid {@code page} is still an
   *       error.
   *   <li>{@code sort} is {@code property}, {@code property,asc} or {@code property,desc}, with the
   *       direction in upper or lower case; it may be repeated for other properties.
   *   <li>{@code after} is any text, given at most once, and without {@code page} and {@code
   *       offset}, if the list has cursors.
   *   <li>{@code totals} is {@code none}, given at most once.
   *   <li>The {@linkplain PageRules#parameters() additional parameters} of the list may occur any
   *       number of times, with any value.
   *   <li>Empty pairs, as in {@code page=1&&size=5&}, are skipped.
   * </ul>
   *
   * <p>If there are several mistakes, only the first is reported: unknown names and broken encoding
   * in the order of the query, then size, page, offset, after, sort, totals.
   *
   * @param rawQuery the query as called, still percent-encoded, without its question mark; null if
   *     there is none
   * @throws PageParameterException if the list does not accept a parameter
   */
  public static PageRequest parse(@Nullable String rawQuery, PageRules rules) {
    PageQuery query = PageQuery.parse(rawQuery, rules);
    OptionalLong givenSize = query.number(PageQuery.SIZE, 1, rules.maximumSize());
    int size = (int) givenSize.orElse(rules.defaultSize());
    OptionalLong page = query.number(PageQuery.PAGE, 0, MAXIMUM_OFFSET / size);
    OptionalLong offset = query.number(PageQuery.OFFSET, 0, MAXIMUM_OFFSET);
    String after = query.after();
    Sort sort = new SortParser(rules.sortable()).parse(query.all(PageQuery.SORT));
    return new PageRequest(
        offset.orElse(page.orElse(0) * size),
        size,
        sort,
        offset.isPresent(),
        query.wantsTotals(),
        after,
        query.others());
  }

  /** Requests the page with this number, 0 for the first, unsorted. */
  public static PageRequest ofPage(long number, int size) {
    if (size > 0 && (number < 0 || number > MAXIMUM_OFFSET / size)) {
      throw new IllegalArgumentException(
          "number must be 0 to " + MAXIMUM_OFFSET / size + ", was " + number);
    }
    return new PageRequest(number * size, size, Sort.unsorted(), false);
  }

  /** Requests the page that begins after this number of elements, unsorted. */
  public static PageRequest ofOffset(long offset, int size) {
    return new PageRequest(offset, size, Sort.unsorted(), true);
  }

  /** Returns a copy with another order. */
  public PageRequest withSort(Sort other) {
    return new PageRequest(offset, size, other, byOffset, wantsTotals, after, parameters);
  }

  /** Returns a copy with these additional parameters. */
  public PageRequest withParameters(List<Parameter> others) {
    return new PageRequest(offset, size, sort, byOffset, wantsTotals, after, others);
  }

  /** Returns a copy that leaves out the totals of the list. */
  public PageRequest withoutTotals() {
    return new PageRequest(offset, size, sort, byOffset, false, after, parameters);
  }

  /**
   * Returns a copy of a request by a cursor, with this number of elements before the page as its
   * offset. Only the list can read this number from the cursor.
   *
   * @throws IllegalStateException if the page was not requested by a cursor
   */
  public PageRequest withElementsBefore(long elements) {
    if (after == null) {
      throw new IllegalStateException("the page was not requested by a cursor");
    }
    return new PageRequest(elements, size, sort, false, wantsTotals, after, parameters);
  }

  /** The page's number, 0 for the first: the offset divided by the size, rounded down. */
  public long number() {
    return offset / size;
  }

  /**
   * Returns the percent-encoded query of this request, which {@link #parse} reads for a list with
   * the same parameters.
   */
  public String toQuery() {
    StringBuilder query = new StringBuilder();
    if (after == null) {
      query.append(byOffset ? PageQuery.OFFSET : PageQuery.PAGE).append('=');
      query.append(byOffset ? offset : number());
    } else {
      query.append(PageQuery.AFTER).append('=');
      query.append(URLEncoder.encode(after, StandardCharsets.UTF_8));
    }
    query.append('&').append(PageQuery.SIZE).append('=').append(size);
    for (Sort.Order order : sort.orders()) {
      query.append('&').append(PageQuery.SORT).append('=');
      query.append(URLEncoder.encode(order.property(), StandardCharsets.UTF_8));
      query.append(',').append(order.direction().word());
    }
    if (!wantsTotals) {
      query.append('&').append(PageQuery.TOTALS).append('=').append(PageQuery.NONE);
    }
    for (Parameter parameter : parameters) {
      query.append('&').append(URLEncoder.encode(parameter.name(), StandardCharsets.UTF_8));
      query.append('=').append(URLEncoder.encode(parameter.value(), StandardCharsets.UTF_8));
    }
    return query.toString();
  }
}
