/** Positions in lists, as callers hand them back. */
@NullMarked
package dev.countersign.server.listings.cursors;

import org.jspecify.annotations.NullMarked;
