/** The page about what is served. */
@NullMarked
package dev.countersign.server.portal.listings;

import org.jspecify.annotations.NullMarked;
