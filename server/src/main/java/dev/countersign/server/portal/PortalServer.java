package dev.countersign.server.portal;

import dev.countersign.server.http.ProblemWriter;
import dev.countersign.server.http.StrictAdapter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.core.StandardHost;
import org.apache.catalina.valves.ErrorReportValve;
import org.apache.coyote.AbstractProtocol;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;

/**
 * A web server for a portal that has its own port. If neither {@code portal.port} nor {@code
 * portal.address} is set, the server listens on {@code 127.0.0.1} and, where it can, on {@code
 * ::1}, because a browser may resolve {@code localhost} to either of them. In that case it has no
 * TLS, because no certificate is valid for {@code localhost}.
 */
public final class PortalServer implements SmartLifecycle {
  // How long the server waits for the next bytes of a form.
  private static final Duration UPLOAD_TIMEOUT = Duration.ofSeconds(10);
  private static final Logger LOG = LoggerFactory.getLogger(PortalServer.class);

  private final Portal portal;
  private final Factory factory;
  private final boolean isLocal;
  private @Nullable WebServer server;
  private String host = "localhost";

  /**
   * Creates a server that is not started yet.
   *
   * @param factory the factory, to which the operator's settings such as TLS have been applied
   * @param api the port of the API in the settings
   * @throws IllegalArgumentException if there is no port for the portal
   */
  public PortalServer(Portal portal, Factory factory, PortalProperties properties, int api) {
    this.portal = portal;
    this.factory = factory;
    this.isLocal = properties.isLocal();
    factory.setPort(properties.ownPort(api));
    factory.setAddress(isLocal ? address("127.0.0.1") : properties.address());
    if (isLocal) {
      factory.setSsl(null);
    }
    // Disables HTTP/2, because the pages use the Host header, which HTTP/2 does not have.
    factory.setHttp2(new Http2());
    factory.addConnectorCustomizers(
        connector -> {
          StrictAdapter.addTo(connector);
          var http = (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
          // Sets a short timeout for uploads, so that a client that stalls in the middle of a form
          // is disconnected.
          http.setDisableUploadTimeout(false);
          http.setConnectionUploadTimeout((int) UPLOAD_TIMEOUT.toMillis());
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

  /**
   * Says why a request, such as one with a bad Host, was refused before the portal's filters ran.
   */
  private static final class RefusalText extends ErrorReportValve {
    @Override
    protected void report(Request request, Response response, Throwable throwable) {
      Optional<String> detail = ProblemWriter.detailNotedBeforePipeline(request);
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

  /** Parses an address literal, which needs no look-up. */
  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("not an address: " + literal, e);
    }
  }

  /** A factory whose servers can listen on a second address. */
  public static final class Factory extends TomcatServletWebServerFactory {
    private void listen(TomcatWebServer server, InetAddress address) {
      Connector connector = new Connector(getProtocol());
      customizeConnector(connector);
      connector.setPort(server.getPort());
      // Otherwise, Tomcat keeps the socket open while it stops.
      connector.setProperty("bindOnInit", "false");
      ((AbstractProtocol<?>) connector.getProtocolHandler()).setAddress(address);
      server.getTomcat().getService().addConnector(connector);
    }
  }

  @Override
  public synchronized void start() {
    WebServer started = factory.getWebServer(portal::register);
    try {
      started.start();
    } catch (WebServerException e) {
      started.stop();
      started.destroy();
      throw new IllegalArgumentException(problem(e), e);
    }
    server = started;
    if (isLocal && started instanceof TomcatWebServer tomcat) {
      listenOnIpv6(tomcat);
    }
  }

  private String problem(WebServerException failure) {
    if (failure instanceof PortInUseException inUse) {
      return "port "
          + inUse.getPort()
          + ", on which the portal listens, is in use; choose another one with portal.port";
    }
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return "the portal cannot listen on "
        + (factory.getAddress() == null ? "" : factory.getAddress() + " ")
        + "port "
        + factory.getPort()
        + ": "
        + cause.getMessage()
        + "; see portal.port and portal.address";
  }

  private void listenOnIpv6(TomcatWebServer tomcat) {
    InetAddress address = address("::1");
    int port = tomcat.getPort();
    // If the port were taken, Tomcat would log a stack trace.
    if (isFree(address, port)) {
      try {
        factory.listen(tomcat, address);
        return;
      } catch (IllegalArgumentException taken) {
        LOG.debug("another program was faster", taken);
      }
    }
    if (isFree(address, 0)) {
      host = "127.0.0.1";
      LOG.warn(
          "the portal does not listen on [::1]:{}, because another program does, which a browser"
              + " may reach at localhost: use http://127.0.0.1:{}",
          port,
          port);
    }
  }

  /** Returns the host under which this machine reaches a portal without a configured address. */
  public synchronized String host() {
    return host;
  }

  private static boolean isFree(InetAddress address, int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.bind(new InetSocketAddress(address, port));
      return true;
    } catch (IOException e) {
      return false;
    }
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

  /**
   * Returns the phase of the API's server, so that the requests in flight on both servers have the
   * same time to finish.
   */
  @Override
  public int getPhase() {
    return WebServerApplicationContext.GRACEFUL_SHUTDOWN_PHASE;
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
