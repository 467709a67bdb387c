package dev.countersign.client;

import dev.countersign.client.answers.Exchange;
import dev.countersign.client.keys.KeySource;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls a service as one client: every request signed (RFC 9421), repeated where that is safe, and
 * every refusal an exception that says why.
 *
 * <pre>{@code
 * CountersignClient client =
 *     CountersignClient.builder(
 *             URI.create("https://api.example.com"), "cl-7zk3m9q2x5w8d1tr61", key)
 *         .build();
 * for (Wallet wallet : client.list("/ledger/v1/wallets", Wallet.class).items()) { … }
 * }</pre>
 *
 * <p>A target is a path under the base URI, or an absolute address of the same origin; nothing that
 * is signed goes anywhere else. It may be used by many threads at once.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9421">RFC 9421</a>
 */
public final class CountersignClient {
  private static final String JSON_TYPE = "application/json";

  private final ServiceAddress service;
  private final String clientId;
  private final Sender sender;
  private final Json json;
  private final @Nullable Supplier<UUID> idempotencyKeys;

  private CountersignClient(Builder builder) {
    this.service = builder.service;
    this.clientId = builder.clientId;
    this.sender = builder.sender();
    this.json = new Json(builder.mapper);
    this.idempotencyKeys = builder.idempotencyKeys;
  }

  /**
   * A client to be.
   *
   * @param baseUri where the service is, {@code https://api.example.com}, perhaps with a path
   * @param clientId under which the public key is registered
   * @param key asked before each signature
   * @throws IllegalArgumentException when the base is no http or https address with a host, or has
   *     a query
   */
  public static Builder builder(URI baseUri, String clientId, KeySource key) {
    return new Builder(baseUri, clientId, key);
  }

  /**
   * Reads a resource.
   *
   * @throws CountersignException when it is refused, unanswered, or not of the type
   */
  public <T> T get(String target, Class<T> type) {
    return read(got(target), type);
  }

  /**
   * Reads a resource of a generic type.
   *
   * @throws CountersignException when it is refused, unanswered, or not of the type
   */
  public <T> T get(String target, TypeReference<T> type) {
    return read(got(target), type);
  }

  private Answer got(String target) {
    return succeeded(request(target).GET().build());
  }

  /**
   * Posts a body under an Idempotency-Key of its own, which is signed and lets the request be
   * repeated until it is answered: the service does it once. What is in the answer is left aside.
   *
   * @param body bytes and {@link HttpRequest.BodyPublisher}s are sent as they are, all else as JSON
   * @throws CountersignException when it is refused or unanswered; its {@link
   *     CountersignException#idempotencyKey()} is for another try later
   */
  public void post(String target, Object body) {
    Answer unused = posted(target, body, newIdempotencyKey());
  }

  /**
   * Posts a body as {@link #post(String, Object)} does, and reads the answer.
   *
   * @param type {@code Void} takes any answer, and is null
   * @throws CountersignException when it is refused, unanswered, or not of the type
   */
  public <T> T post(String target, Object body, Class<T> type) {
    return read(posted(target, body, newIdempotencyKey()), type);
  }

  /**
   * Posts a body as {@link #post(String, Object)} does, and reads an answer of a generic type.
   *
   * @throws CountersignException when it is refused, unanswered, or not of the type
   */
  public <T> T post(String target, Object body, TypeReference<T> type) {
    return read(posted(target, body, newIdempotencyKey()), type);
  }

  /**
   * Posts a body under a key of the caller's, such as that of a try of which nobody knows what
   * became, even by another process: the service does it once for each key.
   *
   * @param idempotencyKey 1 to 255 visible ASCII characters; with another body another one
   * @throws CountersignException when it is refused, unanswered, or not of the type
   */
  public <T> T post(String target, Object body, Class<T> type, String idempotencyKey) {
    return read(posted(target, body, idempotencyKey), type);
  }

  /**
   * Posts a body under a key of the caller's, and reads an answer of a generic type.
   *
   * @throws CountersignException when it is refused, unanswered, or not of the type
   */
  public <T> T post(String target, Object body, TypeReference<T> type, String idempotencyKey) {
    return read(posted(target, body, idempotencyKey), type);
  }

  private @Nullable String newIdempotencyKey() {
    return idempotencyKeys == null ? null : idempotencyKeys.get().toString();
  }

  private Answer posted(String target, Object body, @Nullable String idempotencyKey) {
    HttpRequest.Builder request = request(target).header("Content-Type", JSON_TYPE);
    if (idempotencyKey != null) {
      request.header("Idempotency-Key", idempotencyKey);
    }
    try {
      return succeeded(request.POST(json.body(body)).build());
    } catch (JacksonException e) {
      throw Attempt.withoutBody(
          request.POST(BodyPublishers.noBody()).build(),
          "the body cannot be written as JSON: " + e.getOriginalMessage(),
          e);
    }
  }

  private <T> T read(Answer answer, Class<T> type) {
    return json.read(answer, JsonType.of(type, json.mapper()));
  }

  private <T> T read(Answer answer, TypeReference<T> type) {
    return json.read(answer, JsonType.of(type, json.mapper()));
  }

  private HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(resolve(target)).header("Accept", JSON_TYPE);
  }

  private Answer succeeded(HttpRequest request) {
    Answer answer = sender.send(request);
    if (!answer.isSuccess()) {
      throw answer.refusal();
    }
    return answer;
  }

  /**
   * Sends a request, signed and repeated as the others, and returns the answer whatever its status.
   *
   * @throws CountersignException when there is no answer, or no signature of the request
   * @throws IllegalArgumentException when it is for another origin
   */
  public HttpResponse<byte[]> send(HttpRequest request) {
    service.requireOwn(request.uri());
    return sender.send(request).response();
  }

  /** A list to be walked, its records as they are. */
  public PageWalk<JsonNode> list(String target) {
    return list(target, JsonNode.class);
  }

  /**
   * A list to be walked.
   *
   * @param target may have a query of its own, which is kept; {@code page}, {@code size}, {@code
   *     offset} and {@code sort} in it are where the walk begins
   * @param type of a record
   * @throws IllegalArgumentException when it is of another origin, or says page, size or offset in
   *     a way that no service takes
   */
  public <T> PageWalk<T> list(String target, Class<T> type) {
    return PageWalk.of(
        new PageSource<>(sender, json, JsonType.of(type, json.mapper())), resolve(target));
  }

  /**
   * The address of a target: {@code /ledger/v1/wallets} under {@code https://api.example.com/eu} is
   * {@code https://api.example.com/eu/ledger/v1/wallets}.
   *
   * @throws IllegalArgumentException for an address of another origin, and for what is none
   */
  public URI resolve(String target) {
    return service.resolve(target);
  }

  /** Where the service is. */
  public URI baseUri() {
    return service.base();
  }

  /** The keyid of all signatures. */
  public String clientId() {
    return clientId;
  }

  /** How a client is made: what is not said is as the methods say. It is immutable. */
  public static final class Builder {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    private static final long MOST_BYTES = Integer.MAX_VALUE - 8L;

    private final ServiceAddress service;
    private final String clientId;
    private final KeySource key;
    private @Nullable HttpClient http;
    private Clock clock = Clock.systemUTC();
    private RetryPolicy policy = RetryPolicy.standard();
    private Duration timeout = Duration.ofSeconds(30);
    private long maximumAnswer = 64L << 20;
    private JsonMapper mapper = Json.exactMapper();
    private boolean correctsClock;
    private @Nullable Supplier<UUID> idempotencyKeys = UUID::randomUUID;
    private Waiting waiting = Waiting.really();

    private Builder(URI baseUri, String clientId, KeySource key) {
      this.service = new ServiceAddress(baseUri);
      this.clientId = Objects.requireNonNull(clientId, "clientId");
      this.key = Objects.requireNonNull(key, "key");
    }

    private Builder(Builder other) {
      this.service = other.service;
      this.clientId = other.clientId;
      this.key = other.key;
      this.http = other.http;
      this.clock = other.clock;
      this.policy = other.policy;
      this.timeout = other.timeout;
      this.maximumAnswer = other.maximumAnswer;
      this.mapper = other.mapper;
      this.correctsClock = other.correctsClock;
      this.idempotencyKeys = other.idempotencyKeys;
      this.waiting = other.waiting;
    }

    /**
     * With a client of the caller's: proxies, certificates, executors. Without it, one of its own.
     *
     * @throws IllegalArgumentException when it follows redirects by itself
     */
    public Builder withHttpClient(HttpClient client) {
      SigningHttpClient.requireNoRedirects(client);
      Builder copy = new Builder(this);
      copy.http = client;
      return copy;
    }

    /** With another clock than the system's. */
    public Builder withClock(Clock clock) {
      Builder copy = new Builder(this);
      copy.clock = Objects.requireNonNull(clock, "clock");
      return copy;
    }

    /** With another policy than {@link RetryPolicy#standard()}. */
    public Builder withRetries(RetryPolicy policy) {
      Builder copy = new Builder(this);
      copy.policy = Objects.requireNonNull(policy, "policy");
      return copy;
    }

    /**
     * With another time for the whole answer of each attempt, redirects included, than 30 s.
     *
     * @throws IllegalArgumentException when it is not positive
     */
    public Builder withTimeout(Duration timeout) {
      if (timeout.isNegative() || timeout.isZero()) {
        throw new IllegalArgumentException("a timeout must be positive, was " + timeout);
      }
      Builder copy = new Builder(this);
      copy.timeout = timeout;
      return copy;
    }

    /**
     * With another bound of an answer's body than 64 MiB; a problem document has 1 MiB at most.
     *
     * @param bytes 1 to 2147483639
     * @throws IllegalArgumentException when it is out of that range
     */
    public Builder withMaximumAnswer(long bytes) {
      if (bytes < 1 || bytes > MOST_BYTES) {
        throw new IllegalArgumentException(
            "the maximum must be 1 to " + MOST_BYTES + " bytes, was " + bytes);
      }
      Builder copy = new Builder(this);
      copy.maximumAnswer = bytes;
      return copy;
    }

    /**
     * With the caller's ways of reading and writing JSON. Without it numbers keep all their digits,
     * in trees and in maps too: {@code 1.10} is a {@code BigDecimal} and not 1.1.
     */
    public Builder withJsonMapper(JsonMapper mapper) {
      Builder copy = new Builder(this);
      copy.mapper = Objects.requireNonNull(mapper, "mapper");
      return copy;
    }

    /**
     * Signs by the service's clock once a refusal has shown that this machine's is wrong. What is
     * given up: whoever answers in the service's place may have requests signed for another time.
     */
    public Builder allowClockCorrection() {
      Builder copy = new Builder(this);
      copy.correctsClock = true;
      return copy;
    }

    /** Posts without an Idempotency-Key, and so once at most. */
    public Builder withoutIdempotencyKeys() {
      Builder copy = new Builder(this);
      copy.idempotencyKeys = null;
      return copy;
    }

    /** For tests, which do not wait. */
    Builder withWaiting(Waiting waiting) {
      Builder copy = new Builder(this);
      copy.waiting = waiting;
      return copy;
    }

    /** The client. */
    public CountersignClient build() {
      return new CountersignClient(this);
    }

    private Sender sender() {
      // Shorter than the time for an answer, so that the two are told apart.
      HttpClient client =
          http == null ? HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build() : http;
      RequestSigner signer = RequestSigner.of(clientId, key).withClock(clock);
      Attempt attempt = new Attempt(new Exchange(client, maximumAnswer), timeout);
      return new Sender(attempt, signer, policy, waiting, correctsClock);
    }
  }
}
