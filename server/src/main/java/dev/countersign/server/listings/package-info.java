/**
 * Listings: their definitions, routes and SQL. A {@link dev.countersign.server.listings.Listing} is
 * read from the configuration.
 *
 * <p>A request for a page passes these classes, in this order:
 *
 * <ol>
 *   <li>{@code ListingRoutes} finds the listing and authorizes the client.
 *   <li>{@code ListingHandler} does the rest within {@code CallingClient.answer}, which checks at
 *       the end, before anything is sent, that what the node knows of the client is not stale.
 *   <li>{@code CallerScope} says which rows the client may read. {@code FilterParser} parses the
 *       filters, and {@code ListCursor} the cursor after which the page begins.
 *   <li>{@code ReplayGuard.claimNonce} refuses a nonce that was used before.
 *   <li>{@code ListingStore} reads the page with the statements of {@code ListingSql}. If {@code
 *       Totals} has to count the list, it counts in the same transaction.
 *   <li>The page is written as JSON in one pass, into memory. {@code JsonAnswer} begins the
 *       envelope. {@code JsonRowWriter} writes each row of the result set, with one member for each
 *       {@code Field}, whose value a {@code TableDialect} formats. {@code JsonAnswer} writes the
 *       members that follow {@code content}.
 *   <li>{@code JsonResponse} is the answer: the JSON, and a {@code Link} header with the links to
 *       other pages. The link to the next page by a cursor has the {@code ListCursor} of the page's
 *       last record.
 * </ol>
 *
 * <p>{@code ListingFailures} turns what fails on this path into a refusal.
 */
@NullMarked
package dev.countersign.server.listings;

import org.jspecify.annotations.NullMarked;
