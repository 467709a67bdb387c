package dev.countersign.client;

import dev.countersign.client.answers.Exchange;
import dev.countersign.client.keys.KeySource;
import dev.countersign.protocol.BaseUrl;
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
 * Calls a service with one clientId. Signs every request (RFC 9421), and retries a request if that
 * is safe. If the service refuses a request, all methods except {@link #send} throw an exception
 * that gives the reason.
 *
 * <pre>{@code
 * CountersignClient client =
 *     CountersignClient.builder(
 *             URI.create("https://api.example.com"), "cl-7zk3m9q2x5w8d1tr61", key)
 *         .build();
 * for (Wallet wallet : client.list("/ledger/v1/wallets", Wallet.class).items()) { … }
 * }</pre>
 *
 * <p>A target is a path under the base URI, or an absolute address of the same origin, without a
 * fragment. Signed requests go to no other origin. Many threads can use a client at the same time.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9421">RFC 9421</a>
 */
public final class CountersignClient {
  private static final String JSON_TYPE = "application/json";

  private final BaseUrl service;
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
   * Starts building a client.
   *
   * @param baseUri address of the service, such as {@code https://api.example.com}, optionally with
   *     a path
   * @param clientId the clientId under which the public key is registered
   * @param key the source of the private key, called before each signature
   * @throws IllegalArgumentException when the base URI is not an http or https address with a host,
   *     or has a query
   */
  public static Builder builder(URI baseUri, String clientId, KeySource key) {
    return new Builder(baseUri, clientId, key);
  }

  /**
   * Reads a resource.
   *
   * @throws CountersignException when the request is refused or not answered, or the answer does
   *     not fit the type
   */
  public <T> T get(String target, Class<T> type) {
    return read(fetch(target), type);
  }

  /**
   * Reads a resource of a generic type.
   *
   * @throws CountersignException when the request is refused or not answered, or the answer does
   *     not fit the type
   */
  public <T> T get(String target, TypeReference<T> type) {
    return read(fetch(target), type);
  }

  private FinalResponse fetch(String target) {
    return sendAndRequireSuccess(request(target).GET().build());
  }

  /**
   * Posts a body under a new Idempotency-Key, and ignores the content of the answer. The signature
   * covers the Idempotency-Key. The client can safely repeat the request until the service answers,
   * because the service acts only once for each Idempotency-Key.
   *
   * @param body bytes and {@link HttpRequest.BodyPublisher}s are sent as they are, everything else
   *     as JSON; the Content-Type is always {@code application/json}
   * @throws CountersignException when the request is refused or not answered; to try again later,
   *     post the body under the {@link CountersignException#idempotencyKey()} of the exception
   */
  public void post(String target, Object body) {
    FinalResponse unused = sendPost(target, body, newIdempotencyKey());
  }

  /**
   * Posts a body like {@link #post(String, Object)}, and reads the answer.
   *
   * @param type the type of the answer; for {@code Void}, the content is ignored and null returned
   * @throws CountersignException when the request is refused or not answered, or the answer does
   *     not fit the type
   */
  public <T> T post(String target, Object body, Class<T> type) {
    return read(sendPost(target, body, newIdempotencyKey()), type);
  }

  /**
   * Posts a body like {@link #post(String, Object)}, and reads an answer of a generic type.
   *
   * @throws CountersignException when the request is refused or not answered, or the answer does
   *     not fit the type
   */
  public <T> T post(String target, Object body, TypeReference<T> type) {
    return read(sendPost(target, body, newIdempotencyKey()), type);
  }

  /**
   * Posts a body under the caller's Idempotency-Key. To repeat an attempt whose outcome is unknown,
   * use the key of that attempt, even if another process made it. The service acts only once for
   * each key.
   *
   * @param idempotencyKey 1 to 255 visible ASCII characters; a different body needs a different key
   * @throws CountersignException when the request is refused or not answered, or the answer does
   *     not fit the type
   */
  public <T> T post(String target, Object body, Class<T> type, String idempotencyKey) {
    return read(sendPost(target, body, idempotencyKey), type);
  }

  /**
   * Posts a body under the caller's Idempotency-Key, and reads an answer of a generic type.
   *
   * @throws CountersignException when the request is refused or not answered, or the answer does
   *     not fit the type
   */
  public <T> T post(String target, Object body, TypeReference<T> type, String idempotencyKey) {
    return read(sendPost(target, body, idempotencyKey), type);
  }

  private @Nullable String newIdempotencyKey() {
    return idempotencyKeys == null ? null : idempotencyKeys.get().toString();
  }

  private FinalResponse sendPost(String target, Object body, @Nullable String idempotencyKey) {
    HttpRequest.Builder request = request(target).header("Content-Type", JSON_TYPE);
    if (idempotencyKey != null) {
      request.header("Idempotency-Key", idempotencyKey);
    }
    try {
      return sendAndRequireSuccess(request.POST(json.body(body)).build());
    } catch (JacksonException e) {
      throw HttpAttempt.withoutBody(
          request.POST(BodyPublishers.noBody()).build(),
          "the body cannot be written as JSON: " + e.getOriginalMessage(),
          e);
    }
  }

  private <T> T read(FinalResponse answer, Class<T> type) {
    return json.read(answer, Json.Type.of(type, json.mapper()));
  }

  private <T> T read(FinalResponse answer, TypeReference<T> type) {
    return json.read(answer, Json.Type.of(type, json.mapper()));
  }

  private HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(resolve(target)).header("Accept", JSON_TYPE);
  }

  private FinalResponse sendAndRequireSuccess(HttpRequest request) {
    FinalResponse answer = sender.send(request);
    if (!answer.isSuccess()) {
      throw answer.refusal();
    }
    return answer;
  }

  /**
   * Sends a request, signed and retried like all others, and returns the answer whatever its
   * status.
   *
   * @throws CountersignException when there is no answer, or the request cannot be signed
   * @throws IllegalArgumentException when the request is for another origin
   */
  public HttpResponse<byte[]> send(HttpRequest request) {
    service.requireSameOrigin(request.uri());
    return sender.send(request).response();
  }

  /** Returns a walk over a list, with each record as a JSON tree. */
  public PageWalk<JsonNode> list(String target) {
    return list(target, JsonNode.class);
  }

  /**
   * Returns a walk over a list.
   *
   * @param target may have a query. Its {@code page}, {@code size}, {@code offset}, {@code after},
   *     {@code sort} and {@code totals} set the start, the page size, the order and the totals of
   *     the walk; other parameters are kept
   * @param type the type of a record
   * @throws IllegalArgumentException when the target has another origin, a fragment or an invalid
   *     paging parameter
   */
  public <T> PageWalk<T> list(String target, Class<T> type) {
    return PageWalk.of(
        new PageSource<>(sender, json, Json.Type.of(type, json.mapper())), resolve(target));
  }

  /**
   * Resolves a target: {@code /ledger/v1/wallets} under {@code https://api.example.com/eu} is
   * {@code https://api.example.com/eu/ledger/v1/wallets}.
   *
   * @throws IllegalArgumentException for an address with another origin or a fragment, and for text
   *     that is not an address
   */
  public URI resolve(String target) {
    return service.resolve(target);
  }

  /** The address of the service. */
  public URI baseUri() {
    return service.uri();
  }

  /** The keyid of all signatures. */
  public String clientId() {
    return clientId;
  }

  /**
   * Options of a client. Options that are not set keep the documented defaults. A builder is
   * immutable: each method returns a changed copy.
   */
  public static final class Builder {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
    // Some Java virtual machines cannot create a larger array.
    private static final long MAX_ANSWER_SIZE = Integer.MAX_VALUE - 8L;

    private final BaseUrl service;
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
    private RetryTiming retryTiming = RetryTiming.system();

    private Builder(URI baseUri, String clientId, KeySource key) {
      this.service = new BaseUrl(baseUri);
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
      this.retryTiming = other.retryTiming;
    }

    /**
     * Uses this HTTP client, for example to set proxies, certificates or executors. By default, a
     * new HTTP client is created.
     *
     * @throws IllegalArgumentException when the client follows redirects by itself
     */
    public Builder withHttpClient(HttpClient client) {
      SigningHttpClient.requireNoRedirects(client);
      Builder copy = new Builder(this);
      copy.http = client;
      return copy;
    }

    /** Uses this clock. Default: the system clock. */
    public Builder withClock(Clock clock) {
      Builder copy = new Builder(this);
      copy.clock = Objects.requireNonNull(clock, "clock");
      return copy;
    }

    /** Uses this retry policy. Default: {@link RetryPolicy#standard()}. */
    public Builder withRetries(RetryPolicy policy) {
      Builder copy = new Builder(this);
      copy.policy = Objects.requireNonNull(policy, "policy");
      return copy;
    }

    /**
     * Limits the time of each attempt, from its start to the end of the answer, including all
     * redirects. Default: 30 s.
     *
     * @throws IllegalArgumentException when the timeout is not positive
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
     * Limits the size of an answer's body. Default: 64 MiB. For a problem document the limit is at
     * most 1 MiB.
     *
     * @param bytes 1 to 2147483639
     * @throws IllegalArgumentException when the limit is out of that range
     */
    public Builder withMaximumAnswer(long bytes) {
      if (bytes < 1 || bytes > MAX_ANSWER_SIZE) {
        throw new IllegalArgumentException(
            "the maximum must be 1 to " + MAX_ANSWER_SIZE + " bytes, was " + bytes);
      }
      Builder copy = new Builder(this);
      copy.maximumAnswer = bytes;
      return copy;
    }

    /**
     * Reads and writes JSON with this mapper. The default mapper keeps all digits of numbers, even
     * in trees and maps: it reads {@code 1.10} as the {@code BigDecimal} 1.10 and not as 1.1.
     */
    public Builder withJsonMapper(JsonMapper mapper) {
      Builder copy = new Builder(this);
      copy.mapper = Objects.requireNonNull(mapper, "mapper");
      return copy;
    }

    /**
     * Signs with the time of the service's clock after a refusal has shown that this machine's
     * clock is wrong. The risk: anyone who can answer instead of the service can make this client
     * sign requests for another time.
     */
    public Builder allowClockCorrection() {
      Builder copy = new Builder(this);
      copy.correctsClock = true;
      return copy;
    }

    /** Posts without an Idempotency-Key, and therefore at most once. */
    public Builder withoutIdempotencyKeys() {
      Builder copy = new Builder(this);
      copy.idempotencyKeys = null;
      return copy;
    }

    /** Replaces the waits between attempts, for tests. */
    Builder withRetryTiming(RetryTiming retryTiming) {
      Builder copy = new Builder(this);
      copy.retryTiming = retryTiming;
      return copy;
    }

    /** Builds the client. */
    public CountersignClient build() {
      return new CountersignClient(this);
    }

    private Sender sender() {
      // The connect timeout is shorter than the timeout for an answer, so that the two failures can
      // be distinguished.
      HttpClient client =
          http == null ? HttpClient.newBuilder().connectTimeout(CONNECT_TIMEOUT).build() : http;
      RequestSigner signer = RequestSigner.of(clientId, key).withClock(clock);
      HttpAttempt httpAttempt = new HttpAttempt(new Exchange(client, maximumAnswer), timeout);
      return new Sender(httpAttempt, signer, policy, retryTiming, correctsClock);
    }
  }
}
