package dev.countersign.signatures.base;

/** The parts of an HTTP request that a signature can cover. */
public non-sealed interface RequestMessage extends HttpMessage {

  /** The method as sent, such as {@code GET}; methods are case-sensitive (RFC 9110 section 9.1). */
  String method();

  /** The absolute target URI as the caller spelled it (RFC 9421 section 2.2.2). */
  String targetUri();

  /**
   * The request target as it appears in the request line (RFC 9421 section 2.2.5). The default is
   * the origin form: the path and query of the target URI.
   */
  default String requestTarget() {
    return TargetUri.of(targetUri()).originForm();
  }
}
