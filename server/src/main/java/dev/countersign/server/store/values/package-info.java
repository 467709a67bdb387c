/** The types of the values in the operator's tables, and the texts that callers send for them. */
@NullMarked
package dev.countersign.server.store.values;

import org.jspecify.annotations.NullMarked;
