/** {@link dev.countersign.cli.list.ListCommand} and the formats in which it writes. */
@NullMarked
package dev.countersign.cli.list;

import org.jspecify.annotations.NullMarked;
