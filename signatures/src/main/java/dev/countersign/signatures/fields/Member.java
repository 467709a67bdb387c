package dev.countersign.signatures.fields;

/**
 * A member of a list or a dictionary: a single {@link Item} or an {@link InnerList} of items, each
 * with parameters.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9651#section-3.1">RFC 9651 3.1</a>
 */
public sealed interface Member permits Item, InnerList {

  /** The parameters of the member as a whole, in order. */
  Parameters parameters();

  /** The canonical text of this member with its parameters. */
  String serialize();
}
