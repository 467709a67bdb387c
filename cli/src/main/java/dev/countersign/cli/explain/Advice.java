package dev.countersign.cli.explain;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What to do about each reason for which a service refuses a request, said to somebody whose
 * request was signed by this program: so what is wrong with the signature happened on the way.
 */
enum Advice {
  SIGNATURE_MISSING(
      "something between here and the service drops Signature-Input or Signature: look for a proxy"
          + " that removes headers it does not know"),
  SIGNATURE_MALFORMED(
      "something on the way rewrites Signature-Input or Signature: look for a proxy"),
  LABEL_MISSING("something on the way replaces the signature by its own: look for a proxy"),
  COMPONENTS_WRONG(
      "a header was added or dropped on the way (Content-Digest, Idempotency-Key), so that other"
          + " components have to be covered: look for a proxy, and compare expected with received"),
  PARAMETERS_WRONG("something on the way rewrites Signature-Input: look for a proxy"),
  ALGORITHM_WRONG("the registered key is for another algorithm: register an RSA key"),
  CLIENT_UNKNOWN(
      "the clientId is not registered at this service: copy it again, and check that the base URL"
          + " is that of the service which gave it out (test and live differ)"),
  CLIENT_MISTYPED("the clientId is mistyped, its check digits do not fit: copy it again"),
  CLIENT_DISABLED("the operator has switched this client off: ask them to enable it"),
  CREATED_TOO_OLD(
      "this machine's clock is slow, or the request waited on its way: set the clock by NTP"),
  CREATED_IN_FUTURE("this machine's clock is fast: set it by NTP"),
  EXPIRED("the signature ended before it arrived: set the clock by NTP and sign anew"),
  DATE_MISSING("something on the way drops Date: look for a proxy or gateway that does"),
  DATE_MALFORMED("something on the way adds or rewrites Date: have it pass Date on unchanged"),
  DATE_MISMATCH("Date was set to another second on the way: have the proxy pass Date on unchanged"),
  DIGEST_MISSING("something on the way drops Content-Digest: look for a proxy that does"),
  DIGEST_MALFORMED("something on the way rewrites Content-Digest: look for a proxy"),
  DIGEST_UNEXPECTED("the body was lost on the way: look for a redirect or a proxy that drops it"),
  DIGEST_MISMATCH(
      "the body was changed on the way, after it was hashed: look for a proxy that rewrites,"
          + " converts or compresses bodies"),
  SIGNATURE_MISMATCH(
      "the signature does not verify: the URL, Date or digest was changed on the way, or the"
          + " registered public key belongs to another private key"),
  REPLAYED("the request arrived twice: look for a proxy that repeats requests"),
  ADDRESS_NOT_ALLOWED(
      "the signature is right, but the address you call from is not on the network whitelist:"
          + " have the operator add the one that the service names"),
  ROLE_MISSING(
      "the signature is right, but no role of this client allows the call: ask the operator for a"
          + " role with the permission"),
  REQUEST_MALFORMED("the request breaks HTTP or is too long: see what the service says"),
  PARAMETER_INVALID("the signature is right, but a query parameter breaks its rule: mend it"),
  PARAMETER_UNKNOWN("the signature is right, but a query parameter is unknown: check its spelling"),
  NOT_FOUND(
      "the signature is right, but nothing is at this URL: check the path, which has no trailing"
          + " slash"),
  METHOD_NOT_ALLOWED("the signature is right, but the URL does not take this method"),
  BODY_TIMEOUT("the body did not arrive in time: try again, the connection may be slow"),
  IN_PROGRESS("a request with this Idempotency-Key still runs: wait and try again"),
  BODY_TOO_LARGE("the body is larger than the service takes: send less"),
  MEDIA_TYPE_UNSUPPORTED(
      "the body must be application/json in UTF-8 without Content-Encoding: set Content-Type so"),
  HOST_UNKNOWN(
      "the service does not answer under this host: use the base URL that the operator gave you,"
          + " or have the proxy pass Host on unchanged"),
  BODY_INVALID("the signature is right, but the JSON breaks a rule: see what the service says"),
  IDEMPOTENCY_MISMATCH(
      "this Idempotency-Key belongs to another request: use a new key for a new request"),
  ROTATION_PENDING("two keys of this client are live already: wait until the older one has ended"),
  POSSESSION_UNPROVEN(
      "the new key's own signature sig-next is missing or wrong: sign the rotation with both keys"),
  RATE_LIMITED("the signature is right, but you call too often: wait as Retry-After says"),
  INTERNAL_ERROR("the service failed, not your request: tell the operator the request id"),
  OVERLOADED("the service is busy: wait as Retry-After says and try again");

  private final String sentence;

  Advice(String sentence) {
    this.sentence = sentence;
  }

  /** The advice for a reason as problem documents spell it; empty for one of a newer release. */
  static Optional<Advice> of(String reason) {
    return Arrays.stream(values())
        .filter(advice -> advice.name().toLowerCase(Locale.ROOT).equals(reason))
        .findFirst();
  }

  /** What probably happened and what mends it, one line without a full stop. */
  String sentence() {
    return sentence;
  }
}
