package dev.countersign.server.tomcat;

import java.time.Duration;
import org.apache.coyote.Request;
import org.apache.coyote.http2.Http2Protocol;

/**
 * Configures HTTP/2: chosen by ALPN with TLS and by prior knowledge without (RFC 9113 sections 3.2
 * and 3.3), never by an upgrade from HTTP/1.1.
 *
 * <p>Design note: RFC 9113 section 3.1 has deprecated the upgrade, and RFC 9110 section 7.8 lets a
 * server ignore it and answer over HTTP/1.1. The engine would read the body of an upgrade request
 * before any check, including those of the framing.
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
