/** The page about oneself. */
@NullMarked
package dev.countersign.server.portal.account;

import org.jspecify.annotations.NullMarked;
