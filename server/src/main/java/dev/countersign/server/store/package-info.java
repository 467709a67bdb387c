/**
 * Connections, transactions and migrations for SQLite and PostgreSQL, and what their failures mean,
 * independent of the features that use them. Start with {@link
 * dev.countersign.server.store.Database}. {@link dev.countersign.server.store.Alarm} keeps a
 * lasting failure to one line of the log.
 */
@NullMarked
package dev.countersign.server.store;

import org.jspecify.annotations.NullMarked;
