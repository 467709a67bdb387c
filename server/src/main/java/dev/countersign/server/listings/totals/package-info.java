/** The totals of lists: how long a count may take, and when it is not tried. */
@NullMarked
package dev.countersign.server.listings.totals;

import org.jspecify.annotations.NullMarked;
