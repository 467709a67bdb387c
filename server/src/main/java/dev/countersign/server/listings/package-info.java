/**
 * Listings: their definitions, routes and SQL. A {@link dev.countersign.server.listings.Listing} is
 * read from the configuration, and a {@code ListingHandler} answers its requests.
 *
 * <p>A page is written as JSON in one pass, into memory. {@code JsonAnswer} begins the envelope,
 * {@code ListingStore} selects the fields in their configured order, and {@code JsonRowWriter}
 * writes each row of the result set with one member per {@code Field}. A {@code Dialect} formats
 * timestamps. {@code JsonAnswer} writes the members that follow {@code content}.
 */
@NullMarked
package dev.countersign.server.listings;

import org.jspecify.annotations.NullMarked;
