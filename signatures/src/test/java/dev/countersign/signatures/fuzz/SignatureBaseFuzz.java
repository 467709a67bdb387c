package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.HttpMessage;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;

/**
 * Signature bases of the components in Signature-Input, here a list without a label. A first line
 * of three digits makes the message a response to the request in its body.
 */
public final class SignatureBaseFuzz {
  private SignatureBaseFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    FuzzedMessage text = FuzzedMessage.parse(new String(input, ISO_8859_1));
    boolean response = text.firstLine().matches("[1-5][0-9]{2}");
    HttpMessage message = response ? new FuzzedResponse(text) : new FuzzedRequest(text);
    SignatureInput covered;
    SignatureBase base;
    try {
      covered = SignatureInput.parse(text.value("signature-input"));
      base = SignatureBase.of(covered, message, StructuredFieldRegistry.registered());
    } catch (IllegalArgumentException | VerificationException e) {
      FuzzFinding.unless(!(e instanceof NumberFormatException), "an exception of the JDK");
      return;
    }
    checkLines(base.text(), covered);
    if (message instanceof FuzzedRequest request) {
      checkValues(base.text().split("\n"), covered.components(), request);
    }
  }

  /** Checks that each component has one line, in order and unambiguous. */
  private static void checkLines(String base, SignatureInput covered) {
    String[] lines = base.split("\n", -1);
    List<ComponentIdentifier> components = covered.components();
    FuzzFinding.unlessEqual(lines.length, components.size() + 1);
    FuzzFinding.unlessEqual(components.stream().distinct().count(), (long) components.size());
    FuzzFinding.unless(
        base.chars().allMatch(c -> c >= ' ' && c <= '~' || c == '\n' || c == '\t'), base);
    for (int i = 0; i < components.size(); i++) {
      FuzzFinding.unless(lines[i].startsWith(components.get(i).serialize() + ": "), lines[i]);
    }
    FuzzFinding.unlessEqual(
        lines[components.size()], "\"@signature-params\": " + covered.signatureParams());
  }

  private static void checkValues(
      String[] lines, List<ComponentIdentifier> components, FuzzedRequest request) {
    for (int i = 0; i < components.size(); i++) {
      ComponentIdentifier component = components.get(i);
      String value = lines[i].substring(component.serialize().length() + 2);
      if (!component.isDerived() && component.parameters().isEmpty()) {
        FuzzFinding.unlessEqual(value, request.message().value(component.name()));
      } else if (component.isDerived()) {
        checkDerived(component.name(), value, request);
      }
    }
  }

  /** Compares with java.net.URI, if that accepts the target URI. */
  private static void checkDerived(String name, String value, FuzzedRequest request) {
    URI uri;
    try {
      uri = new URI(request.targetUri());
    } catch (URISyntaxException e) {
      return;
    }
    if (uri.getHost() == null || uri.getRawUserInfo() != null) {
      return;
    }
    String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
    String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
    switch (name) {
      case "@method" -> FuzzFinding.unlessEqual(value, request.method());
      case "@target-uri" -> FuzzFinding.unlessEqual(value, request.targetUri());
      case "@scheme" -> FuzzFinding.unlessEqual(value, uri.getScheme().toLowerCase(Locale.ROOT));
      case "@path" -> FuzzFinding.unlessEqual(value, path);
      case "@query" -> FuzzFinding.unlessEqual(value, query.isEmpty() ? "?" : query);
      case "@request-target" -> FuzzFinding.unlessEqual(value, path + query);
      case "@authority" -> checkAuthority(value, uri);
      default -> FuzzFinding.unlessEqual(name, "@query-param");
    }
  }

  private static void checkAuthority(String value, URI uri) {
    int port = uri.getPort();
    // The JDK reads a port as a number; a port that begins with a zero has no other spelling here.
    if (uri.getRawAuthority().matches(".*:0[0-9]*")) {
      return;
    }
    boolean implied =
        port < 0
            || (port == 80 && uri.getScheme().equalsIgnoreCase("http"))
            || (port == 443 && uri.getScheme().equalsIgnoreCase("https"));
    FuzzFinding.unlessEqual(
        value, uri.getHost().toLowerCase(Locale.ROOT) + (implied ? "" : ":" + port));
  }
}
