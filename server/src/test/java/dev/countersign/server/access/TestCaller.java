package dev.countersign.server.access;

import dev.countersign.server.TestClient;
import dev.countersign.server.TestRequest;
import dev.countersign.server.TestService;
import dev.countersign.server.access.AccessProperties.DateRule;
import dev.countersign.server.access.AccessProperties.LabelRule;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.CommittedClients;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.clients.RsaKeyPairs;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

/**
 * A registered client for tests without a web server, which signs requests and has them
 * authenticated. All of them have the same key.
 *
 * @param clock the time of the client and of the checks
 * @param maximumAge the maximum age of a signature
 */
public record TestCaller(RegisteredClient client, Clock clock, Duration maximumAge) {
  /** The origin of all requests. */
  public static final String ORIGIN = "https://api.example.com";

  private static volatile @Nullable RegisteredClient latest;

  /** A client without permissions and attributes. */
  public static TestCaller of(String clientId) {
    return of(clientId, Set.of(), Map.of());
  }

  public static TestCaller of(
      String clientId, Set<Permission> permissions, Map<String, AttributeValue> attributes) {
    RegisteredClient client =
        new RegisteredClient(
            clientId,
            true,
            NetworkWhitelist.parse(List.of("127.0.0.1")),
            permissions,
            attributes,
            List.of(new RegisteredClient.Key("SHA256:x", RsaKeyPairs.verificationKey(0), null)));
    return new TestCaller(client, Clock.systemUTC(), Duration.ofMinutes(5));
  }

  TestCaller at(Clock other, Duration maximumAge) {
    return new TestCaller(client, other, maximumAge);
  }

  /** Looks up every clientId as a client like those of {@link #of(String)}. */
  static Optional<RegisteredClient> registered(String clientId) {
    return Optional.of(of(clientId).client);
  }

  /** The client of the latest request, as if it was committed. */
  public static CommittedClients committed() {
    return (sql, clientId) -> Optional.ofNullable(latest);
  }

  /** A request that this client signs; an empty text for no body. */
  public TestRequest signed(String method, String target, String json) {
    return new TestClient(443, client.clientId(), RsaKeyPairs.keyPair(0).getPrivate())
        .signed(method, target, json)
        .at(ORIGIN)
        .createdAt(clock.instant());
  }

  /** Has a request authenticated, as the filter does. */
  SignedRequest authenticated(TestRequest request) {
    return authenticated(request.servletRequest());
  }

  /** Has a request authenticated and passes it on, as the filter does. */
  public MockHttpServletRequest received(TestRequest request) {
    MockHttpServletRequest servlet = request.servletRequest();
    authenticated(servlet).attachTo(servlet);
    return servlet;
  }

  private SignedRequest authenticated(MockHttpServletRequest request) {
    latest = client;
    AccessProperties properties =
        new AccessProperties(
            DateRule.REQUIRED,
            LabelRule.SIG,
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
            keyid -> keyid.equals(client.clientId()) ? Optional.of(client) : Optional.empty(),
            NodeFitnessTest.fit(),
            TestService.CRYPTO,
            clock)
        .authenticate(request, caller -> {});
  }
}
