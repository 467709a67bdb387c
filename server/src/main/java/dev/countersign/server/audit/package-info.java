/** Who changed what, when and from where: entries that are only ever appended, in a hash chain. */
@NullMarked
package dev.countersign.server.audit;

import org.jspecify.annotations.NullMarked;
