/**
 * Pages of a list: the query that asks for a page, the envelope that describes the page, and the
 * links to its neighbours.
 *
 * <p>Declare once what a list allows:
 *
 * <pre>{@code
 * PageRules rules = PageRules.sortableBy("name", "currencyCode");
 * }</pre>
 *
 * <p>Then, for each request:
 *
 * <pre>{@code
 * PageRequest request = PageRequest.parse("page=1&size=2&sort=name,desc", rules);
 * Page<Wallet> page = Page.of(request, store.count(), store.read(request));
 * PageLinks links = PageLinks.of(uriAsCalled, request, page.envelope());
 * }</pre>
 *
 * <ul>
 *   <li>{@link dev.countersign.pagination.PageRequest} reads {@code page}, {@code size}, {@code
 *       sort}, {@code offset} and {@code totals}, strictly. For a parameter that it does not
 *       accept, it throws a {@link dev.countersign.pagination.PageParameterException}, whose
 *       message may be shown to the caller.
 *   <li>{@link dev.countersign.pagination.PageEnvelope} computes {@code first}, {@code last},
 *       {@code totalPages} and the rest; {@link dev.countersign.pagination.Page} adds the elements.
 *   <li>{@link dev.countersign.pagination.PageLinks} writes the {@code Link} header (RFC 8288).
 * </ul>
 *
 * <p>Everything here is immutable and safe to share between threads. This package neither reads
 * rows nor writes JSON.
 */
package dev.countersign.pagination;
