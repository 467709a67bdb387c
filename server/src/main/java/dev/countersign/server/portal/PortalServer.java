package dev.countersign.server.portal;

import dev.countersign.server.access.ProblemWriter;
import dev.countersign.server.tomcat.StrictAdapter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.WebServer;
import org.springframework.context.SmartLifecycle;

/** A web server for a portal that has its own port. */
public final class PortalServer implements SmartLifecycle {
  // How long the server waits for the next bytes of a form.
  private static final Duration UPLOAD = Duration.ofSeconds(10);

  private final Portal portal;
  private final TomcatServletWebServerFactory factory;
  private @Nullable WebServer server;

  /**
   * Creates a server that is not started yet.
   *
   * @param factory the factory, to which the operator's settings such as TLS have been applied
   */
  public PortalServer(
      Portal portal,
      TomcatServletWebServerFactory factory,
      int port,
      @Nullable InetAddress address) {
    this.portal = portal;
    this.factory = factory;
    factory.setPort(port);
    factory.setAddress(address);
    // Disables HTTP/2, because the pages use the Host header, which HTTP/2 does not have.
    factory.setHttp2(new Http2());
    factory.addConnectorCustomizers(
        connector -> {
          StrictAdapter.addTo(connector);
          var http = (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
          // Sets a short timeout for uploads, so that a client that stalls in the middle of a form
          // is disconnected.
          http.setDisableUploadTimeout(false);
          http.setConnectionUploadTimeout((int) UPLOAD.toMillis());
        });
    factory.addContextCustomizers(
        context -> {
          ((StandardContext) context).setUseRelativeRedirects(true);
          StandardHost host = (StandardHost) context.getParent();
          host.setErrorReportValveClass("");
          host.getPipeline().addValve(silentErrors());
        });
  }

  private static ErrorReportValve silentErrors() {
    ErrorReportValve valve = new RefusalText();
    valve.setShowReport(false);
    valve.setShowServerInfo(false);
    return valve;
  }

  /** Says why a request was refused before the portal's filters, such as one with a bad Host. */
  private static final class RefusalText extends ErrorReportValve {
    @Override
    protected void report(Request request, Response response, Throwable throwable) {
      Optional<String> detail = ProblemWriter.detailAhead(request);
      if (detail.isEmpty() || response.getContentWritten() > 0 || !response.setErrorReported()) {
        super.report(request, response, throwable);
        return;
      }
      try {
        response.setContentType("text/plain;charset=UTF-8");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.getOutputStream().write((detail.get() + "\n").getBytes(StandardCharsets.UTF_8));
        response.finishResponse();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public synchronized void start() {
    WebServer started = factory.getWebServer(portal::register);
    started.start();
    server = started;
  }

  @Override
  public synchronized void stop() {
    if (server != null) {
      server.stop();
      server.destroy();
      server = null;
    }
  }

  /** Stops the server. If the settings say so, requests in flight may finish first. */
  @Override
  public void stop(Runnable stopped) {
    WebServer running;
    synchronized (this) {
      running = server;
    }
    if (running == null) {
      stopped.run();
      return;
    }
    running.shutDownGracefully(
        result -> {
          stop();
          stopped.run();
        });
  }

  @Override
  public synchronized boolean isRunning() {
    return server != null;
  }

  /** Returns the port that the server listens on. */
  public synchronized int port() {
    if (server == null) {
      throw new IllegalStateException("the portal's server is not running");
    }
    return server.getPort();
  }
}
