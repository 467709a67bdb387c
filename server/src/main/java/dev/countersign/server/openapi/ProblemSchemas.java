package dev.countersign.server.openapi;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The refusals: the problem document (RFC 9457), and the possible reasons of each status. */
final class ProblemSchemas {
  private static final String MEDIA_TYPE = "application/problem+json";

  private static final String WAIT = "The seconds to wait before a retry can succeed.";

  private ProblemSchemas() {}

  /** Returns the schema of the problem document. */
  static Node schema() {
    return Node.type("object")
        .put("description", "A problem document (RFC 9457). Programs should use reason.")
        .put("required", List.of("type", "title", "status", "detail", "reason", "requestId"))
        .put(
            "properties",
            Node.of("type", Node.type("string").put("format", "uri"))
                .put("title", text("A summary that does not vary with the request."))
                .put("status", Node.type("integer"))
                .put("detail", text("What is wrong and how to fix it, for people."))
                .put("reason", reasons(Arrays.asList(Reason.values())))
                .put(
                    "check",
                    Node.type("string")
                        .put("enum", Arrays.stream(Check.values()).map(Check::word).toList())
                        .put(
                            "description",
                            "The check that refused the request; absent if no check did."))
                .put(
                    "requestId", text("The id of the request; quote it when you ask the operator."))
                .put("errors", texts("Only with body_invalid: up to 50 problems of the body."))
                .put(
                    "expected",
                    text("If the signature covers the wrong components: the required components."))
                .put(
                    "received",
                    text("If the signature covers the wrong components: the covered components."))
                .put(
                    "signatureBase",
                    text("If the signature does not verify: the base that the service built.")));
  }

  /** Returns all responses by name, for the components of the document. */
  static Node responses() {
    Node responses = Node.empty();
    statuses().forEach(status -> responses.put("Problem" + status, response(status)));
    responses.put(
        "Problem",
        Node.of("description", "Any other refusal, for example by the HTTP server.")
            .put("content", content(Node.ref("schemas/Problem"))));
    return responses;
  }

  /** Adds references to the responses with these statuses and to the default response. */
  static void addTo(Node responses, int... statuses) {
    IntStream.of(statuses)
        .forEach(s -> responses.put(String.valueOf(s), Node.ref("responses/Problem" + s)));
    responses.put("default", Node.ref("responses/Problem"));
  }

  private static List<Integer> statuses() {
    return Arrays.stream(Reason.values()).map(Reason::status).distinct().sorted().toList();
  }

  private static Node response(int status) {
    List<Reason> reasons =
        Arrays.stream(Reason.values()).filter(reason -> reason.status() == status).toList();
    Node narrowed =
        Node.of(
            "properties",
            Node.of("status", Node.of("const", status)).put("reason", reasons(reasons)));
    return Node.of(
            "description",
            String.join("; ", reasons.stream().map(r -> r.word() + ": " + r.title()).toList())
                + ".")
        .put("headers", headers(status))
        .put("content", content(Node.of("allOf", List.of(Node.ref("schemas/Problem"), narrowed))));
  }

  private static Node headers(int status) {
    Node headers = Node.of("X-Request-Id", Node.ref("headers/X-Request-Id"));
    return switch (status) {
      case 401 ->
          headers
              .put("WWW-Authenticate", header("Signature realm=\"countersign\"."))
              .put("Accept-Signature", header("The components that must be covered (RFC 9421)."));
      case 405 -> headers.put("Allow", header("The methods that the path supports."));
      case 409 ->
          headers
              .put("Retry-After", header(WAIT))
              .put("Idempotency-Replayed", Node.ref("headers/Idempotency-Replayed"));
      case 429, 503 -> headers.put("Retry-After", header(WAIT));
      default -> headers;
    };
  }

  private static Node header(String description) {
    return Node.of("description", description).put("schema", Node.type("string"));
  }

  private static Node content(Node schema) {
    return Node.of(MEDIA_TYPE, Node.of("schema", schema));
  }

  private static Node reasons(List<Reason> reasons) {
    return Node.type("string").put("enum", reasons.stream().map(Reason::word).toList());
  }

  private static Node text(String description) {
    return Node.type("string").put("description", description);
  }

  private static Node texts(String description) {
    return Node.type("array").put("items", Node.type("string")).put("description", description);
  }
}
