/** The commands {@code keys …}, listed in {@link dev.countersign.cli.keys.KeysCommand}. */
@NullMarked
package dev.countersign.cli.keys;

import org.jspecify.annotations.NullMarked;
