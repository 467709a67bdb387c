package dev.countersign.protocol;

import dev.countersign.signatures.base.VerificationFailure;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * The reasons for which a request is refused, each with one word that is the same in problem
 * documents, logs and metrics.
 *
 * <p>The word of {@link #SIGNATURE_MISSING} is {@code signature_missing}, and so on. Each reason
 * has one HTTP status, a title that does not vary with the request (RFC 9457 section 3.1.3), and
 * advice for the caller and for the operator of the service.
 */
public enum Reason {
  SIGNATURE_MISSING(
      401,
      "The request is not signed",
      "something between here and the service drops Signature-Input or Signature: look for"
          + " a proxy that removes headers it does not know",
      "Send both Signature-Input and Signature; if the caller does, a proxy on the way"
          + " drops them."),
  SIGNATURE_MALFORMED(
      401,
      "The signature fields cannot be read",
      "something on the way rewrites Signature-Input or Signature: look for a proxy",
      "Write Signature-Input and Signature as RFC 9421 section 4 has them; the detail says"
          + " where they cannot be read."),
  LABEL_MISSING(
      401,
      "No signature has the expected label",
      "something on the way replaces the signature by its own: look for a proxy",
      "Write the same label in both fields, as in sig=(…) and sig=:…:; it is sig unless"
          + " access.label is any."),
  COMPONENTS_WRONG(
      401,
      "The signature covers other components than required",
      "a header was added or dropped on the way (Content-Digest, Idempotency-Key), so that"
          + " other components have to be covered: look for a proxy, and compare expected with"
          + " received",
      "Sign exactly the components that are expected, in their order; the record holds both lists."),
  PARAMETERS_WRONG(
      401,
      "The signature parameters are not those required",
      "something on the way rewrites Signature-Input: look for a proxy",
      "Send created, keyid and alg as signature parameters; the detail names the one that is"
          + " wrong."),
  ALGORITHM_WRONG(
      401,
      "The algorithm is not that of the registered key",
      "the registered key is for another algorithm: register an RSA key",
      "Sign with RSA PKCS#1 v1.5 and SHA-256, and say alg=\"rsa-v1_5-sha256\"."),
  CLIENT_UNKNOWN(
      401,
      "No client has this clientId",
      "the clientId is not registered at this service: copy it again, and check that the"
          + " base URL is that of the service which gave it out (test and live differ)",
      "Look the clientId up under API Keys: the caller may use that of another"
          + " installation, or of a client that was removed."),
  CLIENT_MISTYPED(
      401,
      "The clientId is mistyped",
      "the clientId is mistyped, its check digits do not fit: copy it again",
      "Let the caller copy the clientId again: its check digits do not fit, so it was"
          + " mistyped."),
  CLIENT_DISABLED(
      401,
      "The client is disabled",
      "the operator has switched this client off: ask them to enable it",
      "Enable the client under API Keys if it should be let in again."),
  CREATED_TOO_OLD(
      401,
      "The signature is too old",
      "this machine's clock is slow, or the request waited on its way: set the clock by NTP",
      "Let the caller set its clock by NTP and sign each request just before it is sent,"
          + " also when it tries again."),
  CREATED_IN_FUTURE(
      401,
      "The signature was made in the future",
      "this machine's clock is fast: set it by NTP",
      "Let the caller set its clock by NTP; created is Unix time in seconds, not in"
          + " milliseconds."),
  EXPIRED(
      401,
      "The signature has expired",
      "the signature ended before it arrived: set the clock by NTP and sign anew",
      "Let the caller leave expires out or set it later, and sign again for each attempt."),
  DATE_MISSING(
      401,
      "The Date header is missing",
      "something on the way drops Date: look for a proxy or gateway that does",
      "Let the caller set Date itself and cover it: some HTTP libraries add it only after"
          + " signing, or not at all."),
  DATE_MALFORMED(
      401,
      "The Date header cannot be read",
      "something on the way adds or rewrites Date: have it pass Date on unchanged",
      "Send Date as in Tue, 05 Mar 2024 07:08:09 GMT: in English, and in GMT."),
  DATE_MISMATCH(
      401,
      "Date and created are not the same instant",
      "Date was set to another second on the way: have the proxy pass Date on unchanged",
      "Read the clock once, and take Date and created from that one instant."),
  DIGEST_MISSING(
      401,
      "The body has no Content-Digest",
      "something on the way drops Content-Digest: look for a proxy that does",
      "Send Content-Digest with every request that has a body, and cover it."),
  DIGEST_MALFORMED(
      401,
      "The Content-Digest header cannot be used",
      "something on the way rewrites Content-Digest: look for a proxy",
      "Send Content-Digest as sha-256=:…: with the base64 between colons."),
  DIGEST_UNEXPECTED(
      401,
      "A Content-Digest came without a body",
      "the body was lost on the way: look for a redirect or a proxy that drops it",
      "Leave Content-Digest out where there is no body; if there was one, it was lost on"
          + " the way, as in a redirect."),
  DIGEST_MISMATCH(
      401,
      "The body is not the one that was signed",
      "the body was changed on the way, after it was hashed: look for a proxy that"
          + " rewrites, converts or compresses bodies",
      "Bodies are not kept, so compare on your own: let the caller store the very bytes"
          + " that it sends, take openssl dgst -sha256 -binary body | base64 of them and hold it"
          + " against the Content-Digest that it sent; what differs was changed after it was"
          + " hashed."),
  SIGNATURE_MISMATCH(
      401,
      "The signature does not verify",
      "the signature does not verify: the URL, Date or digest was changed on the way, or"
          + " the registered public key belongs to another private key",
      "Compare the caller's signature base with the one that the service built: equal"
          + " texts mean that the private key is not the other half of any registered public key"
          + " that was live."),
  REPLAYED(
      401,
      "The request was taken before",
      "the request arrived twice: look for a proxy that repeats requests",
      "Sign each attempt anew; to retry a write safely, or to send two equal ones within a"
          + " second, give each an Idempotency-Key of its own and cover it."),
  ADDRESS_NOT_ALLOWED(
      403,
      "The address is not on the client's network whitelist",
      "the address you call from is not on the network whitelist: have the operator add the"
          + " one that the service names",
      "If the address is the caller's, add it to the client's network whitelist; if it is"
          + " that of your own proxy, name the proxy in access.trusted-proxies."),
  ROLE_MISSING(
      403,
      "The client's roles do not allow this",
      "the signature is right, but no role of this client allows the call: ask the operator"
          + " for a role with the permission",
      "Assign the client a role that has the permission that the detail names."),
  REQUEST_MALFORMED(
      400,
      "The request is malformed",
      "the request breaks HTTP or is too long: see what the service says",
      "It is no HTTP request that the service can read; the caller's library or a proxy"
          + " wrote it wrongly, or its header is too large."),
  PARAMETER_INVALID(
      400,
      "A query parameter is invalid",
      "the signature is right, but a query parameter breaks its rule: mend it",
      "Send the query parameter within the bounds that the detail names."),
  PARAMETER_UNKNOWN(
      400,
      "A query parameter is unknown",
      "the signature is right, but a query parameter is unknown: check its spelling",
      "Send only page, size, sort and offset; a mistyped name is refused so that it cannot"
          + " be overlooked."),
  NOT_FOUND(
      404,
      "Nothing is here",
      "the signature is right, but nothing is at this URL: check the path, which has no"
          + " trailing slash",
      "Compare the path with those under Listings: a slash at its end makes it another one."),
  METHOD_NOT_ALLOWED(
      405,
      "The method is not allowed here",
      "the signature is right, but the URL does not take this method",
      "Use a method that the listing has; creating must be switched on for it."),
  BODY_TIMEOUT(
      408,
      "The body did not arrive in time",
      "the body did not arrive in time: try again, the connection may be slow",
      "Send the whole body at once, and as long as Content-Length says; the connection may"
          + " be too slow."),
  IN_PROGRESS(
      409,
      "A request with this Idempotency-Key is still running",
      "a request with this Idempotency-Key still runs: wait and try again",
      "Wait for the first request with this Idempotency-Key before trying again."),
  ROTATION_PENDING(
      409,
      "The client has two live keys",
      "two keys of this client are live already: wait until the older one has ended",
      "Wait until the older of the client's two keys has ended, or end it under API Keys if"
          + " the caller no longer signs with it."),
  BODY_TOO_LARGE(
      413,
      "The body is too large",
      "the body is larger than the service takes: send less",
      "Send a smaller body, or split it over several requests."),
  MEDIA_TYPE_UNSUPPORTED(
      415,
      "The body's type or encoding is not supported",
      "the body must be application/json in UTF-8 without Content-Encoding: set"
          + " Content-Type so",
      "Send JSON as application/json, in UTF-8 and without Content-Encoding."),
  HOST_UNKNOWN(
      421,
      "The service is not reached under this host",
      "the service does not answer under this host: use the base URL that the operator gave"
          + " you, or have the proxy pass Host on unchanged",
      "Call the service by one of its public URLs, and let proxies pass Host on unchanged;"
          + " a URL that is missing goes into public-urls."),
  BODY_INVALID(
      422,
      "The body is invalid",
      "the signature is right, but the JSON breaks a rule: see what the service says",
      "The caller was told what is wrong with its body; it is not kept here, because it"
          + " would quote the body."),
  IDEMPOTENCY_MISMATCH(
      422,
      "The Idempotency-Key belongs to another request",
      "this Idempotency-Key belongs to another request: use a new key for a new request",
      "Use a new Idempotency-Key for each new content; the same key means the same request."),
  POSSESSION_UNPROVEN(
      422,
      "Nothing shows that the caller holds the new key",
      "the new key's own signature sig-next is missing or wrong: sign the rotation with"
          + " both keys",
      "Let the caller sign the request with its new private key as well, under the label"
          + " sig-next; the detail says what is wrong with that signature."),
  RATE_LIMITED(
      429,
      "Too many requests",
      "the signature is right, but you call too often: wait as Retry-After says",
      "Let the caller wait as long as Retry-After says, or raise the client's rate limit."),
  /** A defect of the service; no input should cause it. */
  INTERNAL_ERROR(
      500,
      "The service failed",
      "the service failed, not your request: tell the operator the request id",
      "This is a defect of the service: look for the request id in its log, and report it."),
  OVERLOADED(
      503,
      "The service is busy",
      "the service is busy: wait as Retry-After says and try again",
      "Let the caller try again after Retry-After; if it comes often, the service needs"
          + " more processors or another node.");

  private final int status;
  private final String title;
  private final String adviceToCaller;
  private final String adviceToOperator;
  private final String word = name().toLowerCase(Locale.ROOT);

  Reason(int status, String title, String adviceToCaller, String adviceToOperator) {
    this.status = status;
    this.title = title;
    this.adviceToCaller = adviceToCaller;
    this.adviceToOperator = adviceToOperator;
  }

  /** The reason for refusing a signature that the library did not accept. */
  public static Reason of(VerificationFailure failure) {
    return switch (failure) {
      case KEY_UNKNOWN -> CLIENT_UNKNOWN;
      case NONCE_USED -> REPLAYED;
      case SIGNATURE_AMBIGUOUS -> SIGNATURE_MALFORMED;
      default -> valueOf(failure.name());
    };
  }

  /** The reason with this word; empty for a word from a newer release. */
  public static Optional<Reason> ofWord(String word) {
    return Arrays.stream(values()).filter(reason -> reason.word.equals(word)).findFirst();
  }

  /** The HTTP status code, 400 to 503. */
  public int status() {
    return status;
  }

  /** A short summary that does not depend on the request. */
  public String title() {
    return title;
  }

  /** The stable word, such as {@code signature_mismatch}. */
  public String word() {
    return word;
  }

  /**
   * Advice for a caller whose request was signed by our own signer: the probable cause and the fix,
   * on one line without a full stop.
   */
  public String adviceToCaller() {
    return adviceToCaller;
  }

  /** Advice for the operator, one sentence. */
  public String adviceToOperator() {
    return adviceToOperator;
  }
}
