/** The pages of the audit trail. */
@NullMarked
package dev.countersign.server.portal.audit;

import org.jspecify.annotations.NullMarked;
