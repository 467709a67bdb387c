package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.pagination.PageParameterException;
import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.TestRequest;
import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.http.ProblemWriter;
import dev.countersign.server.http.SignatureFilter;
import dev.countersign.server.store.StoreUnavailableException;
import jakarta.servlet.http.HttpServletRequest;
import java.io.EOFException;
import java.net.InetAddress;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.request.MockMvcRequestBuilders;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.servlet.function.ServerResponse;

/** The authorization, the header fields and the explained failures of an operation. */
class OperationTest {
  private static final Permission CREATE = Permission.of("ledger:wallets:create");
  private static final TestCaller ACME = TestCaller.of("acme", Set.of(CREATE), Map.of());

  private final AtomicInteger authorized = new AtomicInteger();

  private String authorize(CallingClient client) {
    client.require(CREATE);
    authorized.incrementAndGet();
    return "";
  }

  private static TestRequest post() {
    return ACME.signed("POST", "/ledger/v1/wallets", "{}");
  }

  @Test
  void authorize_unchangedClient_runsOnce() {
    ACME.authenticated(post(), this::authorize);
    assertThat(authorized).hasValue(1);
  }

  @Test
  void authorize_bodyWithAnotherDigest_runsBeforeTheBodyIsRead() {
    TestRequest post = post().with("Content-Digest", TestRequest.contentDigest("other"));
    DeniedException denied =
        catchThrowableOfType(
            DeniedException.class, () -> ACME.authenticated(post, this::authorize));
    assertThat(denied.denial().check()).isEqualTo(Check.BODY);
    assertThat(authorized).hasValue(1);
  }

  @Test
  void authorize_permissionLostWhileTheBodyArrives_isRefused() {
    RegisteredClient withoutPermission = TestCaller.of("acme").client();
    AtomicInteger reads = new AtomicInteger();
    ClientDirectory changing =
        keyid -> Optional.of(reads.getAndIncrement() == 0 ? ACME.client() : withoutPermission);

    DeniedException denied =
        catchThrowableOfType(
            DeniedException.class,
            () -> ACME.knownBy(changing).authenticated(post(), this::authorize));

    assertThat(denied.denial().reason()).isEqualTo(Reason.ROLE_MISSING);
    assertThat(denied.denial().check()).isEqualTo(Check.AUTHORIZATION);
    assertThat(authorized).as("before the body").hasValue(1);
  }

  @Test
  void headers_areOnAnswersAndOnRefusalsByTheFilter() {
    assertThat(answer(post(), request -> ServerResponse.ok().build()).getHeader("Sunset"))
        .isEqualTo("soon");
    TestRequest tampered = post().with("Content-Digest", TestRequest.contentDigest("other"));
    MockHttpServletResponse refusal = answer(tampered, request -> ServerResponse.ok().build());
    assertThat(refusal.getStatus()).isEqualTo(401);
    assertThat(refusal.getHeader("Sunset")).isEqualTo("soon");
  }

  /** The servlet engine removes all header fields when it discards an answer. */
  @Test
  void headers_afterTheAnswerIsReplaced_areSetAgain() throws Exception {
    TestRequest tampered = post().with("Content-Digest", TestRequest.contentDigest("other"));
    HttpServletRequest received = tampered.servletRequest();
    new TestCaller.Call(ACME, tampered)
        .answer(received, finderOf(request -> ServerResponse.ok().build()));

    MockHttpServletResponse again = new MockHttpServletResponse();
    new ProblemWriter(true).writeRejection(400, received, again);
    assertThat(again.getContentAsString()).contains("digest_mismatch");
    assertThat(again.getHeader("Sunset")).isEqualTo("soon");
  }

  @Test
  void answer_onANodeThatHasBecomeStale_isRefusedAsRegistryStale() throws Exception {
    Runnable stale =
        () -> {
          throw new DeniedException(Reason.REGISTRY_STALE, "too old");
        };
    CallingClient caller =
        new CallingClient(
            ACME.client(), InetAddress.getLoopbackAddress(), "SHA256:x", new RequestFacts(), stale);
    for (RuntimeException refused :
        List.of(
            new DeniedException(Reason.NOT_FOUND, "no such record"),
            PageParameterException.invalid("size", "be 1 to 100", "0"))) {
      assertThatThrownBy(
              () ->
                  caller.answer(
                      () -> {
                        throw refused;
                      }))
          .isInstanceOf(DeniedException.class)
          .hasMessageStartingWith("registry_stale");
    }
    assertThatThrownBy(() -> caller.answer(() -> "a page"))
        .hasMessageStartingWith("registry_stale");
  }

  @Test
  void explain_failureKnownToTheOperation_isRefusedAsItExplains() {
    assertThat(refusal(new IllegalStateException("known")))
        .isEqualTo(Reason.COLLECTION_UNAVAILABLE);
    assertThat(refusal(new IllegalStateException("unknown"))).isEqualTo(Reason.INTERNAL_ERROR);
    assertThat(refusal(new StoreUnavailableException("gone"))).isEqualTo(Reason.OVERLOADED);
    assertThat(refusal(new DeniedException(Reason.BODY_INVALID, "known")))
        .isEqualTo(Reason.BODY_INVALID);
  }

  /**
   * Spring takes an EOFException for a caller that has disconnected, and would answer 200 without a
   * body.
   */
  @Test
  void run_connectionToTheStoreLost_givesTheDispatcherARefusal() {
    StoreUnavailableException lost =
        new StoreUnavailableException("lost", new SQLException("an I/O error", new EOFException()));
    Operation operation =
        new TestOperation(
            this,
            request -> {
              throw lost;
            });
    SignedRequest signed = ACME.authenticated(post(), () -> operation);
    MockMvc dispatcher = MockMvcBuilders.routerFunctions(SignatureFilter.operations()).build();

    assertThatThrownBy(
            () ->
                dispatcher.perform(
                    MockMvcRequestBuilders.post("/ledger/v1/wallets")
                        .requestAttr(SignedRequest.class.getName(), signed)))
        .cause()
        .isInstanceOf(DeniedException.class)
        .hasMessageStartingWith("overloaded");
  }

  /** The operation examines its table to explain a failure, but the store does not answer. */
  @Test
  void explain_storeFailsToo_isRefusedAsOverloaded() {
    assertThat(refusal(new IllegalStateException("away"))).isEqualTo(Reason.OVERLOADED);
  }

  private Reason refusal(RuntimeException failure) {
    DeniedException denied =
        catchThrowableOfType(
            DeniedException.class,
            () ->
                new TestCaller.Call(ACME, post())
                    .answer(
                        finderOf(
                            request -> {
                              throw failure;
                            })));
    return denied.denial().reason();
  }

  private MockHttpServletResponse answer(
      TestRequest request, Function<SignedRequest, ServerResponse> run) {
    return new TestCaller.Call(ACME, request).answerOrRefusal(finderOf(run));
  }

  private Operation.Finder finderOf(Function<SignedRequest, ServerResponse> run) {
    return (method, path) -> Optional.of(new TestOperation(this, run));
  }

  private record TestOperation(OperationTest test, Function<SignedRequest, ServerResponse> run)
      implements Operation {
    @Override
    public String authorize(CallingClient client) {
      return test.authorize(client);
    }

    @Override
    public ServerResponse run(SignedRequest request) {
      return run.apply(request);
    }

    @Override
    public Map<String, String> headers() {
      return Map.of("Sunset", "soon");
    }

    @Override
    public Optional<Denial> explain(RuntimeException failure, SignedRequest request) {
      return switch (String.valueOf(failure.getMessage())) {
        case "known" -> Optional.of(Denial.of(Reason.COLLECTION_UNAVAILABLE, "it has changed"));
        case "away" -> throw new StoreUnavailableException("lost");
        default -> Optional.empty();
      };
    }
  }
}
