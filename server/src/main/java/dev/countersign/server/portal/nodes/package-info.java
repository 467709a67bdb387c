/** The page of the running nodes. */
@NullMarked
package dev.countersign.server.portal.nodes;

import org.jspecify.annotations.NullMarked;
