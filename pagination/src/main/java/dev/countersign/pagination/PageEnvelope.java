package dev.countersign.pagination;

import java.util.Objects;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The members of a page envelope that describe the page, without its elements. Names and order are
 * those of the interface.
 *
 * <p>Servers compute it with {@link #of}. The constructor accepts the members as another server
 * sent them, so it does not check that they agree with each other. Counts are never negative.
 *
 * <p>Page numbers and totals are longs, because a list may have more than 2<sup>31</sup> elements
 * and, with one element per page, as many pages.
 *
 * @param pageable details of the pagination, null if the server omits them
 * @param last whether no page follows; true past the end and for an empty list
 * @param first whether the page begins with the list's first element
 * @param totalPages number of pages of this size that cover the whole list from its first element;
 *     empty if the list was not counted
 * @param totalElements number of elements in the whole list; empty if it was not counted
 * @param size maximum number of elements on a page
 * @param number the page's number, 0 for the first
 * @param sort whether an order was requested
 * @param numberOfElements number of elements on this page
 * @param empty whether the page has no elements
 */
@SuppressWarnings("exports") // JSpecify is for compilers: callers do not need its module.
public record PageEnvelope(
    @Nullable Pageable pageable,
    boolean last,
    boolean first,
    OptionalLong totalPages,
    OptionalLong totalElements,
    int size,
    long number,
    SortState sort,
    int numberOfElements,
    boolean empty) {

  /**
   * Rejects negative counts.
   *
   * @throws IllegalArgumentException if a count is negative
   */
  public PageEnvelope {
    totalPages.ifPresent(count -> requireCount("totalPages", count));
    totalElements.ifPresent(count -> requireCount("totalElements", count));
    requireCount("size", size);
    requireCount("number", number);
    requireCount("numberOfElements", numberOfElements);
    Objects.requireNonNull(sort, "sort");
  }

  /**
   * Creates the envelope of the page that answers a request. It has totals if the request wants
   * them.
   *
   * <p>The page may be past the end. Its count may disagree with the total if rows were added or
   * removed between reading the page and counting the list; the envelope then reports both numbers
   * as they are.
   *
   * @param totalElements number of elements in the whole list, 0 to {@link
   *     PageRequest#MAXIMUM_OFFSET}
   * @param numberOfElements number of elements on this page, 0 to the request's size
   * @throws IllegalArgumentException if a count is out of its range
   */
  public static PageEnvelope of(PageRequest request, long totalElements, int numberOfElements) {
    requireTotal(totalElements);
    boolean hasNext = request.offset() + request.size() < totalElements;
    OptionalLong total =
        request.wantsTotals() ? OptionalLong.of(totalElements) : OptionalLong.empty();
    return of(request, total, hasNext, numberOfElements);
  }

  /**
   * Creates the envelope of a page from {@code hasNext} instead of the total, which may be unknown.
   *
   * @param totalElements number of elements in the whole list; empty if it was not counted
   * @param hasNext whether at least one element follows this page
   * @param numberOfElements number of elements on this page, 0 to the request's size
   * @throws IllegalArgumentException if a count is out of its range
   */
  public static PageEnvelope of(
      PageRequest request, OptionalLong totalElements, boolean hasNext, int numberOfElements) {
    totalElements.ifPresent(PageEnvelope::requireTotal);
    int size = request.size();
    if (numberOfElements < 0 || numberOfElements > size) {
      throw new IllegalArgumentException(
          "numberOfElements must be 0 to " + size + ", was " + numberOfElements);
    }
    SortState sort = SortState.of(request.sort());
    long number = request.number();
    return new PageEnvelope(
        new Pageable(number, size, sort, request.offset(), true, false),
        !hasNext,
        request.offset() == 0,
        totalElements.isEmpty()
            ? OptionalLong.empty()
            : OptionalLong.of(pages(totalElements.getAsLong(), size)),
        totalElements,
        size,
        number,
        sort,
        numberOfElements,
        numberOfElements == 0);
  }

  private static long pages(long totalElements, int size) {
    return totalElements / size + (totalElements % size == 0 ? 0 : 1);
  }

  /** Returns a copy without {@code pageable}, which some services omit. */
  public PageEnvelope withoutPageable() {
    return new PageEnvelope(
        null, last, first, totalPages, totalElements, size, number, sort, numberOfElements, empty);
  }

  static void requireTotal(long totalElements) {
    if (totalElements < 0 || totalElements > PageRequest.MAXIMUM_OFFSET) {
      throw new IllegalArgumentException(
          "totalElements must be 0 to " + PageRequest.MAXIMUM_OFFSET + ", was " + totalElements);
    }
  }

  private static void requireCount(String member, long count) {
    if (count < 0) {
      throw new IllegalArgumentException(member + " must not be negative, was " + count);
    }
  }

  /**
   * Details of the pagination of a page.
   *
   * @param pageNumber the page's number, 0 for the first
   * @param pageSize maximum number of elements on a page
   * @param sort whether an order was requested
   * @param offset number of elements before the page
   * @param paged whether the results are paginated
   * @param unpaged the opposite of {@code paged}
   */
  public record Pageable(
      long pageNumber, int pageSize, SortState sort, long offset, boolean paged, boolean unpaged) {
    /**
     * Rejects negative counts.
     *
     * @throws IllegalArgumentException if a count is negative
     */
    public Pageable {
      requireCount("pageNumber", pageNumber);
      requireCount("pageSize", pageSize);
      requireCount("offset", offset);
      Objects.requireNonNull(sort, "sort");
    }
  }

  /**
   * States whether an order was requested, in the three members that the interface has for it.
   *
   * @param empty whether there is no order
   * @param sorted whether there is an order
   * @param unsorted whether there is no order
   */
  public record SortState(boolean empty, boolean sorted, boolean unsorted) {
    private static final SortState SORTED = new SortState(false, true, false);
    private static final SortState UNSORTED = new SortState(true, false, true);

    /** Returns the state of a sort. */
    public static SortState of(Sort sort) {
      return sort.isSorted() ? SORTED : UNSORTED;
    }
  }
}
