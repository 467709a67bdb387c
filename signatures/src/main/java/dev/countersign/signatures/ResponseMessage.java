package dev.countersign.signatures;

import java.util.Optional;

/** What a signature can see of an HTTP response. */
public non-sealed interface ResponseMessage extends HttpMessage {

  /** The status code of three digits, mostly 100 to 599 (RFC 9110 section 15). */
  int status();

  /**
   * The request that this message answers, from which components with {@code req} are taken (RFC
   * 9421 section 2.4). Without it, a signature that covers such a component is refused.
   */
  Optional<RequestMessage> request();
}
