package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.VerificationLimiter;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.commands.CommandException;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestRecord;
import dev.countersign.server.requests.RequestRecordStore;
import dev.countersign.server.store.Database;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Every reason, provoked over a socket, names the check that refused the request: in the problem
 * document, in the record, on the portal's page and in the log line.
 */
class RefusalMatrixTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final String SAVINGS = "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}";
  private static final String ACCOUNTS = "/ledger/v1/accounts";
  private static final Pattern STATE =
      Pattern.compile("data-check=\"(\\w+)\" data-state=\"(\\w+)\"");
  private static final KeyPair NEXT = TestService.newKeyPair();
  private static final KeyPair OTHER = TestService.newKeyPair();

  private static final List<Case> CASES =
      Stream.of(inTheHead(), behindTheHead(), elsewhere()).flatMap(List::stream).toList();
  private static final Map<Case, CompletableFuture<Provoked>> PROVOKED =
      Collections.synchronizedMap(new IdentityHashMap<>());

  /** The number of threads that exceed the rate limit together. */
  private static final int CALLERS = 8;

  /** Zero once the service waits for the rest of the incomplete body. */
  private static final CountDownLatch WAITING_FOR_A_BODY = new CountDownLatch(1);

  @TempDir private static Path data;
  private static TestService service;
  private static PortalClient portal;
  private static LogLines log;

  @BeforeAll
  static void start() throws InterruptedException {
    service = started();
    portal = PortalClient.administrator(service);
    log = LogLines.attach();
    provokeAll();
  }

  /** Starts the service on a known port, which is part of a public URL. */
  private static TestService started() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(20_000, 30_000);
      try {
        return TestService.startAsConfigured(data, 3, settings(port));
      } catch (CommandException failed) {
        if (!String.valueOf(failed.getMessage()).contains("port " + port + " is in use")) {
          throw failed;
        }
      }
    }
  }

  private static List<String> settings(int port) {
    return List.of(
        "server.port=" + port,
        "countersign.public-urls=http://localhost:" + port,
        TestService.ROTATING,
        "countersign.roles.reader=ledger:wallets:read",
        "countersign.roles.owner=ledger:accounts:read,ledger:accounts:create",
        "countersign.attributes.currency.type=text",
        "countersign.listings[0].path=" + WALLETS,
        "countersign.listings[0].table=wallets",
        "countersign.listings[0].key=id",
        "countersign.listings[0].create=true",
        "countersign.listings[0].fields.id.type=uuid",
        "countersign.listings[0].fields.id.generated=true",
        "countersign.listings[0].fields.name.type=text",
        "countersign.listings[0].fields.currencyCode.type=text",
        "countersign.listings[0].fields.currencyCode.column=currency_code",
        "countersign.listings[0].fields.status.type=text",
        "countersign.listings[0].fields.status.default=ACTIVE",
        "countersign.listings[0].fields.createdAt.type=timestamp",
        "countersign.listings[0].fields.createdAt.column=created_at",
        "countersign.listings[0].fields.createdAt.generated=true",
        "countersign.listings[1].path=" + ACCOUNTS,
        "countersign.listings[1].table=wallets",
        "countersign.listings[1].key=id",
        "countersign.listings[1].create=true",
        "countersign.listings[1].fields.id.type=uuid",
        "countersign.listings[1].fields.id.generated=true",
        "countersign.listings[1].fields.name.type=text",
        "countersign.listings[1].fields.currencyCode.type=text",
        "countersign.listings[1].fields.currencyCode.column=currency_code",
        "countersign.listings[1].fields.status.type=text",
        "countersign.listings[1].fields.status.default=ACTIVE",
        "countersign.listings[1].fields.createdAt.type=timestamp",
        "countersign.listings[1].fields.createdAt.column=created_at",
        "countersign.listings[1].fields.createdAt.generated=true",
        "countersign.listings[1].scope.currencyCode=currency",
        "countersign.access.body-limit=4KB",
        "countersign.access.body-timeout=10s",
        "countersign.access.rate-limit=4",
        "countersign.access.maximum-verifications=2",
        "logging.level.countersign=warn",
        MovableClock.SETTING + "," + MovableTicker.class.getName());
  }

  /**
   * All at the beginning, because records are written in batches. The body's timeout elapses in
   * parallel with the other cases.
   */
  private static void provokeAll() throws InterruptedException {
    cases().forEach(refused -> PROVOKED.put(refused, new CompletableFuture<>()));
    Case slow = cases().filter(c -> c.reason == Reason.BODY_TIMEOUT).findFirst().orElseThrow();
    Thread.ofPlatform().daemon().start(() -> provoke(slow));
    Waits.forLatch(WAITING_FOR_A_BODY);
    cases().filter(refused -> refused != slow).forEach(RefusalMatrixTest::provoke);
  }

  private static void provoke(Case refused) {
    CompletableFuture<Provoked> provoked = PROVOKED.get(refused);
    try {
      TestClient client = service.register(refused.role, "127.0.0.1", "::1");
      provoked.complete(new Provoked(client, refused.provocation.by(client)));
    } catch (Exception | AssertionError e) {
      provoked.completeExceptionally(e);
    }
  }

  @AfterAll
  static void stop() {
    log.stop();
    service.close();
  }

  // The expected results

  @ParameterizedTest(name = "{0}")
  @MethodSource("cases")
  void refusal_namesItsCheckEverywhere(Case refused) throws Exception {
    Provoked provoked = Waits.forResult(PROVOKED.get(refused));
    TestClient client = provoked.client();
    RawResponse answer = provoked.answer();

    assertThat(answer.reason()).as(answer.body()).isEqualTo(refused.reason.word());
    assertThat(answer.json().path("check").asString("absent"))
        .isEqualTo(refused.check == null ? "absent" : refused.check.word());

    RequestRecord record = record(answer);
    assertThat(record.reason()).isEqualTo(refused.reason);
    assertThat(record.checks()).isEqualTo(new CheckProgress(refused.passed, refused.check));
    assertThat(record.trust()).isEqualTo(refused.trust);
    assertThat(record.clientId()).isEqualTo(refused.isAttributed ? client.clientId() : null);

    String page = portal.get("/requests/" + record.id()).expect(200).body();
    assertThat(states(page)).isEqualTo(refused.states());
    assertThat(page.contains("No check refused the request")).isEqualTo(refused.check == null);
    assertThat(page.contains("<code>" + client.clientId() + "</code>"))
        .isEqualTo(refused.isAttributed);

    Map<String, String> line = log.line(record.requestId());
    assertThat(line)
        .containsEntry("reason", refused.reason.word())
        .containsEntry("check", refused.check == null ? "-" : refused.check.word())
        .containsEntry("clientId", refused.isAttributed ? client.clientId() : "-");
  }

  /** Checks the texts that operators and integrators read. */
  @ParameterizedTest
  @CsvSource({
    "SCOPE_MISSING, the client has no attribute currency; ask the operator to set it",
    "SCOPE_VIOLATION, 'currencyCode must be one of the client''s own values; correct it, or ask the"
        + " operator to add the value'",
  })
  void refusal_ofAScope_saysWhatToFixAndWhere(Reason reason, String problem) throws Exception {
    Provoked provoked =
        Waits.forResult(
            PROVOKED.get(cases().filter(c -> c.reason == reason).findFirst().orElseThrow()));
    assertThat(provoked.answer().status()).isEqualTo(403);
    assertThat(provoked.answer().json().path("detail").asString("")).endsWith(problem);

    long id = record(provoked.answer()).id();
    assertThat(portal.get("/requests/" + id).expect(200).body().replace("&#39;", "'"))
        .contains(problem, reason.adviceToOperator().replace("\"", "&quot;"))
        .contains("client?id=" + provoked.client().clientId() + "#attributes\"");
    assertThat(portal.get("/requests?reason=" + reason.word()).expect(200).body())
        .contains(
            "<option value=\"" + reason.word() + "\" selected=\"selected\"", "/requests/" + id);
  }

  /**
   * The texts of refusals are a part of the interface, so {@code refusals.txt} contains them.
   * Values that differ between runs are replaced by placeholders.
   */
  @Test
  void refusals_wordForWord_areThoseOfTheFile() throws Exception {
    StringBuilder actual = new StringBuilder();
    for (Case refused : CASES) {
      actual.append(refused).append('\n').append(words(Waits.forResult(PROVOKED.get(refused))));
    }
    try (InputStream file = RefusalMatrixTest.class.getResourceAsStream("refusals.txt")) {
      assertThat(actual).hasToString(new String(file.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  private static String words(Provoked provoked) {
    RawResponse answer = provoked.answer();
    Map<String, String> words = new TreeMap<>();
    for (Map.Entry<String, JsonNode> member : answer.json().properties()) {
      words.put(member.getKey(), member.getValue().toString());
    }
    // The test above compares the reason and the check.
    words.keySet().removeAll(Set.of("requestId", "reason", "check"));
    for (String name : List.of("allow", "retry-after", "www-authenticate", "accept-signature")) {
      if (!answer.header(name).isEmpty()) {
        words.put(name, answer.header(name));
      }
    }
    return words.entrySet().stream()
        .map(word -> "  " + word.getKey() + ": " + word.getValue() + "\n")
        .collect(Collectors.joining())
        .replace(provoked.client().clientId(), "{clientId}")
        .replaceAll("\\w+, \\d+ \\w+ \\d+ \\d+:\\d+:\\d+ GMT", "{date}")
        .replaceAll("\\d+-\\d+-\\d+T\\d+:\\d+:[0-9.]+Z", "{time}")
        .replaceAll("(?<=localhost:|created=|retry-after: )\\d{2,}", "{number}")
        .replaceAll("(?<=was .\")\\d+|\\d+(?= s (ago|old|in the future|away))", "{number}");
  }

  @Test
  void everyReason_hasACase() {
    // CommitOutcomeTest and PageTransactionTest provoke the other reasons, which need PostgreSQL.
    assertThat(cases().map(Case::reason))
        .containsAll(
            EnumSet.complementOf(EnumSet.of(Reason.OUTCOME_UNKNOWN, Reason.TOTAL_UNAVAILABLE)));
  }

  @Test
  void everyCheck_hasACase() {
    assertThat(cases().map(Case::check)).contains(Check.values());
  }

  private static RequestRecord record(RawResponse answer) {
    String requestId = answer.header("x-request-id");
    return Awaitility.await().until(() -> find(requestId), Optional::isPresent).orElseThrow();
  }

  private static Optional<RequestRecord> find(String requestId) {
    return service
        .part(RequestRecordStore.class)
        .search(RequestFilter.ALL, null, 1_000)
        .requests()
        .stream()
        .filter(record -> record.requestId().equals(requestId))
        .findFirst();
  }

  private static Map<String, String> states(String page) {
    return STATE
        .matcher(page)
        .results()
        .collect(Collectors.toMap(state -> state.group(1), state -> state.group(2)));
  }

  // The cases

  /** Sends the request that is to be refused. */
  private interface Provocation {
    RawResponse by(TestClient client) throws Exception;
  }

  /** A refusal, and the client that the request's keyid names or should name. */
  private record Provoked(TestClient client, RawResponse answer) {}

  /**
   * One refusal.
   *
   * @param check that refuses it; null if no check does
   * @param passed the last check that it passes
   * @param isAttributed whether the record and the log name the client
   */
  record Case(
      Reason reason,
      @Nullable Check check,
      @Nullable Check passed,
      TrustLevel trust,
      boolean isAttributed,
      String role,
      Provocation provocation) {

    Map<String, String> states() {
      return Arrays.stream(Check.values()).collect(Collectors.toMap(Check::word, this::state));
    }

    private String state(Check one) {
      if (one == check) {
        return "failed";
      }
      return passed != null && one.number() <= passed.number() ? "passed" : "not_reached";
    }

    Case with(String otherRole) {
      return new Case(reason, check, passed, trust, isAttributed, otherRole, provocation);
    }

    Case passing(Check last) {
      return new Case(reason, check, last, trust, isAttributed, role, provocation);
    }

    Case as(TrustLevel other, boolean attributed) {
      return new Case(reason, check, passed, other, attributed, role, provocation);
    }

    @Override
    public String toString() {
      return reason.word() + " in " + (check == null ? "no check" : check.word());
    }
  }

  /** A refusal by a check, which is attributed to the client once the fields were read. */
  private static Case in(Check check, Reason reason, Provocation provocation) {
    int before = check.number() - 1;
    Check passed = before == 0 ? null : Check.values()[before - 1];
    return new Case(
        reason, check, passed, trustAfter(passed), passed != null, "rotator", provocation);
  }

  /** A refusal that is not made by a check, after this check was passed. */
  private static Case after(@Nullable Check passed, Reason reason, Provocation provocation) {
    return new Case(
        reason, null, passed, trustAfter(passed), passed != null, "rotator", provocation);
  }

  private static TrustLevel trustAfter(@Nullable Check passed) {
    if (passed == null) {
      return TrustLevel.ANONYMOUS;
    }
    return passed.number() < Check.SIGNATURE.number() ? TrustLevel.CLAIMED : TrustLevel.VERIFIED;
  }

  static Stream<Case> cases() {
    return CASES.stream();
  }

  private static List<Case> inTheHead() {
    return List.of(
        in(Check.FIELDS, Reason.SIGNATURE_MISSING, c -> c.get(WALLETS).without("Signature").send()),
        in(
            Check.FIELDS,
            Reason.SIGNATURE_MALFORMED,
            c -> c.get(WALLETS).with("Signature", "sig=:!:").send()),
        in(Check.FIELDS, Reason.LABEL_MISSING, RefusalMatrixTest::relabelled),
        in(Check.PROFILE, Reason.COMPONENTS_WRONG, c -> get(c).without("date").send()),
        in(
            Check.PROFILE,
            Reason.PARAMETERS_WRONG,
            c -> get(c).withParameter("created=([0-9]+)", "created=\"$1\"").send()),
        in(
            Check.PROFILE,
            Reason.ALGORITHM_WRONG,
            c -> get(c).withParameter("rsa-v1_5-sha256", "hmac-sha256").send()),
        in(Check.CLIENT, Reason.CLIENT_UNKNOWN, c -> c.as("nobody").get(WALLETS).send())
            .as(TrustLevel.ANONYMOUS, false),
        in(Check.CLIENT, Reason.CLIENT_MISTYPED, c -> c.as("cl-0").get(WALLETS).send())
            .as(TrustLevel.ANONYMOUS, false),
        in(Check.CLIENT, Reason.CLIENT_DISABLED, RefusalMatrixTest::disabled)
            .as(TrustLevel.ANONYMOUS, true),
        in(Check.CLIENT, Reason.REGISTRY_STALE, RefusalMatrixTest::withOldKnowledge),
        in(Check.ADDRESS, Reason.ADDRESS_NOT_ALLOWED, RefusalMatrixTest::movedAway)
            .as(TrustLevel.ANONYMOUS, true),
        in(Check.TIME, Reason.CLOCK_WRONG, RefusalMatrixTest::withAWrongClock),
        in(Check.TIME, Reason.CREATED_TOO_OLD, c -> get(c).createdIn(-4_000).send()),
        in(Check.TIME, Reason.CREATED_IN_FUTURE, c -> get(c).createdIn(4_000).send()),
        in(Check.TIME, Reason.EXPIRED, c -> get(c).withMore(";expires=1").send()),
        in(Check.TIME, Reason.DATE_MISSING, c -> get(c).request().without("date").send()),
        in(Check.TIME, Reason.DATE_MALFORMED, c -> get(c).with("date", "yesterday").send()),
        in(
            Check.TIME,
            Reason.DATE_MISMATCH,
            c -> get(c).with("date", TestRequest.httpDate(Instant.EPOCH)).send()),
        in(
            Check.DIGEST,
            Reason.DIGEST_MISSING,
            c -> post(c).request().without("content-digest").send()),
        in(
            Check.DIGEST,
            Reason.DIGEST_MALFORMED,
            c -> post(c).with("content-digest", "md5=:AAAA:").send()),
        in(Check.DIGEST, Reason.DIGEST_UNEXPECTED, c -> post(c).request().withBody("").send()),
        in(Check.DIGEST, Reason.BODY_TOO_LARGE, c -> c.post(WALLETS, " ".repeat(5_000)).send()),
        in(
            Check.DIGEST,
            Reason.MEDIA_TYPE_UNSUPPORTED,
            c -> c.post(WALLETS, SAVINGS).with("Content-Encoding", "gzip").send()),
        in(
            Check.SIGNATURE,
            Reason.SIGNATURE_MISMATCH,
            c -> c.get(WALLETS + "?page=0").withTarget(WALLETS + "?page=1").send()),
        // A value that no base can contain is detected when the base is built.
        in(
            Check.SIGNATURE,
            Reason.COMPONENTS_WRONG,
            c -> get(c).with("idempotency-key", "\u00e9").send()));
  }

  private static List<Case> behindTheHead() {
    return List.of(
        in(
            Check.BODY,
            Reason.DIGEST_MISMATCH,
            c -> c.post(WALLETS, SAVINGS).withBody(SAVINGS.replace("EUR", "USD")).send()),
        in(Check.BODY, Reason.BODY_TIMEOUT, RefusalMatrixTest::withoutItsEnd),
        in(Check.BODY, Reason.BODY_TOO_LARGE, c -> chunked(c.post(WALLETS, " ".repeat(5_000)))),
        in(Check.BODY, Reason.DIGEST_MISSING, c -> chunked(get(c).request().withBody(SAVINGS))),
        // The parts of the check that need no body come before it.
        in(Check.AUTHORIZATION, Reason.ROLE_MISSING, c -> c.post(WALLETS, SAVINGS).send())
            .with("reader")
            .passing(Check.SIGNATURE),
        in(Check.AUTHORIZATION, Reason.SCOPE_MISSING, c -> c.get(ACCOUNTS).send())
            .with("owner")
            .passing(Check.SIGNATURE),
        // The check is entered again for the body.
        in(Check.AUTHORIZATION, Reason.SCOPE_VIOLATION, RefusalMatrixTest::outsideItsScope)
            .with("owner")
            .passing(Check.AUTHORIZATION),
        in(Check.REPLAY, Reason.REPLAYED, RefusalMatrixTest::twice),
        in(Check.REPLAY, Reason.CREATED_TOO_OLD, RefusalMatrixTest::tooLateForItsClaim),
        in(Check.REPLAY, Reason.IN_PROGRESS, RefusalMatrixTest::beforeTheFirstHasEnded),
        in(Check.REPLAY, Reason.IDEMPOTENCY_MISMATCH, RefusalMatrixTest::withTheKeyOfAnother));
  }

  private static List<Case> elsewhere() {
    return List.of(
        after(null, Reason.REQUEST_MALFORMED, c -> send("GET /a b c HTTP/1.1\r\n\r\n")),
        after(null, Reason.HOST_UNKNOWN, c -> c.get(WALLETS).with("Host", "elsewhere").send()),
        after(Check.DIGEST, Reason.OVERLOADED, RefusalMatrixTest::withoutAPlace),
        after(Check.SIGNATURE, Reason.RATE_LIMITED, RefusalMatrixTest::tooOften),
        after(Check.SIGNATURE, Reason.NOT_FOUND, c -> c.get("/nowhere").send()),
        after(Check.SIGNATURE, Reason.METHOD_NOT_ALLOWED, c -> c.signed("DELETE", WALLETS).send()),
        after(
            Check.AUTHORIZATION, Reason.PARAMETER_INVALID, c -> c.get(WALLETS + "?size=0").send()),
        after(
            Check.AUTHORIZATION,
            Reason.PARAMETER_UNKNOWN,
            c -> c.get(WALLETS + "?pagesize=1").send()),
        after(
            Check.AUTHORIZATION,
            Reason.MEDIA_TYPE_UNSUPPORTED,
            c -> c.post(WALLETS, SAVINGS).with("Content-Type", "text/plain").send()),
        after(Check.AUTHORIZATION, Reason.BODY_INVALID, c -> c.post(WALLETS, "{}").send()),
        after(
            Check.AUTHORIZATION,
            Reason.POSSESSION_UNPROVEN,
            c -> c.post(SignedRotation.KEYS, SignedRotation.body(NEXT, 60)).send()),
        after(Check.REPLAY, Reason.ROTATION_PENDING, RefusalMatrixTest::rotatedTwice),
        after(Check.REPLAY, Reason.COLLECTION_UNAVAILABLE, RefusalMatrixTest::withoutItsTable),
        after(Check.REPLAY, Reason.INTERNAL_ERROR, RefusalMatrixTest::withAnUnreadableRecord));
  }

  // How the refusals are provoked

  private static TestRequest get(TestClient client) {
    return client.signed("GET", WALLETS);
  }

  private static TestRequest post(TestClient client) {
    return client.signed("POST", WALLETS, SAVINGS);
  }

  private static RawResponse send(String text) {
    return RawRequest.send(service.port(), text);
  }

  private static RawResponse relabelled(TestClient client) {
    RawRequest signed = client.get(WALLETS);
    return signed
        .with("Signature-Input", signed.header("Signature-Input").replaceFirst("sig", "other"))
        .with("Signature", signed.header("Signature").replaceFirst("sig", "other"))
        .send();
  }

  private static RawResponse disabled(TestClient client) {
    service.part(ClientStore.class).disable(client.clientId());
    service.awaitClients();
    return client.get(WALLETS).send();
  }

  private static RawResponse outsideItsScope(TestClient client) {
    service
        .part(ClientStore.class)
        .update(
            client.clientId(),
            new ClientUpdate(
                null,
                null,
                null,
                Map.of("currency", AttributeSetting.of(List.of("USD"))),
                Set.of(),
                null));
    service.awaitClients();
    return client.post(ACCOUNTS, SAVINGS).send();
  }

  private static RawResponse movedAway(TestClient client) {
    service
        .part(ClientStore.class)
        .update(client.clientId(), new ClientUpdate(null, List.of("203.0.113.7"), null, null));
    service.awaitClients();
    return client.get(WALLETS).send();
  }

  private static RawResponse withoutItsEnd(TestClient client) throws IOException {
    RawRequest request = client.post(WALLETS, SAVINGS).with("Expect", "100-continue");
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(request.text().replace(SAVINGS, ""));
      assertThat(connection.read().status()).as("the head was accepted").isEqualTo(100);
      WAITING_FOR_A_BODY.countDown();
      return connection.send(SAVINGS.substring(1)).read();
    }
  }

  /** The same request in one chunk, whose length is known only at its end. */
  private static RawResponse chunked(RawRequest request) {
    RawRequest head = request.without("Content-Length").with("Transfer-Encoding", "chunked");
    String text = head.text();
    String body = request.body();
    return send(
        text.substring(0, text.length() - body.length())
            + Integer.toHexString(body.length())
            + "\r\n"
            + body
            + "\r\n0\r\n\r\n");
  }

  /** While the clients cannot be read, the service knows what it knew an hour ago. */
  private static RawResponse withOldKnowledge(TestClient client) {
    rename("client_revision", "lost");
    try {
      service.part(MovableTicker.class).pass(Duration.ofHours(1));
      return client.get(WALLETS).send();
    } finally {
      rename("lost", "client_revision");
      service.awaitClients();
    }
  }

  private static RawResponse withAWrongClock(TestClient client) {
    NodeFitness fitness = service.part(NodeFitness.class);
    String fault = "the clock of this node is 700.0 s from most other nodes; try again";
    try {
      // A heartbeat of the service in between finds that the clock is right.
      return Awaitility.await()
          .pollDelay(Duration.ZERO)
          .until(
              () -> {
                fitness.setClockFault(fault);
                return client.get(WALLETS).send();
              },
              answer -> answer.status() != 200);
    } finally {
      fitness.setClockFault(null);
    }
  }

  private static RawResponse twice(TestClient client) {
    RawRequest request = client.post(WALLETS, SAVINGS);
    assertThat(request.send().status()).isEqualTo(201);
    return request.send();
  }

  /** Between the checks of its head and its claim, the body takes ten minutes. */
  private static RawResponse tooLateForItsClaim(TestClient client) throws IOException {
    RawRequest request = client.post(WALLETS, SAVINGS).with("Expect", "100-continue");
    MovableClock clock = service.part(MovableClock.class);
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(request.text().replace(SAVINGS, ""));
      assertThat(connection.read().status()).as("the head was accepted").isEqualTo(100);
      clock.setAhead(Duration.ofMinutes(10));
      return connection.send(SAVINGS).read();
    } finally {
      clock.setAhead(Duration.ZERO);
    }
  }

  private static RawRequest keyed(TestClient client, String body) {
    return client
        .signed("POST", WALLETS, body)
        .with("Idempotency-Key", client.clientId())
        .request();
  }

  /** While nothing can be written, the first of two requests waits and the second one does not. */
  private static RawResponse beforeTheFirstHasEnded(TestClient client) {
    RawRequest request = keyed(client, SAVINGS);
    BlockingQueue<RawResponse> answers = new LinkedBlockingQueue<>();
    try (TestThreads both = TestThreads.of(2)) {
      return service
          .part(Database.class)
          .write(
              sql -> {
                Runnable sending = () -> answers.add(request.send());
                both.execute(sending);
                both.execute(sending);
                RawResponse answer = next(answers);
                // On a slow machine, the first may give up before the second has arrived.
                while (answer.status() == 503) {
                  both.execute(sending);
                  answer = next(answers);
                }
                return answer;
              });
    }
  }

  private static RawResponse next(BlockingQueue<RawResponse> answers) {
    try {
      return Waits.forElement(answers);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RawResponse withTheKeyOfAnother(TestClient client) {
    assertThat(keyed(client, SAVINGS).send().status()).isEqualTo(201);
    return keyed(client, SAVINGS.replace("EUR", "USD")).send();
  }

  /** Both places for a verification are taken. */
  private static RawResponse withoutAPlace(TestClient client) {
    VerificationLimiter places = service.part(VerificationLimiter.class);
    return places.run(() -> places.run(() -> client.get(WALLETS).send()));
  }

  /** The threads send more than four in a second, even on a machine where each one takes long. */
  private static RawResponse tooOften(TestClient client) throws InterruptedException {
    RawRequest request = client.get(WALLETS);
    BlockingQueue<RawResponse> refused = new LinkedBlockingQueue<>();
    Runnable calls =
        () -> {
          while (refused.isEmpty()) {
            RawResponse answer = request.send();
            // Two of them may also be verified at the same time, and then others are overloaded.
            if (answer.status() == 429) {
              refused.add(answer);
            }
          }
        };
    try (TestThreads threads = TestThreads.of(CALLERS)) {
      for (int i = 0; i < CALLERS; i++) {
        threads.execute(calls);
      }
      return Waits.forElement(refused);
    }
  }

  private static RawResponse rotatedTwice(TestClient client) {
    assertThat(SignedRotation.of(client, NEXT, 600).send().status()).isEqualTo(201);
    return SignedRotation.of(client, OTHER, 60).send();
  }

  private static RawResponse withoutItsTable(TestClient client) {
    rename("wallets", "elsewhere");
    try {
      return client.get(WALLETS).send();
    } finally {
      rename("elsewhere", "wallets");
    }
  }

  private static RawResponse withAnUnreadableRecord(TestClient client) {
    run(
        "PRAGMA ignore_check_constraints = ON",
        "INSERT INTO wallets VALUES ('" + UUID.randomUUID() + "', 'n', 'EUR', 'ACTIVE', 'soon')");
    try {
      return client.get(WALLETS + "?size=100").send();
    } finally {
      run("DELETE FROM wallets WHERE created_at = 'soon'", "PRAGMA ignore_check_constraints = OFF");
    }
  }

  private static void run(String... statements) {
    for (String statement : statements) {
      service.part(Database.class).write(sql -> sql.sql(statement).update());
    }
  }

  private static void rename(String table, String other) {
    service
        .part(Database.class)
        .write(sql -> sql.sql("ALTER TABLE " + table + " RENAME TO " + other).update());
  }

  /** The lines of the request log, which are written after the responses. */
  private static final class LogLines extends AppenderBase<ILoggingEvent> {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("countersign.requests");

    private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

    static LogLines attach() {
      LogLines lines = new LogLines();
      lines.setContext(LOGGER.getLoggerContext());
      lines.start();
      LOGGER.setLevel(Level.INFO);
      LOGGER.setAdditive(false);
      LOGGER.addAppender(lines);
      return lines;
    }

    @Override
    protected void append(ILoggingEvent event) {
      events.add(event);
    }

    /** The members of the line about a request. */
    Map<String, String> line(String requestId) {
      return Awaitility.await()
          .until(
              () ->
                  events.stream()
                      .map(LogLines::members)
                      .filter(line -> requestId.equals(line.get("requestId")))
                      .findFirst(),
              Optional::isPresent)
          .orElseThrow();
    }

    private static Map<String, String> members(ILoggingEvent event) {
      return event.getKeyValuePairs().stream()
          .collect(Collectors.toMap(pair -> pair.key, pair -> String.valueOf(pair.value)));
    }

    @Override
    public void stop() {
      LOGGER.detachAppender(this);
      LOGGER.setAdditive(true);
      LOGGER.setLevel(null);
      super.stop();
    }
  }
}
