package dev.countersign.signatures.base;

import java.util.Optional;

/** The parts of an HTTP response that a signature can cover. */
public non-sealed interface ResponseMessage extends HttpMessage {

  /** The three-digit status code, usually 100 to 599 (RFC 9110 section 15). */
  int status();

  /**
   * The request that this response answers. It provides the components that have the parameter
   * {@code req} (RFC 9421 section 2.4). If the request is absent, a signature that covers such a
   * component is refused.
   */
  Optional<RequestMessage> request();
}
