package dev.countersign.server.access;

import dev.countersign.server.TestClient;
import dev.countersign.server.TestRequest;
import dev.countersign.server.TestService;
import dev.countersign.server.access.AccessProperties.DateRule;
import dev.countersign.server.access.AccessProperties.LabelRule;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.directory.CommittedClients;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.server.http.OpenPaths;
import dev.countersign.server.http.ProblemWriter;
import dev.countersign.server.http.SignatureFilter;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * A registered client for tests without a web server, which signs requests and has them
 * authenticated. All callers have the same key.
 *
 * @param directory what the service knows of the clients
 * @param clock the time of the client and of the checks
 * @param maximumAge the maximum age of a signature
 */
public record TestCaller(
    RegisteredClient client, ClientDirectory directory, Clock clock, Duration maximumAge) {
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
    return new TestCaller(
        client,
        keyid -> Optional.of(client).filter(found -> found.clientId().equals(keyid)),
        Clock.systemUTC(),
        Duration.ofMinutes(5));
  }

  public TestCaller at(Clock other, Duration maximumAge) {
    return new TestCaller(client, directory, other, maximumAge);
  }

  TestCaller knownBy(ClientDirectory other) {
    return new TestCaller(client, other, clock, maximumAge);
  }

  /** Looks up every clientId as a client like those of {@link #of(String)}. */
  public static Optional<RegisteredClient> registered(String clientId) {
    return Optional.of(of(clientId).client);
  }

  /** Returns a reader that finds the client of the latest request, whatever the clientId. */
  public static CommittedClients committedClients() {
    return (sql, clientId) -> Optional.ofNullable(latest);
  }

  /** A request that this client signs; an empty text for no body. */
  public TestRequest signed(String method, String target, String json) {
    return new TestClient(443, client.clientId(), RsaKeyPairs.keyPair(0).getPrivate())
        .signed(method, target, json)
        .at(ORIGIN)
        .createdAt(clock.instant());
  }

  /** A request of a client to operations without a web server. */
  public record Call(TestCaller caller, TestRequest request) {
    /**
     * Returns the answer of these operations.
     *
     * @throws DeniedException if the request is refused
     */
    public MockHttpServletResponse answer(Operation.Finder operations) {
      HttpServletRequest received = request.servletRequest();
      MockHttpServletResponse response = answer(received, operations);
      RequestFacts.of(received)
          .denial()
          .ifPresent(
              denial -> {
                throw denial.asException();
              });
      return response;
    }

    /** Returns the answer of these operations, which may be a refusal. */
    public MockHttpServletResponse answerOrRefusal(Operation.Finder operations) {
      return answer(request.servletRequest(), operations);
    }

    /** Returns the answer to the request as the engine received it, which may be a refusal. */
    MockHttpServletResponse answer(HttpServletRequest received, Operation.Finder operations) {
      MockHttpServletResponse response = new MockHttpServletResponse();
      try {
        new SignatureFilter(
                caller.authenticator(),
                new ProblemWriter(true),
                new OpenPaths(Set.of()),
                List.of(operations))
            .doFilter(received, response, (signed, ignored) -> dispatch(received, response));
        return response;
      } catch (IOException | ServletException e) {
        throw new AssertionError(e);
      }
    }

    /** Runs the operation, and wraps what it throws, as Spring's dispatcher does. */
    private static void dispatch(HttpServletRequest received, MockHttpServletResponse response)
        throws ServletException {
      ServerRequest request = ServerRequest.create(received, List.of());
      try {
        SignatureFilter.operations()
            .route(request)
            .orElseThrow()
            .handle(request)
            .writeTo(received, response, List::of);
      } catch (Exception e) {
        throw new ServletException(e);
      }
    }
  }

  /** Has a request authenticated whose operation every client may perform. */
  public SignedRequest authenticated(TestRequest request) {
    return authenticated(request, () -> new Unserved(client -> ""));
  }

  /** Has a request authenticated whose operation is authorized in this way. */
  public SignedRequest authenticated(
      TestRequest request, Function<CallingClient, String> authorize) {
    return authenticated(request, () -> new Unserved(authorize));
  }

  /** An operation that is not run. */
  private record Unserved(Function<CallingClient, String> authorization) implements Operation {
    @Override
    public String authorize(CallingClient client) {
      return authorization.apply(client);
    }

    @Override
    public ServerResponse run(SignedRequest request) {
      throw new UnsupportedOperationException();
    }
  }

  SignedRequest authenticated(TestRequest request, Supplier<Operation> operation) {
    return authenticator().authenticate(request.servletRequest(), operation);
  }

  private RequestAuthenticator authenticator() {
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
        directory,
        NodeFitnessTest.fit(),
        TestService.CRYPTO,
        clock);
  }
}
