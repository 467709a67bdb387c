package dev.countersign.signatures.contract;

import dev.countersign.signatures.base.HttpMessage;

/**
 * A message that was sent over a socket.
 *
 * @param wire its bytes
 * @param message the adapter's view of it
 */
public record WireExchange<M extends HttpMessage>(WireMessage wire, M message) {}
