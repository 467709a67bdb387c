/**
 * Data sources, transactions and migrations for SQLite and PostgreSQL, independent of the features
 * that use them. Start with {@link dev.countersign.server.store.Database}.
 */
@NullMarked
package dev.countersign.server.store;

import org.jspecify.annotations.NullMarked;
