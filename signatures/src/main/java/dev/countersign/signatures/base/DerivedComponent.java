package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.BareItem;
import dev.countersign.signatures.fields.StringItem;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The components that are derived from a message's control data (RFC 9421 section 2.2). */
enum DerivedComponent {
  /** RFC 9421 section 2.2.1. */
  METHOD("@method") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      return request.method();
    }
  },
  /** RFC 9421 section 2.2.2. */
  TARGET_URI("@target-uri") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      return request.targetUri();
    }
  },
  /** RFC 9421 section 2.2.3. */
  AUTHORITY("@authority") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      return TargetUri.of(request.targetUri()).normalAuthority();
    }
  },
  /** RFC 9421 section 2.2.4. */
  SCHEME("@scheme") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      return TargetUri.of(request.targetUri()).scheme();
    }
  },
  /** RFC 9421 section 2.2.5. */
  REQUEST_TARGET("@request-target") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      return request.requestTarget();
    }
  },
  /** RFC 9421 section 2.2.6. */
  PATH("@path") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      return TargetUri.of(request.targetUri()).normalPath();
    }
  },
  /** RFC 9421 section 2.2.7. */
  QUERY("@query") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      return TargetUri.of(request.targetUri()).normalQuery();
    }
  },
  /** RFC 9421 section 2.2.8. */
  QUERY_PARAM("@query-param") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      BareItem name = identifier.parameters().get("name").orElseThrow();
      return parts.query(request).valueOf(((StringItem) name).value());
    }
  },
  /** RFC 9421 section 2.2.9. */
  STATUS("@status") {
    @Override
    String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts) {
      throw new IllegalArgumentException("a request has no status");
    }

    @Override
    String of(ResponseMessage response, ComponentIdentifier identifier, ParsedParts parts) {
      int status = response.status();
      if (status < 100 || status > 999) {
        throw new IllegalArgumentException("a status code must have three digits, was " + status);
      }
      return Integer.toString(status);
    }
  };

  private static final Map<String, DerivedComponent> BY_NAME = new HashMap<>();

  static {
    for (DerivedComponent component : values()) {
      BY_NAME.put(component.componentName, component);
    }
  }

  private final String componentName;

  DerivedComponent(String componentName) {
    this.componentName = componentName;
  }

  static Optional<DerivedComponent> named(String name) {
    return Optional.ofNullable(BY_NAME.get(name));
  }

  /**
   * The value in a message.
   *
   * @throws IllegalArgumentException when the message has no such component, with the reason
   */
  String of(HttpMessage message, ComponentIdentifier identifier, ParsedParts parts) {
    return message instanceof RequestMessage request
        ? of(request, identifier, parts)
        : of((ResponseMessage) message, identifier, parts);
  }

  abstract String of(RequestMessage request, ComponentIdentifier identifier, ParsedParts parts);

  String of(ResponseMessage response, ComponentIdentifier identifier, ParsedParts parts) {
    throw new IllegalArgumentException("a response has it only through its request, with ;req");
  }
}
