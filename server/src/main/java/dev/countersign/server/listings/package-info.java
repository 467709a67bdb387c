/** A listing's definition, its routes and its SQL. */
@NullMarked
package dev.countersign.server.listings;

import org.jspecify.annotations.NullMarked;
