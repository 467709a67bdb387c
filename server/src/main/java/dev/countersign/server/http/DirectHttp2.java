package dev.countersign.server.http;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import org.apache.coyote.Adapter;
import org.apache.coyote.Request;
import org.apache.coyote.http11.upgrade.InternalHttpUpgradeHandler;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.tomcat.util.net.SocketWrapperBase;

/**
 * Configures HTTP/2. With TLS, clients choose HTTP/2 by ALPN; without TLS, they need prior
 * knowledge (RFC 9113 sections 3.2 and 3.3). An upgrade from HTTP/1.1 is never accepted.
 *
 * <p>Design note: RFC 9113 section 3.1 deprecates the upgrade, and RFC 9110 section 7.8 lets a
 * server ignore the upgrade and answer over HTTP/1.1. Tomcat would read the body of an upgrade
 * request before any check, even before the checks of the framing.
 */
final class DirectHttp2 extends Http2Protocol {
  // Weak references, so that connections that are no longer open disappear by themselves.
  private final Set<InternalHttpUpgradeHandler> connections =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  DirectHttp2(Duration bodyTimeout) {
    setStreamReadTimeout(bodyTimeout.toMillis());
  }

  @Override
  public InternalHttpUpgradeHandler getInternalUpgradeHandler(
      SocketWrapperBase<?> socket, Adapter adapter, Request upgrade) {
    InternalHttpUpgradeHandler connection =
        super.getInternalUpgradeHandler(socket, adapter, upgrade);
    connections.add(connection);
    return connection;
  }

  /**
   * Asks the clients of all open connections to send further requests on a new connection, by
   * GOAWAY (RFC 9113 section 6.8). Requests that are under way are answered. Has no effect on a
   * connection whose client was asked before.
   */
  void goAway() {
    List.copyOf(connections).forEach(InternalHttpUpgradeHandler::pause);
  }

  @Override
  public boolean accept(Request upgrade) {
    return false;
  }
}
