package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.BareItem;
import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.StringItem;
import java.util.List;
import java.util.Optional;

/**
 * Determines whether a message has a component. The component's parameters say where to look, for
 * example in the trailers or in the request.
 *
 * <p>Design note: if the presence of a component cannot be determined, the component counts as
 * present. Examples are a member of a field that is not a dictionary, and a part of a request that
 * is not available. The component is then required, so the message is refused rather than accepted
 * without the component.
 */
final class ComponentPresence {
  private ComponentPresence() {}

  static boolean of(ComponentIdentifier component, HttpMessage message) {
    if (!component.isDerived() && component.parameters().isEmpty()) {
      return !message.fieldLines(component.name()).isEmpty();
    }
    Optional<? extends HttpMessage> context =
        component.parameters().contains("req") && message instanceof ResponseMessage response
            ? response.request()
            : Optional.of(message);
    return context.isEmpty()
        || (component.isDerived()
            ? derived(component, context.get())
            : field(component, context.get()));
  }

  private static boolean field(ComponentIdentifier component, HttpMessage context) {
    List<String> lines =
        component.parameters().contains("tr")
            ? context.trailerLines(component.name())
            : context.fieldLines(component.name());
    Optional<BareItem> key = component.parameters().get("key");
    if (lines.isEmpty() || key.isEmpty() || !(key.get() instanceof StringItem member)) {
      return !lines.isEmpty();
    }
    try {
      return Dictionary.parse(lines).get(member.value()).isPresent();
    } catch (FieldParseException unreadable) {
      return true;
    }
  }

  private static boolean derived(ComponentIdentifier component, HttpMessage context) {
    boolean isStatus = component.name().equals("@status");
    if (!(context instanceof RequestMessage request)) {
      return isStatus;
    }
    Optional<BareItem> name = component.parameters().get("name");
    if (isStatus || name.isEmpty() || !(name.get() instanceof StringItem encoded)) {
      return !isStatus;
    }
    try {
      return RawQuery.of(TargetUri.of(request.targetUri()).query()).has(encoded.value());
    } catch (IllegalArgumentException noUri) {
      return true;
    }
  }
}
