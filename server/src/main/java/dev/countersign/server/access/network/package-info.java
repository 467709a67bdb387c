/**
 * Network addresses. A {@link dev.countersign.server.access.network.NetworkWhitelist} decides which
 * addresses may call, and {@link dev.countersign.server.access.network.TrustedProxies} finds the
 * address that a request came from.
 */
@NullMarked
package dev.countersign.server.access.network;

import org.jspecify.annotations.NullMarked;
