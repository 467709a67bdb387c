/**
 * The tables of the operator: how they are described, and how their values, conditions and sorts
 * are expressed on SQLite and PostgreSQL. Start with {@link
 * dev.countersign.server.tables.TableDialect}.
 */
@NullMarked
package dev.countersign.server.tables;

import org.jspecify.annotations.NullMarked;
