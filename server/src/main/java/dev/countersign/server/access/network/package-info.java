/**
 * Network addresses: which a {@link dev.countersign.server.access.network.NetworkWhitelist} allows,
 * and from which a request came.
 */
@NullMarked
package dev.countersign.server.access.network;

import org.jspecify.annotations.NullMarked;
