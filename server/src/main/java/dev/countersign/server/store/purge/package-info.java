/** Deletes rows that are over, in batches, by one of several nodes for all. */
@NullMarked
package dev.countersign.server.store.purge;

import org.jspecify.annotations.NullMarked;
