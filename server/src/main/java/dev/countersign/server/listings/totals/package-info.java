/** The totals of lists: when they are counted, how long that may take, and how old they may be. */
@NullMarked
package dev.countersign.server.listings.totals;

import org.jspecify.annotations.NullMarked;
