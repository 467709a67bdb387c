package dev.countersign.server.demo;

import dev.countersign.protocol.Reason;
import dev.countersign.server.commands.CommandException;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Makes the calls of the demo over a socket, as partners would, and prints the results. */
public final class DemoCalls {
  private static final String WALLET = "  %-26s %-8s %-7s %s%n";
  private static final String TOTAL = "  %-14s %-12s %-8s %s%n";

  private final String url;
  private final PrintWriter out;
  private final Clock clock;
  private final HttpClient http = HttpClient.newHttpClient();

  public DemoCalls(String url, PrintWriter out, Clock clock) {
    this.url = url;
    this.out = out;
    this.clock = clock;
  }

  /**
   * A client that calls.
   *
   * @param name its name
   * @param customer its attribute customerId
   * @param signer signs its requests
   */
  public record Caller(String name, String customer, MessageSigner signer) {}

  private Map<String, String> headers(Caller caller, String target) {
    return SignableRequest.of("GET", target, clock.instant()).signedHeaders(caller.signer());
  }

  /** Shows a signed call, and the same call after somebody has changed its URL. */
  public void showTampering(Caller caller) throws IOException, InterruptedException {
    String list = url + "/ledger/v1/wallets";
    String signedUrl = list + "?size=5&sort=name,asc";
    Map<String, String> headers = headers(caller, signedUrl);
    out.println();
    out.println(caller.name() + " calls GET " + signedUrl);
    headers.forEach((name, value) -> out.println("  " + name + ": " + shortened(value)));
    showPage(get(signedUrl, headers));

    String tamperedUrl = list + "?size=100&sort=name,asc";
    out.println();
    out.println("An attacker on the way changes the call to size=100 and keeps the headers:");
    showRefusal(get(tamperedUrl, headers));
  }

  /** Shows the same call by several clients, each of which sees only its own records. */
  public void showScope(List<Caller> callers) throws IOException, InterruptedException {
    String list = url + "/ledger/v1/transactions?size=1";
    out.println();
    out.println(
        callers.stream().map(Caller::name).collect(Collectors.joining(" and "))
            + " call GET "
            + list);
    out.println("Each sees only the transactions of its customer:");
    out.printf(Locale.ROOT, TOTAL, "client", "customerId", "answer", "transactions");
    for (Caller caller : callers) {
      HttpResponse<String> response = get(list, headers(caller, list));
      JsonNode page = JsonMapper.shared().readTree(response.body());
      String seen = page.path("content").path(0).path("customerId").asString("");
      if (response.statusCode() != 200 || !seen.equals(caller.customer())) {
        throw unexpected(response, "200 with transactions of " + caller.customer());
      }
      out.printf(
          Locale.ROOT,
          TOTAL,
          caller.name(),
          caller.customer(),
          response.statusCode(),
          page.path("totalElements").asLong());
    }
  }

  private HttpResponse<String> get(String from, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(from));
    headers.forEach(request::header);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private void showPage(HttpResponse<String> response) {
    JsonNode page = JsonMapper.shared().readTree(response.body());
    if (response.statusCode() != 200 || page.path("content").isEmpty()) {
      throw unexpected(response, "200 with wallets");
    }
    out.println();
    out.println("Answer: " + response.statusCode());
    out.printf(Locale.ROOT, WALLET, "name", "currency", "status", "createdAt");
    for (JsonNode wallet : page.path("content")) {
      out.printf(
          Locale.ROOT,
          WALLET,
          wallet.path("name").asString(),
          wallet.path("currencyCode").asString(),
          wallet.path("status").asString(),
          wallet.path("createdAt").asString());
    }
    out.printf(
        Locale.ROOT,
        "  page %d of %d, %d of %d wallets%n",
        page.path("number").asLong(),
        page.path("totalPages").asLong(),
        page.path("numberOfElements").asInt(),
        page.path("totalElements").asLong());
  }

  private void showRefusal(HttpResponse<String> response) {
    JsonNode problem = JsonMapper.shared().readTree(response.body());
    String reason = problem.path("reason").asString();
    if (response.statusCode() != 401 || !reason.equals(Reason.SIGNATURE_MISMATCH.word())) {
      throw unexpected(response, "401, signature_mismatch");
    }
    out.println("Answer: " + response.statusCode() + ", " + reason);
    out.println("  " + problem.path("detail").asString());
    out.println("  The service built this signature base:");
    problem.path("signatureBase").asString().lines().forEach(line -> out.println("    " + line));
  }

  private static CommandException unexpected(HttpResponse<String> response, String expected) {
    return new CommandException(
        "the demo's call was answered with "
            + response.statusCode()
            + " instead of "
            + expected
            + ": "
            + shortened(response.body()));
  }

  private static String shortened(String value) {
    return value.length() <= 110 ? value : value.substring(0, 107) + "...";
  }
}
