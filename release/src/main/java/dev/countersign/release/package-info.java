/** What the build writes beside the jars: manual pages and completion scripts. */
@NullMarked
package dev.countersign.release;

import org.jspecify.annotations.NullMarked;
