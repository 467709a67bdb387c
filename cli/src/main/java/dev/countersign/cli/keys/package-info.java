/**
 * The commands {@code countersign keys}. {@link dev.countersign.cli.keys.KeysCommand} lists them.
 */
@NullMarked
package dev.countersign.cli.keys;

import org.jspecify.annotations.NullMarked;
