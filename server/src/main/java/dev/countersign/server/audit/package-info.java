/** The audit trail: who changed what, when and from where, in entries that form a hash chain. */
@NullMarked
package dev.countersign.server.audit;

import org.jspecify.annotations.NullMarked;
