package dev.countersign.server.access;

import java.time.Duration;
import org.apache.coyote.Request;
import org.apache.coyote.http2.Http2Protocol;

/**
 * HTTP/2 as the service speaks it: chosen by ALPN with TLS, by prior knowledge without (RFC 9113
 * sections 3.2 and 3.3), and never by an upgrade from HTTP/1.1.
 *
 * <p>Design note: RFC 9113 section 3.1 has deprecated the upgrade, and RFC 9110 section 7.8 lets a
 * server pass over it, so that the request is answered over HTTP/1.1. The engine would read the
 * body of the request that asks for it before anything is checked, the framing included.
 */
final class DirectHttp2 extends Http2Protocol {
  DirectHttp2(Duration bodyTimeout) {
    setStreamReadTimeout(bodyTimeout.toMillis());
  }

  @Override
  public boolean accept(Request upgrade) {
    return false;
  }
}
