package dev.countersign.client;

/**
 * A walk over the records whose field has a lower bound. The methods of this class add the upper
 * bound; those of {@link PageWalk} leave the range open.
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
   * Finds records whose field also equals this value or precedes it.
   *
   * @throws IllegalArgumentException when {@link FieldFilter} does not allow the value
   */
  public PageWalk<T> upTo(Object most) {
    return where(field).upTo(most);
  }

  /**
   * Finds records whose field also precedes this value.
   *
   * @throws IllegalArgumentException when {@link FieldFilter} does not allow the value
   */
  public PageWalk<T> before(Object value) {
    return where(field).before(value);
  }
}
