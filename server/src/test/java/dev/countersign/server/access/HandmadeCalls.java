package dev.countersign.server.access;

import dev.countersign.server.HandmadeSignature;
import dev.countersign.server.TestService;
import dev.countersign.server.access.AccessProperties.DateRule;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.signatures.SignableRequest;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

/**
 * Requests that were signed step by step and passed all checks up to {@code body}, at the time of
 * the test's clock.
 *
 * @param maximumAge the maximum age of a signature
 */
record HandmadeCalls(Clock clock, Duration maximumAge) {
  static final String URL = "http://localhost/ledger/v1/wallets";

  SignedRequest signed(String clientId, String body, Map<String, String> headers) {
    return signedAt(clock.instant(), clientId, body, headers);
  }

  SignedRequest withNonce(String clientId, String body, String nonce) {
    return authenticated(clock.instant(), clientId, body, Map.of(), ";nonce=\"" + nonce + "\"");
  }

  /** A request that was signed at an earlier time. */
  SignedRequest signedAt(
      Instant created, String clientId, String body, Map<String, String> headers) {
    return authenticated(created, clientId, body, headers, "");
  }

  /** A GET if the body is empty. */
  private SignedRequest authenticated(
      Instant created,
      String clientId,
      String body,
      Map<String, String> headers,
      String parameters) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    String method = bytes.length == 0 ? "GET" : "POST";
    SignableRequest request =
        SignableRequest.of(method, URL, created).withBody(bytes, TestService.CRYPTO);
    Map<String, String> components = new LinkedHashMap<>();
    components.put("@method", method);
    components.put("@target-uri", URL);
    if (bytes.length > 0) {
      components.put("content-digest", request.fieldLines("content-digest").get(0));
    }
    components.put("date", request.fieldLines("date").get(0));
    headers.forEach((name, value) -> components.put(name.toLowerCase(Locale.ROOT), value));

    MockHttpServletRequest servlet = new MockHttpServletRequest(method, "/ledger/v1/wallets");
    servlet.addHeader("Host", "localhost");
    components.forEach(
        (name, value) -> {
          if (!name.startsWith("@")) {
            servlet.addHeader(name, value);
          }
        });
    String all =
        String.format(
            Locale.ROOT,
            ";created=%d;keyid=\"%s\";alg=\"rsa-v1_5-sha256\"%s",
            created.getEpochSecond(),
            clientId,
            parameters);
    HandmadeSignature.headers(components, all, RsaKeyPairs.keyPair(0).getPrivate())
        .forEach(servlet::addHeader);
    servlet.setContent(bytes);
    return authenticator().authenticate(servlet, caller -> {});
  }

  private RequestAuthenticator authenticator() {
    AccessProperties properties =
        new AccessProperties(
            DateRule.REQUIRED,
            AccessProperties.LabelRule.SIG,
            maximumAge,
            Duration.ofSeconds(30),
            List.of(),
            DataSize.ofMegabytes(1),
            Duration.ofSeconds(10),
            0,
            0,
            0,
            Duration.ofSeconds(60));
    return new RequestAuthenticator(
        properties,
        new TrustedProxies(List.of()),
        PublicUrls.of(List.of()),
        HandmadeCalls::client,
        NodeFitnessTest.fit(),
        TestService.CRYPTO,
        clock);
  }

  /** Every client is registered with the same key. */
  static Optional<RegisteredClient> client(String keyid) {
    return Optional.of(
        new RegisteredClient(
            keyid,
            true,
            NetworkWhitelist.parse(List.of("0.0.0.0")),
            Set.of(),
            Map.of(),
            List.of(new RegisteredClient.Key("SHA256:x", RsaKeyPairs.verificationKey(0), null))));
  }
}
