/** {@link dev.countersign.cli.list.ListCommand} and the formats that it writes. */
@NullMarked
package dev.countersign.cli.list;

import org.jspecify.annotations.NullMarked;
