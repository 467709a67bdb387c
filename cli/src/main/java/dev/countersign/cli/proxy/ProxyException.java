package dev.countersign.cli.proxy;

/** A request that the proxy answers itself, with a problem document (RFC 9457). */
final class ProxyException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final String reason;

  ProxyException(int status, String reason, String detail) {
    super(detail, null, false, false);
    this.status = status;
    this.reason = reason;
  }

  int status() {
    return status;
  }

  String reason() {
    return reason;
  }

  String detail() {
    return String.valueOf(getMessage());
  }
}
