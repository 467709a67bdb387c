/** SQLite and PostgreSQL: data sources, transactions, migrations; nothing about features. */
@NullMarked
package dev.countersign.server.store;

import org.jspecify.annotations.NullMarked;
