/**
 * The demo's tables, their rows, and the calls that the command {@code demo} shows. Start with
 * {@link dev.countersign.server.demo.TransactionSeed}.
 */
@NullMarked
package dev.countersign.server.demo;

import org.jspecify.annotations.NullMarked;
