package dev.countersign.pagination;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Absolute links from a page to its neighbours, for the {@code Link} header.
 *
 * <p>A link is the URI as called with {@code page} set to another number, or {@code offset} where
 * the caller used that; every other parameter stays as it was written and where it stood.
 *
 * <p>A walk by offset keeps its alignment: from {@code offset=7&size=5} it leads over 12, 17 and so
 * on, and {@code last} is the largest of these that still has elements (0 where none has).
 * Backwards it ends at 0, so that the first page may overlap the second. From a page past the end,
 * {@code prev} leads to {@code last}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8288#section-3">RFC 8288, section 3</a>
 */
public final class PageLinks {
  private final String first;
  private final @Nullable String prev;
  private final @Nullable String next;
  private final String last;

  private PageLinks(LinkTemplate template, PageRequest request, long totalElements) {
    long offset = request.offset();
    int size = request.size();
    long lastOffset = lastOffset(offset % size, size, totalElements);
    // A link by page counts in pages; its offsets are multiples of the size, so this is exact.
    int unit = request.byOffset() ? 1 : size;
    first = template.link(0);
    prev = offset == 0 ? null : template.link(prevOffset(offset - size, lastOffset) / unit);
    next = offset + size >= totalElements ? null : template.link((offset + size) / unit);
    last = template.link(lastOffset / unit);
  }

  /**
   * The links of the page that answers a request.
   *
   * <p>A character that has no place in a URI comes out percent-encoded, so that no link can break
   * out of its header.
   *
   * @param targetUri the absolute URI as called, with its query, without a fragment
   * @param totalElements the elements of the whole list, 0 to {@link PageRequest#MAXIMUM_OFFSET}
   * @throws IllegalArgumentException where the URI has no scheme or the total is out of its range
   */
  public static PageLinks of(String targetUri, PageRequest request, long totalElements) {
    PageEnvelope.requireTotal(totalElements);
    return new PageLinks(LinkTemplate.of(targetUri, request), request, totalElements);
  }

  private static long lastOffset(long alignment, int size, long totalElements) {
    long beyond = totalElements - 1 - alignment;
    return beyond < 0 ? 0 : alignment + beyond / size * size;
  }

  private static long prevOffset(long before, long lastOffset) {
    return Math.max(0, Math.min(before, lastOffset));
  }

  /** The list's first page. */
  public String first() {
    return first;
  }

  /** The page before this one; empty on the first. */
  public Optional<String> prev() {
    return Optional.ofNullable(prev);
  }

  /** The page after this one; empty on the last and past the end. */
  public Optional<String> next() {
    return Optional.ofNullable(next);
  }

  /** The last page that has elements, or the first where none has. */
  public String last() {
    return last;
  }

  /** The value of the {@code Link} header. */
  public String toLinkHeader() {
    StringBuilder header = new StringBuilder(4 * (first.length() + 24));
    append(header, first, "first");
    append(header, prev, "prev");
    append(header, next, "next");
    append(header, last, "last");
    return header.toString();
  }

  // RFC 8288, section 3: link-value = "<" URI-Reference ">" *( OWS ";" OWS link-param )
  private static void append(StringBuilder header, @Nullable String link, String relation) {
    if (link == null) {
      return;
    }
    header.append(header.isEmpty() ? "<" : ", <").append(link);
    header.append(">; rel=\"").append(relation).append('"');
  }

  @Override
  public String toString() {
    return toLinkHeader();
  }
}
