/** Writes the manual pages and completion scripts, which the build adds beside the jars. */
@NullMarked
package dev.countersign.release;

import org.jspecify.annotations.NullMarked;
