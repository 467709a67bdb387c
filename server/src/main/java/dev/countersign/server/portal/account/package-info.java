/** The page of the operator's own account. */
@NullMarked
package dev.countersign.server.portal.account;

import org.jspecify.annotations.NullMarked;
