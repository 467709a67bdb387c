package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.httpclient.HttpRequestSigner;
import dev.countersign.signatures.keys.CryptoProvider;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Instant;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A partner that calls with the JDK's HttpClient, with either preferred version of HTTP. */
@SharedService
class HttpClientTest {
  private static TestService service;
  private static HttpRequestSigner signer;

  @BeforeAll
  static void start(TestService shared) {
    service = shared;
    signer = new HttpRequestSigner(service.register().signer(), CryptoProvider.jdk());
  }

  private static HttpRequest.Builder to(String target) {
    return HttpRequest.newBuilder(URI.create("HTTP://u:p@LOCALHOST:0" + service.port() + target));
  }

  private static HttpResponse<String> send(HttpClient client, HttpRequest request)
      throws Exception {
    return client.send(signer.sign(request, Instant.now()), BodyHandlers.ofString());
  }

  @ParameterizedTest
  @EnumSource
  void call_signed_isAnswered(Version version) throws Exception {
    HttpClient client = HttpClient.newBuilder().version(version).build();
    HttpRequest list = to("/ledger/v1/wallets?").build();
    HttpRequest sorted = to("/ledger/v1/wallets?sort=name,asc&sort=createdAt%2Cdesc#end").build();
    HttpRequest add =
        to("/ledger/v1/wallets")
            .header("Content-Type", "application/json")
            .POST(
                BodyPublishers.ofString(
                    "{\"name\": \"Caf\u00e9 " + version + "\", \"currencyCode\": \"EUR\"}"))
            .build();

    assertThat(send(client, list).statusCode()).isEqualTo(200);
    assertThat(send(client, sorted).statusCode()).isEqualTo(200);
    HttpResponse<String> added = send(client, add);
    assertThat(added.statusCode()).as(added.body()).isEqualTo(201);
    // The response distinguishes an unknown path from a signature that does not verify.
    assertThat(send(client, to("/caf\u00e9?\u20ac").build()).statusCode()).isEqualTo(404);
  }
}
