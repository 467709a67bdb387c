package dev.countersign.signatures;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The components that are derived from a message's control data (RFC 9421 section 2.2). */
enum DerivedComponent {
  /** RFC 9421 section 2.2.1. */
  METHOD("@method") {
    @Override
    String valueOf(HttpMessage message) {
      return message.method();
    }
  },
  /** RFC 9421 section 2.2.2. */
  TARGET_URI("@target-uri") {
    @Override
    String valueOf(HttpMessage message) {
      return message.targetUri();
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

  abstract String valueOf(HttpMessage message);
}
