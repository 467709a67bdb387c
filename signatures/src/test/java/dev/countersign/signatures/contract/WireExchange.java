package dev.countersign.signatures.contract;

import dev.countersign.signatures.base.HttpMessage;

/**
 * A message that went over a socket.
 *
 * @param wire its bytes
 * @param message what the adapter shows of it
 */
public record WireExchange<M extends HttpMessage>(WireMessage wire, M message) {}
