/** SQLite and PostgreSQL: data sources, transactions and migrations, independent of features. */
@NullMarked
package dev.countersign.server.store;

import org.jspecify.annotations.NullMarked;
