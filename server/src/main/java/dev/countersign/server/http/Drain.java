package dev.countersign.server.http;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.WebServer;

/**
 * The time from the moment when the service reports that it is not ready until it stops. Load
 * balancers notice the report, and clients are asked to leave the connections that they keep open:
 * the answer to each request that arrives now has {@code Connection: close} (RFC 9112 section 9.6),
 * and each HTTP/2 connection gets GOAWAY. New connections and requests are still accepted.
 */
public final class Drain {
  // How often new HTTP/2 connections are asked to end.
  private static final Duration PERIOD = Duration.ofMillis(100);

  private final CountDownLatch hurried = new CountDownLatch(1);

  /**
   * Asks all clients to leave, and waits.
   *
   * @param delay how long to wait
   */
  public void run(WebServer server, Duration delay) {
    var http =
        (AbstractHttp11Protocol<?>)
            ((TomcatWebServer) server).getTomcat().getConnector().getProtocolHandler();
    // Tomcat reads this for each request, and then says Connection: close.
    http.setMaxKeepAliveRequests(1);
    long end = System.nanoTime() + delay.toNanos();
    try {
      do {
        for (var upgrade : http.findUpgradeProtocols()) {
          if (upgrade instanceof DirectHttp2 http2) {
            http2.goAway();
          }
        }
      } while (!hurried.await(
              Math.min(PERIOD.toNanos(), Math.max(0, end - System.nanoTime())),
              TimeUnit.NANOSECONDS)
          && System.nanoTime() - end < 0);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends the wait of {@link #run} at once, even if it has not begun yet. */
  public void endNow() {
    hurried.countDown();
  }
}
