package dev.countersign.server.tomcat;

import java.time.Duration;
import org.apache.coyote.Request;
import org.apache.coyote.http2.Http2Protocol;

/**
 * Configures HTTP/2. With TLS, clients choose HTTP/2 by ALPN; without TLS, they need prior
 * knowledge (RFC 9113 sections 3.2 and 3.3). An upgrade from HTTP/1.1 is never accepted.
 *
 * <p>Design note: RFC 9113 section 3.1 deprecates the upgrade, and RFC 9110 section 7.8 lets a
 * server ignore the upgrade and answer over HTTP/1.1. Tomcat would read the body of an upgrade
 * request before any check, even before the checks of the framing.
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
