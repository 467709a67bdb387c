package dev.countersign.server.openapi;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.Operation;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.once.ReplayGuard;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** Serves GET and HEAD of the document. The signature filter enforces who may read it. */
public final class OpenApiRoutes
    implements RouterFunction<ServerResponse>, Operation, Operation.Finder {
  // RFC 9512.
  private static final MediaType YAML = MediaType.parseMediaType("application/yaml");

  private final byte[] yamlWithoutUrl;
  private final Map<URI, byte[]> yamlByUrl = new HashMap<>();
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
    this.yamlWithoutUrl = document.toYaml();
    this.publicUrls = publicUrls;
    publicUrls.all().forEach(url -> yamlByUrl.put(url, document.toYaml(url)));
    this.access = access;
    this.replayGuard = replayGuard;
  }

  /** Serves the document without a signature, if anybody may read it. */
  @Override
  public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
    HttpServletRequest servlet = request.servletRequest();
    String path = servlet.getRequestURI().substring(servlet.getContextPath().length());
    return access == OpenApiAccess.OPEN && path.equals(OpenApiAccess.PATH)
        ? Optional.of(ignored -> document(String.valueOf(servlet.getHeader("Host"))))
        : Optional.empty();
  }

  @Override
  public Optional<Operation> find(String method, String path) {
    if (!path.equals(OpenApiAccess.PATH)) {
      return Optional.empty();
    }
    if (!method.equals("GET") && !method.equals("HEAD")) {
      // RFC 9110 section 15.5.6: a 405 names the methods that are allowed.
      throw Denial.of(Reason.METHOD_NOT_ALLOWED, "this URL supports only GET and HEAD")
          .withHeader("Allow", "GET, HEAD")
          .asException();
    }
    return Optional.of(this);
  }

  @Override
  public String authorize(CallingClient client) {
    client.requireNoPermission();
    return "";
  }

  @Override
  public ServerResponse run(SignedRequest signed) {
    replayGuard.claimNonce(signed);
    signed.client().requireFresh();
    return document(signed.host());
  }

  private ServerResponse document(String host) {
    byte[] yaml = yaml(host);
    return ServerResponse.ok()
        .contentType(YAML)
        .contentLength(yaml.length)
        .build(
            (request, response) -> {
              if (!HttpMethod.HEAD.matches(request.getMethod())) {
                response.getOutputStream().write(yaml);
              }
              return null;
            });
  }

  private byte[] yaml(String host) {
    return publicUrls
        .find(host)
        .map(url -> yamlByUrl.getOrDefault(url, yamlWithoutUrl))
        .orElse(yamlWithoutUrl);
  }
}
