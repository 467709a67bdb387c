/**
 * Listings: their definitions, routes and SQL. A {@link dev.countersign.server.listings.Listing} is
 * read from the configuration.
 *
 * <p>A request for a page passes these classes. {@code ListingRoutes} finds the listing and
 * authorizes the client. {@code ListingHandler} parses the parameters, with {@code FilterParser}
 * for the filters and {@code CallerScope} for the rows that the client may read. {@code
 * ListingStore} reads the page with the statements of {@code ListingSql}. If {@code Totals} has to
 * count, it counts in the same transaction. The page is written as JSON in one pass, into memory:
 * {@code JsonAnswer} begins the envelope, {@code JsonRowWriter} writes each row of the result set
 * with one member per {@code Field}, whose values a {@code TableDialect} formats, and {@code
 * JsonAnswer} writes the members that follow {@code content}. {@code ListingHandler} adds the links
 * to other pages. {@code ListingFailures} turns what fails into a refusal.
 */
@NullMarked
package dev.countersign.server.listings;

import org.jspecify.annotations.NullMarked;
