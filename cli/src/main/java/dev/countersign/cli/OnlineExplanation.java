package dev.countersign.cli;

import dev.countersign.cli.explain.Cause;
import dev.countersign.cli.explain.RefusedCall;
import dev.countersign.cli.explain.SignedCall;
import dev.countersign.cli.profile.Connection;
import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.Output;
import dev.countersign.client.CountersignClient;
import dev.countersign.client.Problem;
import dev.countersign.client.RetryPolicy;
import dev.countersign.protocol.PlainText;
import dev.countersign.signatures.base.VerificationException.Comparison;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends a request. If the service refuses it, prints our signature base, the service's signature
 * base, and their first difference.
 */
record OnlineExplanation(Connection connection, Output output) {

  /**
   * Sends the request and explains the outcome.
   *
   * @param publicKey the key that the caller believes to be registered
   * @throws CliException with {@link ExitCode#NOT_VERIFIED} when the request is refused
   */
  void sendAndExplain(HttpRequest request, Optional<RSAPublicKey> publicKey) {
    HttpResponse<byte[]> response = client(request).send(request);
    SignedCall signed = new SignedCall(response.request(), connection.clientId(), publicKey);
    if (response.statusCode() < 300) {
      printAccepted(signed, response.statusCode());
      return;
    }
    Optional<Problem> problem = Problem.read(response);
    String reason = problem.map(Problem::reason).orElse("http_" + response.statusCode());
    RefusedCall refused =
        new RefusedCall(
            signed,
            reason,
            problem.map(Problem::detail).orElse(""),
            problem.flatMap(Problem::signatureBase),
            problem.flatMap(OnlineExplanation::componentComparison));
    Cause cause = refused.cause();
    if (output.json()) {
      output.print(json(refused, cause, response.statusCode()));
    } else {
      print(refused, response.statusCode(), problem, cause);
    }
    throw failure(refused, cause, response.statusCode());
  }

  /** The components that the service expected and received; empty unless it named both. */
  private static Optional<Comparison> componentComparison(Problem problem) {
    return problem.expected().isEmpty() || problem.received().isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Comparison(
                String.join(" ", problem.expected()), String.join(" ", problem.received())));
  }

  /** Builds a client that does not retry, because the first response is the one to explain. */
  private CountersignClient client(HttpRequest request) {
    return connection.clientBuilder(request.uri()).withRetries(RetryPolicy.none()).build();
  }

  private void print(RefusedCall refused, int status, Optional<Problem> problem, Cause cause) {
    output.print(
        "refused: status "
            + status
            + ", "
            + refused.reason()
            + problem.flatMap(Problem::requestId).map(id -> ", request id " + id).orElse(""));
    if (!refused.detail().isEmpty()) {
      output.print("the service says: " + PlainText.compactLine(refused.detail()));
    }
    problem.ifPresent(
        parsed -> {
          printList("expected", parsed.expected());
          printList("received", parsed.received());
        });
    output.print("\nour signature base:\n" + refused.signed().base());
    refused
        .serviceBase()
        .ifPresent(base -> output.print("\nthe service's signature base:\n" + base));
    cause.drawing().ifPresent(drawing -> output.print("\nfirst difference, " + drawing));
  }

  private void printList(String name, List<String> items) {
    if (!items.isEmpty()) {
      output.print(name + ": " + String.join(" ", items));
    }
  }

  private static CliException failure(RefusedCall refused, Cause cause, int status) {
    CliException failure =
        new CliException(ExitCode.NOT_VERIFIED, refused.reason(), cause.sentence())
            .addMember("status", status)
            .addMember("detail", refused.detail())
            .addMember("signedBase", refused.signed().base());
    refused.serviceBase().ifPresent(base -> failure.addMember("signatureBase", base));
    return failure;
  }

  private void printAccepted(SignedCall signed, int status) {
    if (output.json()) {
      output.print(document(true, "accepted", status, signed).toString());
    } else {
      output.print("accepted: status " + status);
      output.print("\nour signature base:\n" + signed.base());
    }
  }

  private static String json(RefusedCall refused, Cause cause, int status) {
    ObjectNode document = document(false, refused.reason(), status, refused.signed());
    document.put("cause", cause.sentence());
    document.put("detail", refused.detail());
    refused.serviceBase().ifPresent(base -> document.put("signatureBase", base));
    return document.toString();
  }

  private static ObjectNode document(
      boolean accepted, String reason, int status, SignedCall signed) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("accepted", accepted)
        .put("reason", reason)
        .put("status", status)
        .put("signedBase", signed.base());
  }
}
