package dev.countersign.client.rotation;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageVerifier;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SignatureProfile;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.VerifiedSignature;
import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The endpoint that registers keys and verifies both signatures, as in docs/interface.md. It
 * answers any GET that a live key signed.
 */
final class FakeService implements AutoCloseable {
  private static final CryptoProvider CRYPTO = CryptoProvider.jdk();
  private static final SignatureProfile PROOF =
      PartnerProfile.nextKey(PartnerProfile.REQUEST.label());

  private static final Set<Behaviour> REGISTERING = Set.of(Behaviour.LOSE_ANSWER, Behaviour.COPIED);

  private final HttpServer server;
  private final Clock clock;

  /** Newest last; at most two are live. */
  final List<RSAPublicKey> live = new CopyOnWriteArrayList<>();

  final List<Long> created = new ArrayList<>();
  final List<String> paths = new ArrayList<>();
  final AtomicInteger requests = new AtomicInteger();
  private RSAPublicKey lastAsked;
  final List<Long> overlaps = new ArrayList<>();
  final Deque<Behaviour> behaviours = new ArrayDeque<>();

  FakeService(RSAPublicKey first, Clock clock) throws IOException {
    this.clock = clock;
    live.add(first);
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  /** The fate of the next request, instead of a normal response. */
  enum Behaviour {
    /** The connection is cut before the key is registered. */
    DROP,
    /** The key is registered, and the connection is cut before the response. */
    LOSE_ANSWER,
    BUSY,
    OVERLOADED,
    IN_PROGRESS,
    REPLAYED,
    /** The key is registered by a copy of the request, and this one is the replay. */
    COPIED,
    FORBIDDEN,
    CLOCK_BEHIND,
    CLOCK_AHEAD,
    CLIENT_OFF,
    BODY_LATE,
    /** A refusal by a proxy between client and service. */
    GATE_SHUT,
    WEAK,
    BROKEN,
    GARBLED,
    OTHER_KEY
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  String newest() {
    return fingerprint(live.get(live.size() - 1));
  }

  /** Ends the overlap. */
  synchronized void endOld() {
    live.subList(0, live.size() - 1).clear();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (exchange.getRequestMethod().equals("GET")) {
        send(exchange, list(message(exchange, body), body));
        return;
      }
      requests.incrementAndGet();
      paths.add(exchange.getRequestURI().toString());
      Behaviour behaviour = behaviours.isEmpty() ? null : behaviours.removeFirst();
      if (behaviour != Behaviour.DROP) {
        answer(exchange, body, behaviour);
      }
    }
  }

  private void answer(HttpExchange exchange, byte[] body, Behaviour behaviour) throws IOException {
    if (behaviour == null || REGISTERING.contains(behaviour)) {
      Answer answer = answer(message(exchange, body), body);
      if (behaviour == null) {
        send(exchange, answer);
      } else if (behaviour == Behaviour.COPIED) {
        send(exchange, problem(401, "replayed", null));
      }
      return;
    }
    switch (behaviour) {
      case BUSY -> send(exchange, problem(429, "rate_limited", "7"));
      case OVERLOADED -> send(exchange, problem(503, "overloaded", "1"));
      case IN_PROGRESS -> send(exchange, problem(409, "in_progress", "1"));
      case REPLAYED -> send(exchange, problem(401, "replayed", null));
      case FORBIDDEN -> {
        lastAsked = keyIn(body);
        send(exchange, problem(403, "role_missing", null));
      }
      case GATE_SHUT -> send(exchange, new Answer(403, "<html>", null));
      case CLOCK_BEHIND -> send(exchange, problem(401, "created_too_old", null));
      case CLOCK_AHEAD -> send(exchange, problem(401, "created_in_future", null));
      case CLIENT_OFF -> send(exchange, problem(401, "client_disabled", null));
      case BODY_LATE -> send(exchange, problem(408, "body_timeout", null));
      case WEAK -> send(exchange, problem(422, "body_invalid", null));
      case BROKEN -> send(exchange, problem(500, "internal_error", null));
      case GARBLED -> send(exchange, new Answer(201, "<html>", null));
      default ->
          send(
              exchange,
              new Answer(
                  201, "{\"fingerprint\":\"SHA256:other\\n" + "x".repeat(5000) + "\"}", null));
    }
  }

  private synchronized Answer list(RequestMessage message, byte[] body) {
    try {
      verify(PartnerProfile.REQUEST, live, message, body);
      return new Answer(200, "{}", null);
    } catch (VerificationException e) {
      return problem(401, "signature_mismatch", null);
    }
  }

  private synchronized Answer answer(RequestMessage message, byte[] body) {
    VerifiedSignature first;
    try {
      first = verify(PartnerProfile.REQUEST, live, message, body);
    } catch (VerificationException e) {
      return problem(401, "signature_mismatch", null);
    }
    created.add(first.parameters().created().orElseThrow());
    RSAPublicKey next = keyIn(body);
    try {
      VerifiedSignature proof = verify(PROOF, List.of(next), message, body);
      if (!proof.parameters().created().equals(first.parameters().created())) {
        return problem(422, "possession_unproven", null);
      }
    } catch (VerificationException e) {
      return problem(422, "possession_unproven", null);
    }
    overlaps.add(JsonMapper.shared().readTree(body).path("overlapSeconds").longValue());
    lastAsked = next;
    return register(next);
  }

  private static RSAPublicKey keyIn(byte[] body) {
    JsonNode asked = JsonMapper.shared().readTree(body);
    return RsaPublicKeys.read(asked.path("publicKey").stringValue(), CRYPTO);
  }

  /** Sends the last request again, as anybody who recorded it could. */
  synchronized void repeatLast() {
    register(lastAsked);
  }

  private Answer register(RSAPublicKey next) {
    boolean known = live.get(live.size() - 1).equals(next);
    if (!known && live.size() > 1) {
      return problem(409, "rotation_pending", "3600");
    }
    if (!known) {
      live.add(next);
    }
    Map<String, String> members = new LinkedHashMap<>();
    members.put("fingerprint", fingerprint(next));
    if (live.size() > 1) {
      members.put("previousFingerprint", fingerprint(live.get(0)));
      members.put("previousEndsAt", "2026-01-02T00:00:00Z");
    }
    return new Answer(known ? 200 : 201, JsonMapper.shared().writeValueAsString(members), null);
  }

  private VerifiedSignature verify(
      SignatureProfile profile, List<RSAPublicKey> keys, RequestMessage message, byte[] body) {
    List<VerificationKey> known =
        keys.stream()
            .map(key -> new VerificationKey(SignatureAlgorithm.RSA_V1_5_SHA256, key, CRYPTO))
            .toList();
    MessageVerifier verifier =
        new MessageVerifier(
            profile, keyid -> keyid.equals("c1") ? known : List.of(), clock, CRYPTO);
    return verifier.verify(message, body);
  }

  private RequestMessage message(HttpExchange exchange, byte[] body) {
    return new RequestMessage() {
      @Override
      public String method() {
        return exchange.getRequestMethod();
      }

      @Override
      public String targetUri() {
        return "http://" + exchange.getRequestHeaders().getFirst("Host") + exchange.getRequestURI();
      }

      @Override
      public List<String> fieldLines(String lowerCaseName) {
        return exchange.getRequestHeaders().getOrDefault(lowerCaseName, List.of());
      }

      @Override
      public BodyFraming bodyFraming() {
        return body.length == 0 ? BodyFraming.NONE : BodyFraming.PRESENT;
      }
    };
  }

  private static Answer problem(int status, String reason, String retryAfter) {
    String json = "{\"status\":%d,\"reason\":\"%s\",\"detail\":\"so it is\"}";
    return new Answer(status, String.format(Locale.ROOT, json, status, reason), retryAfter);
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
    String type = answer.status() < 300 ? "application/json" : "application/problem+json";
    exchange.getResponseHeaders().set("Content-Type", type);
    if (answer.retryAfter() != null) {
      exchange.getResponseHeaders().set("Retry-After", answer.retryAfter());
    }
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    exchange.getResponseBody().write(bytes);
  }

  private static String fingerprint(RSAPublicKey key) {
    return KeyFingerprint.of(key).value();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private record Answer(int status, String body, String retryAfter) {}
}
