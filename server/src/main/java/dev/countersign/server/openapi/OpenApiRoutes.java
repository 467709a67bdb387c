package dev.countersign.server.openapi;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.ReplayGuard;
import dev.countersign.server.access.RouteAdmission;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.outcome.Denial;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Serves GET and HEAD of the document. The signature filter enforces who may read it. */
public final class OpenApiRoutes implements RouterFunction<ServerResponse>, RouteAdmission {
  // RFC 9512.
  private static final MediaType YAML = MediaType.parseMediaType("application/yaml");

  private final byte[] anywhere;
  private final Map<URI, byte[]> byUrl = new HashMap<>();
  private final PublicUrls publicUrls;
  private final OpenApiAccess access;
  private final ReplayGuard replayGuard;

  /**
   * Creates the route.
   *
   * @param publicUrls the public URLs; the document names the one that the request used
   */
  public OpenApiRoutes(
      OpenApiDocument document,
      PublicUrls publicUrls,
      OpenApiAccess access,
      ReplayGuard replayGuard) {
    this.anywhere = document.toYaml();
    this.publicUrls = publicUrls;
    publicUrls.all().forEach(url -> byUrl.put(url, document.toYaml(url)));
    this.access = access;
    this.replayGuard = replayGuard;
  }

  @Override
  public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
    HttpServletRequest servlet = request.servletRequest();
    String path = servlet.getRequestURI().substring(servlet.getContextPath().length());
    return path.equals(OpenApiAccess.PATH) ? Optional.of(this::document) : Optional.empty();
  }

  @Override
  public boolean admit(String method, String path, CallingClient client) {
    if (!path.equals(OpenApiAccess.PATH)) {
      return false;
    }
    requireRead(method);
    client.requireNoPermission();
    return true;
  }

  private static void requireRead(String method) {
    if (!method.equals("GET") && !method.equals("HEAD")) {
      // RFC 9110 section 15.5.6: a 405 names the methods that are allowed.
      throw Denial.of(Reason.METHOD_NOT_ALLOWED, "this URL supports only GET and HEAD")
          .withHeader("Allow", "GET, HEAD")
          .asException();
    }
  }

  private ServerResponse document(ServerRequest request) {
    boolean head = request.method().equals(HttpMethod.HEAD);
    requireRead(request.method().name());
    if (access == OpenApiAccess.SIGNED) {
      SignedRequest signed = SignedRequest.of(request.servletRequest());
      signed.client().requireNoPermission();
      replayGuard.claimNonce(signed);
      signed.client().requireKnowledge();
    }
    byte[] yaml = yaml(request.servletRequest().getHeader("Host"));
    return ServerResponse.ok()
        .contentType(YAML)
        .contentLength(yaml.length)
        .build(
            (servletRequest, response) -> {
              if (!head) {
                response.getOutputStream().write(yaml);
              }
              return null;
            });
  }

  private byte[] yaml(@Nullable String host) {
    return publicUrls
        .find(String.valueOf(host))
        .map(url -> byUrl.getOrDefault(url, anywhere))
        .orElse(anywhere);
  }
}
