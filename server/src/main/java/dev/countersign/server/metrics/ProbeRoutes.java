package dev.countersign.server.metrics;

import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.SystemHealthDescriptor;
import org.springframework.boot.health.contributor.Status;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/** The health probes on the port of the API, as Spring Boot serves them without a second port. */
final class ProbeRoutes implements RouterFunction<ServerResponse> {
  private static final MediaType ACTUATOR =
      MediaType.parseMediaType("application/vnd.spring-boot.actuator.v3+json");
  private static final Map<String, String[]> PARTS =
      Map.of(
          "/actuator/health", new String[0],
          "/actuator/health/liveness", new String[] {"liveness"},
          "/actuator/health/readiness", new String[] {"readiness"});

  private final HealthEndpoint health;

  ProbeRoutes(HealthEndpoint health) {
    this.health = health;
  }

  @Override
  public Optional<HandlerFunction<ServerResponse>> route(ServerRequest request) {
    HttpServletRequest servlet = request.servletRequest();
    // The raw path, which SignatureFilter compares as well.
    return Optional.ofNullable(PARTS.get(servlet.getRequestURI())).map(part -> ignored -> at(part));
  }

  private ServerResponse at(String[] part) {
    HealthDescriptor found = part.length == 0 ? health.health() : health.healthForPath(part);
    if (found == null) {
      return ServerResponse.notFound().build();
    }
    Map<String, Object> body = new LinkedHashMap<>();
    if (found instanceof SystemHealthDescriptor system && system.getGroups() != null) {
      body.put("groups", system.getGroups());
    }
    body.put("status", found.getStatus().getCode());
    boolean isUp = found.getStatus().equals(Status.UP) || found.getStatus().equals(Status.UNKNOWN);
    return ServerResponse.status(isUp ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE)
        .contentType(ACTUATOR)
        .body(body);
  }
}
