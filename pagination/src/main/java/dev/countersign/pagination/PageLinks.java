package dev.countersign.pagination;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Absolute links from a page to its neighbours, for the {@code Link} header.
 *
 * <p>A link is the URI of the call with another number in {@code page}, or in {@code offset} if the
 * caller used {@code offset}. All other parameters keep their spelling and their place.
 *
 * <p>Links by offset keep their alignment: from {@code offset=7&size=5} they lead to 12, 17 and so
 * on, and {@code last} is the largest of these offsets that still has elements (0 if no offset has
 * elements). The {@code prev} links end at 0, so the first page may overlap the second. From a page
 * past the end, {@code prev} leads to {@code last}.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8288#section-3">RFC 8288, section 3</a>
 */
public final class PageLinks {
  /** The relation of the link from a numbered page to the records that follow it, by a cursor. */
  public static final String CURSOR_RELATION = "https://countersign.dev/rels/after";

  private final String first;
  private final @Nullable String prev;
  private final @Nullable String next;
  private final @Nullable String last;
  private final @Nullable String after;

  private PageLinks(
      String targetUri, PageRequest request, PageEnvelope page, @Nullable String cursor) {
    LinkTemplate byCursor = LinkTemplate.of(targetUri, PageQuery.AFTER);
    String following = page.last() || cursor == null ? null : byCursor.link(cursor);
    if (request.after() != null) {
      first = byCursor.link("");
      prev = null;
      next = following;
      last = null;
      after = null;
      return;
    }
    LinkTemplate template =
        LinkTemplate.of(targetUri, request.byOffset() ? PageQuery.OFFSET : PageQuery.PAGE);
    long offset = request.offset();
    int size = request.size();
    // Links by page number use the size as their unit. The offsets are multiples of the size, so
    // the division is exact.
    int unit = request.byOffset() ? 1 : size;
    first = template.link(0);
    next = page.last() ? null : template.link((offset + size) / unit);
    after = following;
    long prevOffset = offset - size;
    if (page.totalElements().isPresent()) {
      long end = lastOffset(offset % size, size, page.totalElements().getAsLong());
      last = template.link(end / unit);
      prevOffset = Math.min(prevOffset, end);
    } else {
      last = null;
    }
    prev = offset == 0 ? null : template.link(Math.max(0, prevOffset) / unit);
  }

  /**
   * Creates the links of the page that answers a request. None leads to the last page if the list
   * was not counted; {@code prev} may then lead from a page past the end to another one.
   *
   * <p>Characters that are not allowed in a URI are percent-encoded, so that no link can break out
   * of its header.
   *
   * @param targetUri the absolute URI as called, with its query, without a fragment
   * @param page the envelope that was created for the request
   * @throws IllegalArgumentException if the URI has no scheme
   */
  public static PageLinks of(String targetUri, PageRequest request, PageEnvelope page) {
    return new PageLinks(targetUri, request, page, null);
  }

  /**
   * Creates the links of a page of a list with cursors. From a page that was requested by a cursor,
   * they lead to the first and the next page by cursors. From a page by number or offset, one more
   * link, with the relation {@value #CURSOR_RELATION}, leads to the same records as {@code next}.
   *
   * @param cursor the cursor of the last element on the page; it must consist of characters that
   *     are allowed in a query
   */
  public static PageLinks of(
      String targetUri, PageRequest request, PageEnvelope page, String cursor) {
    return new PageLinks(targetUri, request, page, cursor);
  }

  /**
   * Finds the cursor of the records that follow a page in the {@code Link} headers of its answer.
   *
   * @param relation {@code next} for a page that was requested by a cursor, and {@value
   *     #CURSOR_RELATION} for all others, because a parameter {@code after} in their {@code next}
   *     need not be a cursor
   * @return empty if there is no such link; never an empty text
   */
  public static Optional<String> cursor(List<String> linkHeaders, String relation) {
    String target = LinkHeader.targets(linkHeaders).get(relation);
    return QueryParameter.split(target == null ? null : query(target)).stream()
        .filter(parameter -> PageQuery.AFTER.equals(parameter.name()))
        .flatMap(parameter -> Stream.ofNullable(parameter.value()))
        .filter(cursor -> !cursor.isEmpty())
        .findFirst();
  }

  private static String query(String target) {
    String withoutFragment = target.split("#", 2)[0];
    int mark = withoutFragment.indexOf('?');
    return mark < 0 ? "" : withoutFragment.substring(mark + 1);
  }

  private static long lastOffset(long alignment, int size, long totalElements) {
    long beyond = totalElements - 1 - alignment;
    return beyond < 0 ? 0 : alignment + beyond / size * size;
  }

  /** The list's first page. */
  public String first() {
    return first;
  }

  /** The page before this one; empty on the first page. */
  public Optional<String> prev() {
    return Optional.ofNullable(prev);
  }

  /** The page after this one; empty on the last page and past the end. */
  public Optional<String> next() {
    return Optional.ofNullable(next);
  }

  /**
   * The last page that has elements, or the first page if the list is empty; empty if the list was
   * not counted.
   */
  public Optional<String> last() {
    return Optional.ofNullable(last);
  }

  /**
   * The records after this page, by a cursor; empty on the last page, if the list has no cursors,
   * or if {@link #next} itself uses a cursor.
   */
  public Optional<String> after() {
    return Optional.ofNullable(after);
  }

  /** The value of the {@code Link} header. */
  public String toLinkHeader() {
    StringBuilder header = new StringBuilder(5 * (first.length() + 24));
    append(header, first, "first");
    append(header, prev, "prev");
    append(header, next, "next");
    append(header, last, "last");
    append(header, after, CURSOR_RELATION);
    return header.toString();
  }

  /** The value of a {@code Link} header that has only {@link #next}; empty if there is none. */
  public String toNextLinkHeader() {
    StringBuilder header = new StringBuilder();
    append(header, next, "next");
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
