package dev.countersign.server.access;

import dev.countersign.server.TestService;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.testing.Waits;
import jakarta.servlet.ServletContext;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.catalina.connector.Request;
import org.apache.catalina.connector.Response;
import org.apache.catalina.valves.ValveBase;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.web.context.support.WebApplicationContextUtils;

/**
 * Holds every request that the engine has accepted, so that a test can look at it. Once a request
 * is answered, the engine reuses its object.
 */
final class HeldRequests extends ValveBase {
  private final BlockingQueue<Held> held = new LinkedBlockingQueue<>();

  /** One request, until it is released. */
  record Held(ServletMessage message, CountDownLatch released) {}

  HeldRequests() {
    super(true);
  }

  /** Inserts this after the engine's own checks and before the signature filter. */
  HeldRequests addTo(TestService service) {
    ServletWebServerApplicationContext context =
        (ServletWebServerApplicationContext)
            WebApplicationContextUtils.getRequiredWebApplicationContext(
                service.part(ServletContext.class));
    TomcatWebServer server = (TomcatWebServer) context.getWebServer();
    server.getTomcat().getHost().getPipeline().addValve(this);
    return this;
  }

  BlockingQueue<Held> held() {
    return held;
  }

  @Override
  public void invoke(Request request, Response response) throws IOException {
    if (response.getStatus() >= 400) {
      return; // The engine has refused it already.
    }
    request.getRequest().getInputStream().readAllBytes();
    Held one = new Held(message(request), new CountDownLatch(1));
    held.add(one);
    try {
      Waits.forLatch(one.released);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    response.setStatus(204);
  }

  /** Like the one that the authenticator creates for a service without public-urls. */
  private static ServletMessage message(Request request) {
    return new ServletMessage(
        request.getRequest(),
        PublicUrls.of(List.of())
            .targetUri(
                request::getScheme,
                request.getHeader("Host"),
                ServletMessage.rawTarget(request.getRequest())));
  }
}
