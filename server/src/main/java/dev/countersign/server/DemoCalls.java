package dev.countersign.server;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.protocol.Reason;
import dev.countersign.server.commands.CommandException;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.PrivateKey;
import java.time.Clock;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Makes the calls of the demo over a socket, as a partner would, and prints the results. */
final class DemoCalls {
  private static final String ROW = "  %-26s %-8s %-7s %s%n";

  private final String list;
  private final MessageSigner signer;
  private final HttpClient http = HttpClient.newHttpClient();

  DemoCalls(String url, String clientId, PrivateKey key, CryptoProvider crypto) {
    list = url + "/ledger/v1/wallets";
    signer =
        new MessageSigner(
            PartnerProfile.REQUEST,
            new SigningKey(clientId, SignatureAlgorithm.RSA_V1_5_SHA256, key, crypto));
  }

  void show(PrintWriter out) throws IOException, InterruptedException {
    String signedUrl = list + "?size=5&sort=name,asc";
    Map<String, String> headers =
        SignableRequest.of("GET", signedUrl, Clock.systemUTC().instant()).signedBy(signer);
    out.println();
    out.println("The client calls GET " + signedUrl);
    headers.forEach((name, value) -> out.println("  " + name + ": " + shortened(value)));
    showPage(get(signedUrl, headers), out);

    String tamperedUrl = list + "?size=100&sort=name,asc";
    out.println();
    out.println("An attacker on the way changes the call to size=100 and keeps the headers:");
    showRefusal(get(tamperedUrl, headers), out);
  }

  private HttpResponse<String> get(String url, Map<String, String> headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    headers.forEach(request::header);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static void showPage(HttpResponse<String> response, PrintWriter out) {
    JsonNode page = JsonMapper.shared().readTree(response.body());
    if (response.statusCode() != 200 || page.path("content").isEmpty()) {
      throw unexpected(response, "200 with wallets");
    }
    out.println();
    out.println("Answer: " + response.statusCode());
    out.printf(ROW, "name", "currency", "status", "createdAt");
    for (JsonNode wallet : page.path("content")) {
      out.printf(
          ROW,
          wallet.path("name").asString(),
          wallet.path("currencyCode").asString(),
          wallet.path("status").asString(),
          wallet.path("createdAt").asString());
    }
    out.printf(
        "  page %d of %d, %d of %d wallets%n",
        page.path("number").asLong(),
        page.path("totalPages").asLong(),
        page.path("numberOfElements").asInt(),
        page.path("totalElements").asLong());
  }

  private static void showRefusal(HttpResponse<String> response, PrintWriter out) {
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
