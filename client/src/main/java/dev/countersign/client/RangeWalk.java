package dev.countersign.client;

/**
 * A walk whose filter gives one field a lower bound, set by {@link FieldFilter#from} or {@link
 * FieldFilter#after}. {@link #upTo} and {@link #before} set an upper bound for the same field. If
 * neither is called, there is no upper bound.
 *
 * <pre>{@code
 * client.list("/ledger/v1/transactions").where("bookedAt").from(start).before(end)
 * }</pre>
 *
 * @param <T> the type of a record
 * @see FieldFilter
 */
public final class RangeWalk<T> extends PageWalk<T> {
  private final String field;

  RangeWalk(PageWalk<T> walk, String field) {
    super(walk);
    this.field = field;
  }

  /**
   * Adds an inclusive upper bound: finds records whose field equals this value or precedes it.
   *
   * @throws IllegalArgumentException when {@link FieldFilter} does not allow the value
   */
  public PageWalk<T> upTo(Object maximum) {
    return where(field).upTo(maximum);
  }

  /**
   * Adds an exclusive upper bound: finds records whose field precedes this value.
   *
   * @throws IllegalArgumentException when {@link FieldFilter} does not allow the value
   */
  public PageWalk<T> before(Object value) {
    return where(field).before(value);
  }
}
