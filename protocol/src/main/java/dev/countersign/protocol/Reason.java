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
 *
 * <p>A refusal carries the {@link Check} that was running, so a reason is not tied to one check.
 * The module {@code signatures} decides the reasons of {@link Check#TIME} ({@code created_*},
 * {@code expired}, {@code date_*}) in {@code TimeWindow}, and those about digests in {@code
 * ExpectedBody}. The failures in that module have the same names as the reasons here.
 */
public enum Reason {
  SIGNATURE_MISSING(
      401,
      "The request is not signed",
      "Signature-Input or Signature was removed on the way: look for a proxy that removes unknown"
          + " headers",
      "Send both Signature-Input and Signature; if the caller sends them, a proxy on the way"
          + " removes them."),
  SIGNATURE_MALFORMED(
      401,
      "The signature fields cannot be read",
      "Signature-Input or Signature was changed on the way: look for a proxy that rewrites headers",
      "Write Signature-Input and Signature as RFC 9421 section 4 specifies; the detail gives the"
          + " position of the error, or says that the signature is empty."),
  LABEL_MISSING(
      401,
      "No signature has the expected label",
      "the signature was replaced on the way: look for a proxy that signs requests itself",
      "Use the same label in both fields, as in sig=(…) and sig=:…:; it must be sig unless"
          + " access.label is any."),
  COMPONENTS_WRONG(
      401,
      "The signature does not cover the required components",
      "a header was added or removed on the way (Content-Digest, Idempotency-Key), so that other"
          + " components must be covered: look for a proxy, and compare the expected components"
          + " with the received ones",
      "Sign exactly the expected components, in the expected order; the record shows both lists."),
  PARAMETERS_WRONG(
      401,
      "The signature parameters are not the required ones",
      "Signature-Input was changed on the way: look for a proxy that rewrites headers",
      "Send created, keyid and alg as signature parameters; the detail names the one that is"
          + " wrong."),
  ALGORITHM_WRONG(
      401,
      "The algorithm is not that of the registered key",
      "the registered key is for another algorithm: have an RSA key registered",
      "Sign with RSA PKCS#1 v1.5 and SHA-256, and send alg=\"rsa-v1_5-sha256\"."),
  CLIENT_UNKNOWN(
      401,
      "No client has this clientId",
      "this service has no client with this clientId: copy it again, and check that the base URL"
          + " belongs to the service that issued it (test or live)",
      "Look the clientId up under API Keys: it may belong to another installation or to a client"
          + " that was removed."),
  CLIENT_MISTYPED(
      401,
      "The clientId is mistyped",
      "the clientId is mistyped: its check digits are wrong; copy it again",
      "Ask the caller to copy the clientId again: its check digits are wrong, so it is mistyped."),
  CLIENT_DISABLED(
      401,
      "The client is disabled",
      "the operator has disabled this client: ask them to enable it",
      "Enable the client under API Keys if it should have access again."),
  CREATED_TOO_OLD(
      401,
      "The signature is too old",
      "this machine's clock is slow, or the request was delayed on the way: synchronize the clock"
          + " by NTP",
      "Ask the caller to synchronize its clock by NTP and to sign each request just before sending"
          + " it, including every retry."),
  CREATED_IN_FUTURE(
      401,
      "The signature was made in the future",
      "this machine's clock is fast: synchronize it by NTP",
      "Ask the caller to synchronize its clock by NTP; created is Unix time in seconds, not in"
          + " milliseconds."),
  EXPIRED(
      401,
      "The signature has expired",
      "the signature expired before it arrived: synchronize the clock by NTP and sign again",
      "Ask the caller to omit expires or to set a later time, and to sign again for each attempt."),
  DATE_MISSING(
      401,
      "The Date header is missing",
      "Date was removed on the way: look for a proxy or gateway that removes it",
      "Ask the caller to set Date itself and to cover it: some HTTP libraries add it only after"
          + " signing, or not at all."),
  DATE_MALFORMED(
      401,
      "The Date header cannot be read",
      "Date was added or changed on the way: configure the proxy to forward Date unchanged",
      "Send Date in the form Tue, 05 Mar 2024 07:08:09 GMT: in English, and in GMT."),
  DATE_MISMATCH(
      401,
      "Date and created are not the same instant",
      "Date was changed on the way: configure the proxy to forward Date unchanged",
      "Read the clock once, and derive both Date and created from that instant."),
  DIGEST_MISSING(
      401,
      "The body has no Content-Digest",
      "Content-Digest was removed on the way: look for a proxy that removes it",
      "Send Content-Digest with every request that has a body, and cover it."),
  DIGEST_MALFORMED(
      401,
      "The Content-Digest header cannot be used",
      "Content-Digest was changed on the way: look for a proxy that rewrites headers",
      "Send Content-Digest as sha-256=:…: with the base64 text between the colons."),
  DIGEST_UNEXPECTED(
      401,
      "A Content-Digest was sent without a body",
      "the body was lost on the way: look for a redirect or a proxy that removes it",
      "Omit Content-Digest if there is no body; if a body was sent, it was lost on the way, for"
          + " example in a redirect."),
  DIGEST_MISMATCH(
      401,
      "The body is not the one that was signed",
      "the body was changed on the way, after it was hashed: look for a proxy that rewrites,"
          + " converts or compresses bodies",
      "Bodies are not stored: ask the caller to save exactly the bytes it sends and to compare the"
          + " output of openssl dgst -sha256 -binary body | base64 with the Content-Digest it sent;"
          + " if they differ, its own code changed the body after hashing it."),
  SIGNATURE_MISMATCH(
      401,
      "The signature does not verify",
      "the signature does not verify: the URL, Date or digest was changed on the way, or"
          + " the registered public key belongs to another private key",
      "Compare the caller's signature base with the one that the service built: if both are equal,"
          + " the private key does not belong to any registered public key that was live."),
  REPLAYED(
      401,
      "The request was accepted before",
      "the request arrived twice: look for a proxy that repeats requests",
      "Sign each attempt again; give each write its own Idempotency-Key, send the same key with"
          + " every attempt of that write, and cover it."),
  ADDRESS_NOT_ALLOWED(
      403,
      "The address is not on the client's network whitelist",
      "your address is not on the network whitelist: ask the operator to add the address that the"
          + " service reports",
      "If the address belongs to the caller, add it to the client's network whitelist; if it"
          + " belongs to your own proxy, add the proxy to access.trusted-proxies."),
  ROLE_MISSING(
      403,
      "The client's roles do not allow this",
      "the signature is valid, but no role of this client allows the call: ask the operator for a"
          + " role with this permission",
      "Assign the client a role with the permission named in the detail."),
  SCOPE_MISSING(
      403,
      "The client has no attribute that the collection requires",
      "the signature is valid, but the collection shows each client only its own records, and the"
          + " operator has not said which are yours: ask them to set the attribute that the service"
          + " names",
      "Set the attribute named in the detail on the client: it says which records of the listing"
          + " the client sees; if it is set already, the client's page says why it admits"
          + " nothing."),
  SCOPE_VIOLATION(
      403,
      "The record is outside the client's scope",
      "the signature is valid, but the record would not be one of yours, or your access has changed"
          + " since you first sent this Idempotency-Key: correct the value that the service names,"
          + " or use a new key",
      "If the caller should create such records, add the value of the field named in the detail to"
          + " the client's attribute; if the detail names no field, a trigger or a policy of the"
          + " table decided, or the client's attributes have changed since the first request with"
          + " this Idempotency-Key."),
  REQUEST_MALFORMED(
      400,
      "The request is malformed",
      "the request is not valid HTTP or is too long: see the detail from the service",
      "The service cannot read this HTTP request; the caller's library or a proxy wrote it"
          + " incorrectly, or its headers are too large."),
  PARAMETER_INVALID(
      400,
      "A query parameter is invalid",
      "the signature is valid, but a query parameter is not: correct it",
      "Send a value of the query parameter that follows the rule given in the detail."),
  PARAMETER_UNKNOWN(
      400,
      "A query parameter is unknown",
      "the signature is valid, but a query parameter is unknown: remove it, or use one that the"
          + " service names",
      "Send only page, size, sort, offset, totals, after and the filters that the page Listings"
          + " shows; to allow another filter, add its field to filterable in the configuration of the"
          + " listing."),
  NOT_FOUND(
      404,
      "Not found",
      "the signature is valid, but there is nothing at this URL: check the path, and leave"
          + " out a trailing slash",
      "Compare the path with those under Listings: a trailing slash makes it a different path."),
  METHOD_NOT_ALLOWED(
      405,
      "The method is not allowed here",
      "the signature is valid, but the URL does not support this method",
      "Use a method that the listing supports; to create records, enable creating for the"
          + " listing."),
  BODY_TIMEOUT(
      408,
      "The body did not arrive in time",
      "the body did not arrive in time; the connection may be slow: try again",
      "Send the whole body at once, with exactly the length given in Content-Length; the connection"
          + " may also be too slow."),
  IN_PROGRESS(
      409,
      "A request with this Idempotency-Key is still running",
      "a request with this Idempotency-Key is still running: wait and try again",
      "Wait for the first request with this Idempotency-Key before trying again."),
  ROTATION_PENDING(
      409,
      "The client has two live keys",
      "two keys of this client are already live: wait until the older one has ended",
      "Wait until the older of the client's two keys has ended, or end it under API Keys if"
          + " the caller no longer signs with it."),
  BODY_TOO_LARGE(
      413,
      "The body is too large",
      "the body is larger than the service accepts: send a smaller one",
      "Send a smaller body, or split it over several requests."),
  MEDIA_TYPE_UNSUPPORTED(
      415,
      "The body's type or encoding is not supported",
      "the body must be JSON in UTF-8: set Content-Type to application/json, and send no"
          + " Content-Encoding",
      "Send JSON as application/json, in UTF-8 and without Content-Encoding."),
  HOST_UNKNOWN(
      421,
      "The service does not serve this host",
      "the service does not serve this host: use the base URL that the operator gave you, or"
          + " configure the proxy to forward Host unchanged",
      "Call the service by one of its public URLs, and configure proxies to forward Host unchanged;"
          + " if a URL is missing, add it to public-urls."),
  BODY_INVALID(
      422,
      "The body is invalid",
      "the signature is valid, but the JSON is not: see the detail from the service",
      "The response told the caller what is wrong with the body; the detail is not stored here"
          + " because it would quote the body."),
  IDEMPOTENCY_MISMATCH(
      422,
      "The Idempotency-Key belongs to another request",
      "this Idempotency-Key belongs to another request: use a new key for a new request",
      "Use a new Idempotency-Key for each new request; the same key means the same request."),
  POSSESSION_UNPROVEN(
      422,
      "Possession of the new key is not proven",
      "the new key's signature, sig-next, is missing or invalid: sign the rotation with both keys",
      "Ask the caller to sign the request with its new private key as well, under the label"
          + " sig-next; the detail says what is wrong with that signature."),
  RATE_LIMITED(
      429,
      "Too many requests",
      "the signature is valid, but you call too often: wait for the time given in Retry-After",
      "Ask the caller to wait for the time given in Retry-After, or raise the client's rate"
          + " limit."),
  /** A defect of the service; no input should cause it. */
  INTERNAL_ERROR(
      500,
      "The service failed",
      "the service failed, and your request is not the cause: tell the operator the request id",
      "This is a defect of the service: look for the request id in its log, and report it."),
  COLLECTION_UNAVAILABLE(
      503,
      "The collection cannot be served",
      "the service cannot serve this collection, and your request is not the cause: tell the"
          + " operator the request id",
      "Read in the service's log how the listing's table has changed: change the table back, or adapt"
          + " the listing and restart the service."),
  TOTAL_UNAVAILABLE(
      503,
      "The list takes too long to count",
      "the signature is valid, but the service cannot count this list in time: add totals=none,"
          + " which leaves out totalElements and totalPages, or a filter",
      "The service's log and the page Listings say what would make the count faster; the caller can"
          + " send totals=none, which needs no count."),
  REGISTRY_STALE(
      503,
      "The node's knowledge of the clients is too old",
      "this node of the service has lost its database, and your request is not the cause: wait for"
          + " the time given in Retry-After and try again",
      "This node could not commit its heartbeat and read the clients for longer than"
          + " access.registry-limit: look at its connection to the database, and at the database;"
          + " countersign nodes shows the other nodes."),
  CLOCK_WRONG(
      503,
      "The node's clock is wrong",
      "the clock of this node of the service is wrong, and your request is not the cause: wait for"
          + " the time given in Retry-After and try again, and tell the operator",
      "Synchronize the clock of this node by NTP: it differs from the database and from most other"
          + " nodes by more than access.maximum-skew; countersign nodes shows the differences."),
  OUTCOME_UNKNOWN(
      503,
      "The outcome of the write is unknown",
      "the service lost its database while it stored the write, which may have been executed: send"
          + " the request again with the same Idempotency-Key, or read the collection first",
      "The database did not confirm the commit and could not be asked in time; the caller learns"
          + " the outcome by sending the same Idempotency-Key again, or by reading the"
          + " collection."),
  OVERLOADED(
      503,
      "The service is busy",
      "the service is busy: wait for the time given in Retry-After and try again",
      "Ask the caller to try again after Retry-After; if this happens often, the service needs more"
          + " processors or another node.");

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

  /** Returns the reason for a signature that the library did not accept. */
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
   * Advice for a caller whose request was signed by this project's signer: the probable cause and
   * the fix, on one line without a full stop.
   */
  public String adviceToCaller() {
    return adviceToCaller;
  }

  /** Advice for the operator, one sentence. */
  public String adviceToOperator() {
    return adviceToOperator;
  }
}
