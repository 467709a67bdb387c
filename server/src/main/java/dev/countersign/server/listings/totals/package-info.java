/** The counts of lists. */
@NullMarked
package dev.countersign.server.listings.totals;

import org.jspecify.annotations.NullMarked;
