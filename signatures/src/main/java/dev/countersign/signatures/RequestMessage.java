package dev.countersign.signatures;

/** What a signature can see of an HTTP request. */
public non-sealed interface RequestMessage extends HttpMessage {

  /** The method as sent, such as {@code GET}; methods are case-sensitive (RFC 9110 section 9.1). */
  String method();

  /** The absolute target URI as the caller spelled it (RFC 9421 section 2.2.2). */
  String targetUri();

  /**
   * The request target as it stands in the request line (RFC 9421 section 2.2.5). Unless an adapter
   * knows better it is the origin form: path and query of the target URI.
   */
  default String requestTarget() {
    return TargetUri.of(targetUri()).originForm();
  }
}
