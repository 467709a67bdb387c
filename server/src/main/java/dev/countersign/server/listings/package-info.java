/** Listings: their definitions, routes and SQL. */
@NullMarked
package dev.countersign.server.listings;

import org.jspecify.annotations.NullMarked;
