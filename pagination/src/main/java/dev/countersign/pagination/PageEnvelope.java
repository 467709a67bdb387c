package dev.countersign.pagination;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a list says about a page beside its elements: the members of the page envelope, by the
 * interface's names and in its order.
 *
 * <p>Servers compute it with {@link #of}. The constructor takes the members as another server sent
 * them, and so leaves their agreement with each other alone. Counts are never negative.
 *
 * <p>Page numbers and totals are longs: a list of more than 2<sup>31</sup> elements may be walked
 * one by one.
 *
 * @param pageable detail on the pagination, null where the server leaves it out
 * @param last whether no page follows; true past the end and for an empty list
 * @param first whether the page begins with the list's first element
 * @param totalPages the pages of this size that the list makes when counted from its beginning
 * @param totalElements the elements of the whole list
 * @param size the most elements on a page
 * @param number the page's number, 0 for the first
 * @param sort whether an order was asked for
 * @param numberOfElements the elements on this page
 * @param empty whether the page has no elements
 */
@SuppressWarnings("exports") // JSpecify is for compilers: whoever uses this needs no such module
public record PageEnvelope(
    @Nullable Pageable pageable,
    boolean last,
    boolean first,
    long totalPages,
    long totalElements,
    int size,
    long number,
    SortState sort,
    int numberOfElements,
    boolean empty) {

  /**
   * Refuses negative counts.
   *
   * @throws IllegalArgumentException where a count is negative
   */
  public PageEnvelope {
    requireCount("totalPages", totalPages);
    requireCount("totalElements", totalElements);
    requireCount("size", size);
    requireCount("number", number);
    requireCount("numberOfElements", numberOfElements);
    Objects.requireNonNull(sort, "sort");
  }

  /**
   * The envelope of the page that answers a request.
   *
   * <p>The page may lie past the end, and its count may disagree with the total where rows came or
   * went between the two reads; the envelope then reports both as they are.
   *
   * @param totalElements the elements of the whole list, 0 to {@link PageRequest#MAXIMUM_OFFSET}
   * @param numberOfElements the elements on this page, 0 to the request's size
   * @throws IllegalArgumentException where a count is out of its range
   */
  public static PageEnvelope of(PageRequest request, long totalElements, int numberOfElements) {
    int size = request.size();
    requireTotal(totalElements);
    if (numberOfElements < 0 || numberOfElements > size) {
      throw new IllegalArgumentException(
          "numberOfElements must be 0 to " + size + ", was " + numberOfElements);
    }
    SortState sort = SortState.of(request.sort());
    long number = request.number();
    return new PageEnvelope(
        new Pageable(number, size, sort, request.offset(), true, false),
        request.offset() + size >= totalElements,
        request.offset() == 0,
        totalElements / size + (totalElements % size == 0 ? 0 : 1),
        totalElements,
        size,
        number,
        sort,
        numberOfElements,
        numberOfElements == 0);
  }

  /** This envelope as a service sends it that leaves {@code pageable} out. */
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
   * Detail on the pagination of a page.
   *
   * @param pageNumber the page's number, 0 for the first
   * @param pageSize the most elements on a page
   * @param sort whether an order was asked for
   * @param offset elements before the page
   * @param paged whether the results are paginated
   * @param unpaged the opposite of {@code paged}
   */
  public record Pageable(
      long pageNumber, int pageSize, SortState sort, long offset, boolean paged, boolean unpaged) {
    /**
     * Refuses negative counts.
     *
     * @throws IllegalArgumentException where a count is negative
     */
    public Pageable {
      requireCount("pageNumber", pageNumber);
      requireCount("pageSize", pageSize);
      requireCount("offset", offset);
      Objects.requireNonNull(sort, "sort");
    }
  }

  /**
   * Whether an order was asked for, said three times as the interface does.
   *
   * @param empty whether there is no order
   * @param sorted whether there is one
   * @param unsorted whether there is no order
   */
  public record SortState(boolean empty, boolean sorted, boolean unsorted) {
    private static final SortState SORTED = new SortState(false, true, false);
    private static final SortState UNSORTED = new SortState(true, false, true);

    /** The state of this sort. */
    public static SortState of(Sort sort) {
      return sort.isSorted() ? SORTED : UNSORTED;
    }
  }
}
