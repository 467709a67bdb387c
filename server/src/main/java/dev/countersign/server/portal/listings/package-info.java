/** The page of the listings. */
@NullMarked
package dev.countersign.server.portal.listings;

import org.jspecify.annotations.NullMarked;
