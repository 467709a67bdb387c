package dev.countersign.signatures;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.RequestMessage;
import java.util.List;

/** Changes one part of a message and leaves the rest as it is. */
final class Tampering {
  private Tampering() {}

  /** Changes the value of a component. */
  static HttpMessage withOther(ComponentIdentifier component, HttpMessage message) {
    if (component.parameters().contains("req")) {
      WireResponse response = (WireResponse) message;
      ComponentIdentifier there = ComponentIdentifier.of(component.name());
      HttpMessage request = withOther(there, response.request().orElseThrow());
      return response.answering((RequestMessage) request);
    }
    return component.isDerived()
        ? withOtherControlData(component, message)
        : withOtherField(component.name(), message);
  }

  private static HttpMessage withOtherControlData(
      ComponentIdentifier component, HttpMessage message) {
    if (message instanceof WireResponse response) {
      return response.withStatus(response.status() + 1);
    }
    WireRequest request = (WireRequest) message;
    String uri = request.targetUri();
    return switch (component.name()) {
      case "@method" -> request.withMethod(request.method() + 'X');
      case "@authority" -> request.withTargetUri(uri.replaceFirst("://", "://x."));
      case "@path" -> request.withTargetUri(uri.replaceFirst("(://[^/]*/[^?]*)", "$1x"));
      case "@target-uri", "@query", "@query-param" -> request.withTargetUri(uri + 'x');
      default -> throw new IllegalArgumentException(component.serialize());
    };
  }

  private static HttpMessage withOtherField(String name, HttpMessage message) {
    String value = String.join(", ", message.fieldLines(name));
    return with(
        message,
        name,
        name.equals("content-digest") ? flipped(value, value.indexOf(':') + 1) : value + '0');
  }

  /** Changes {@code created} of one signature by a second. */
  static HttpMessage withOtherCreated(String label, HttpMessage message) {
    String inputs = value(message, "signature-input");
    String created = "created=";
    int digits = inputs.indexOf(created, inputs.indexOf(label + "=(")) + created.length();
    int last = digits + 9;
    char digit = (char) (inputs.charAt(last) ^ 1);
    return with(
        message, "Signature-Input", inputs.substring(0, last) + digit + inputs.substring(last + 1));
  }

  /** Changes some bits of one signature. */
  static HttpMessage withOtherSignature(String label, HttpMessage message) {
    String signatures = value(message, "signature");
    String start = label + "=:";
    int base64 = signatures.indexOf(start) + start.length();
    return with(message, "Signature", flipped(signatures, base64));
  }

  /** Replaces the body by another one of the same length. */
  static HttpMessage withOtherBody(HttpMessage message) {
    return message instanceof WireRequest request
        ? request.withBody(flipped(request.bodyText(), 0))
        : ((WireResponse) message).withBody(flipped(((WireResponse) message).bodyText(), 0));
  }

  private static String flipped(String text, int index) {
    char other = text.charAt(index) == 'A' ? 'B' : 'A';
    return text.substring(0, index) + other + text.substring(index + 1);
  }

  private static String value(HttpMessage message, String name) {
    List<String> lines = message.fieldLines(name);
    return String.join(", ", lines);
  }

  private static HttpMessage with(HttpMessage message, String name, String value) {
    return message instanceof WireRequest request
        ? request.with(name, value)
        : ((WireResponse) message).with(name, value);
  }
}
