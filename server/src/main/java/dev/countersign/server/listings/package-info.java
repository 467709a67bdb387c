/**
 * Listings: their definitions, routes and SQL. A {@link dev.countersign.server.listings.Listing} is
 * read from the configuration, a {@code ListingHandler} answers its requests, and a {@code
 * JsonRowWriter} makes JSON of its rows.
 */
@NullMarked
package dev.countersign.server.listings;

import org.jspecify.annotations.NullMarked;
