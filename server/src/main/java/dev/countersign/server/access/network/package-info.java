/**
 * Addresses, ranges and whitelists, and where a request came from: {@link
 * dev.countersign.server.access.network.NetworkWhitelist} first.
 */
@NullMarked
package dev.countersign.server.access.network;

import org.jspecify.annotations.NullMarked;
