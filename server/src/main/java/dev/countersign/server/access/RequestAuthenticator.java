package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.ClientId;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.signatures.ClaimedSignature;
import dev.countersign.signatures.FreshSignature;
import dev.countersign.signatures.ReceivedSignature;
import dev.countersign.signatures.SignatureProfile;
import dev.countersign.signatures.VerifiableSignature;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.VerifiedHead;
import dev.countersign.signatures.VerifiedSignature;
import dev.countersign.signatures.keys.CryptoProvider;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Authenticates a request and returns it as a {@link SignedRequest}. Runs all checks up to {@link
 * Check#BODY}, the cheapest first. The first failure ends the request.
 *
 * <p>A request goes through these states, each reached by one check or step:
 *
 * <ol>
 *   <li>received: the engine has read its head. The caller's address and the target URI are
 *       determined, behind a trusted proxy from its forwarding headers.
 *   <li>{@link Check#FIELDS}: {@link ClaimedSignature}. The signature fields can be parsed. From
 *       here on, the log names the client that the request claims to be from.
 *   <li>{@link Check#PROFILE}: {@link ReceivedSignature}. The components, parameters and algorithm
 *       are those of the profile.
 *   <li>{@link Check#CLIENT}: {@link RegisteredClient}. What this node knows of the clients is not
 *       too old, and the client is registered and enabled.
 *   <li>{@link Check#ADDRESS}: the network whitelist contains the address.
 *   <li>{@link Check#TIME}: {@link FreshSignature}.
 *   <li>{@link Check#DIGEST}: {@link VerifiableSignature}. The fields that announce the body are
 *       sound.
 *   <li>{@link LoadShedder} and {@link VerificationLimiter}: the request may use a processor.
 *   <li>{@link Check#SIGNATURE}: {@link VerifiedHead}. One of the client's live keys has signed.
 *       From here on, the sender is known, and {@link RateLimiter} counts the request.
 *   <li>The {@link Operation} is found and authorizes the client: {@link Check#AUTHORIZATION}
 *       except for the part that needs the body.
 *   <li>{@link Check#BODY}: {@link VerifiedSignature}. The body has arrived and matches its digest.
 *   <li>A client that was changed meanwhile passes {@link Check#CLIENT}, {@link Check#ADDRESS}, the
 *       key of {@link Check#SIGNATURE} and {@link Check#AUTHORIZATION} again.
 *   <li>{@link SignedRequest}: returned. The operation performs the rest of {@link
 *       Check#AUTHORIZATION}, and {@link Check#REPLAY} ({@code ReplayGuard}).
 * </ol>
 */
public final class RequestAuthenticator {
  private final SignatureProfile profile;
  private final ClientDirectory clients;
  private final NodeFitness fitness;
  private final TrustedProxies trustedProxies;
  private final PublicUrls publicUrls;
  private final BodyReader bodies;
  private final RateLimiter rateLimiter;
  private final VerificationLimiter verificationLimiter;
  private final LoadShedder loadShedder;
  private final CryptoProvider crypto;
  private final Clock clock;

  RequestAuthenticator(
      AccessProperties access,
      TrustedProxies trustedProxies,
      PublicUrls publicUrls,
      ClientDirectory clients,
      NodeFitness fitness,
      CryptoProvider crypto,
      Clock clock) {
    this.profile = access.profile();
    this.clients = clients;
    this.fitness = fitness;
    this.trustedProxies = trustedProxies;
    this.publicUrls = publicUrls;
    this.bodies = new BodyReader(access.bodyLimit().toBytes(), access.bodyTimeout());
    this.rateLimiter = new RateLimiter(access.rateLimit(), System::nanoTime);
    this.verificationLimiter = new VerificationLimiter(access.maximumVerifications());
    this.loadShedder =
        new LoadShedder(
            access.maximumWaiting(), Runtime.getRuntime().availableProcessors(), System::nanoTime);
    this.crypto = crypto;
    this.clock = clock;
  }

  /**
   * Returns the limiter of {@link Check#SIGNATURE}. Code that verifies further signatures uses the
   * same limiter.
   */
  VerificationLimiter verifications() {
    return verificationLimiter;
  }

  /** Returns the shedder that counts the requests that wait in front of this authenticator. */
  LoadShedder loadShedder() {
    return loadShedder;
  }

  /** Returns the memory that the bodies of all requests take, in bytes. */
  long bodyMemory() {
    return bodies.memory();
  }

  /**
   * Authenticates a request.
   *
   * @param finder finds the operation that the request asks for
   * @throws DeniedException for the first check that fails
   */
  public SignedRequest authenticate(HttpServletRequest request, Supplier<Operation> finder) {
    InetAddress address = trustedProxies.addressOf(request);
    RequestFacts facts = RequestFacts.of(request);
    facts.noteAddress(address);
    ServletMessage message = new ServletMessage(request, targetUri(request));

    ClaimedSignature claimed = facts.enter(Check.FIELDS, () -> profile.read(message));
    long registryAsOf = fitness.asOf();
    Optional<RegisteredClient> named = claimed.keyid().flatMap(clients::find);
    named.ifPresent(client -> facts.noteNamed(client, address));
    ReceivedSignature received = facts.enter(Check.PROFILE, claimed::checkProfile);
    RegisteredClient client = facts.enter(Check.CLIENT, () -> checkClient(named, received));
    facts.enter(Check.ADDRESS, () -> client.requireAllowed(address));
    Instant now = clock.instant();
    // The rules of created, expires and Date are in TimeWindow, in the module signatures.
    FreshSignature fresh = facts.enter(Check.TIME, () -> checkTime(received, now));
    VerifiableSignature verifiable = facts.enter(Check.DIGEST, () -> checkDigest(fresh, request));
    VerifiedHead head =
        loadShedder.verify(
            client.clientId(),
            address,
            () ->
                verificationLimiter.run(
                    () -> facts.enter(Check.SIGNATURE, () -> verify(verifiable, client, now))));
    RegisteredClient.Key key = keyOf(head, client);
    facts.noteVerified(key);
    rateLimiter.count(client.clientId());
    CallingClient caller =
        new CallingClient(
            client,
            address,
            key.fingerprint(),
            facts,
            () ->
                fitness.requireFresh(
                    registryAsOf, () -> clients.find(client.clientId()).equals(named)));
    Operation operation = finder.get();
    operation.authorize(caller);
    SignedRequest signed =
        facts.enter(Check.BODY, () -> checkBody(request, message, caller, head, operation));
    return signed.withClient(recheckIfChanged(caller, client, operation));
  }

  /** Performs {@link Check#BODY}. */
  private SignedRequest checkBody(
      HttpServletRequest request,
      ServletMessage message,
      CallingClient caller,
      VerifiedHead head,
      Operation operation) {
    byte[] body = bodies.read(request, caller.clientId());
    VerifiedSignature verified = head.verifyBody(body, crypto);
    Instant acceptedUntil = profile.endOf(created(verified));
    return new SignedRequest(caller, message, verified, acceptedUntil, body, operation);
  }

  /**
   * Repeats the checks of the client if it was changed while the body arrived, so that nothing runs
   * for a client that has been disabled in the meantime.
   */
  private CallingClient recheckIfChanged(
      CallingClient caller, RegisteredClient authenticated, Operation operation) {
    Optional<RegisteredClient> current = clients.find(authenticated.clientId());
    if (current.filter(authenticated::equals).isPresent()) {
      return caller;
    }
    CallingClient rechecked = caller.requireUnchanged(current, clock.instant());
    operation.authorize(rechecked);
    return rechecked;
  }

  private String targetUri(HttpServletRequest request) {
    String host = request.getHeader("Host");
    // RFC 9110 section 4.2.1: a URI with an empty host is invalid.
    if (host == null || host.isEmpty()) {
      throw new DeniedException(Reason.REQUEST_MALFORMED, "the request has no Host header");
    }
    return publicUrls.targetUri(
        () -> trustedProxies.schemeOf(request), host, ServletMessage.rawTarget(request));
  }

  /** Performs {@link Check#CLIENT}. */
  private RegisteredClient checkClient(
      Optional<RegisteredClient> named, ReceivedSignature received) {
    fitness.requireFresh();
    RegisteredClient client =
        named.orElseThrow(() -> unknown(received.parameters().keyid().orElseThrow()));
    client.requireEnabled();
    return client;
  }

  /** Performs {@link Check#TIME}. */
  private FreshSignature checkTime(ReceivedSignature received, Instant now) {
    fitness.requireClock();
    return received.checkTime(now);
  }

  private static DeniedException unknown(String keyid) {
    if (ClientId.isMistyped(keyid)) {
      return new DeniedException(
          Reason.CLIENT_MISTYPED,
          "keyid is not a clientId of this service: its check digits are wrong; copy it again");
    }
    return new DeniedException(
        Reason.CLIENT_UNKNOWN,
        "no client has this keyid; it must match exactly, without extra quotes or blanks");
  }

  /** Performs {@link Check#DIGEST} on the fields of the request, before the body is read. */
  private VerifiableSignature checkDigest(FreshSignature fresh, HttpServletRequest request) {
    VerifiableSignature verifiable = fresh.checkDigest();
    bodies.checkLength(request);
    // A digest covers the bytes on the wire. A decoded body would have different bytes.
    if (request.getHeader("Content-Encoding") != null) {
      throw new DeniedException(
          Reason.MEDIA_TYPE_UNSUPPORTED, "send the body without a Content-Encoding");
    }
    return verifiable;
  }

  /** Performs {@link Check#SIGNATURE}. */
  private static VerifiedHead verify(
      VerifiableSignature verifiable, RegisteredClient client, Instant now) {
    List<VerificationKey> keys = liveKeys(client, now);
    if (keys.isEmpty()) {
      throw new DeniedException(
          Reason.SIGNATURE_MISMATCH,
          "every registered key of this client has ended; have a new one registered");
    }
    return verifiable.verify(keys);
  }

  private static RegisteredClient.Key keyOf(VerifiedHead head, RegisteredClient client) {
    return client.keys().stream()
        .filter(key -> key.verificationKey().equals(head.key()))
        .findFirst()
        .orElseThrow();
  }

  private static List<VerificationKey> liveKeys(RegisteredClient client, Instant now) {
    return client.keys().stream()
        .filter(key -> key.isLiveAt(now))
        .map(RegisteredClient.Key::verificationKey)
        .toList();
  }

  private static Instant created(VerifiedSignature verified) {
    return Instant.ofEpochSecond(verified.parameters().created().orElseThrow());
  }

  /** Returns the Accept-Signature header for a refusal of this request. */
  public String acceptSignature(HttpServletRequest request) {
    return profile.acceptSignature(new ServletMessage(request, request.getRequestURI()));
  }
}
