/** The page about who changed what. */
@NullMarked
package dev.countersign.server.portal.audit;

import org.jspecify.annotations.NullMarked;
