package dev.countersign.server.portal.requests;

import dev.countersign.server.access.Reason;
import dev.countersign.server.requests.RequestDetails;
import org.jspecify.annotations.Nullable;

/** What an operator can tell the caller of a refused request: one sentence for each reason. */
final class Advice {
  private static final String NO_KEY =
      "No key of the client was live when the request came, so no signature base was built:"
          + " register a new key of the caller under API Keys.";

  private Advice() {}

  /** The sentence for a request that has ended; null where nothing refused it. */
  static @Nullable String of(RequestDetails details) {
    Reason reason = details.request().reason();
    if (reason == null) {
      return null;
    }
    return reason == Reason.SIGNATURE_MISMATCH && details.signatureBase() == null
        ? NO_KEY
        : of(reason);
  }

  static String of(Reason reason) {
    return switch (reason) {
      case SIGNATURE_MISSING ->
          "Send both Signature-Input and Signature; if the caller does, a proxy on the way drops"
              + " them.";
      case SIGNATURE_MALFORMED ->
          "Write Signature-Input and Signature as RFC 9421 section 4 has them; the detail above"
              + " says where they cannot be read.";
      case LABEL_MISSING -> "Label the signature sig in both fields, as in sig=(…) and sig=:…:.";
      case COMPONENTS_WRONG ->
          "Sign exactly the components that are expected, in their order; both lists are above.";
      case PARAMETERS_WRONG ->
          "Send created, keyid and alg as signature parameters; the detail above names the one that"
              + " is wrong.";
      case ALGORITHM_WRONG ->
          "Sign with RSA PKCS#1 v1.5 and SHA-256, and say alg=\"rsa-v1_5-sha256\".";
      case CLIENT_UNKNOWN ->
          "Look the clientId up under API Keys: the caller may use that of another installation, or"
              + " of a client that was removed.";
      case CLIENT_MISTYPED ->
          "Let the caller copy the clientId again: its check digits do not fit, so it was"
              + " mistyped.";
      case CLIENT_DISABLED -> "Enable the client under API Keys if it should be let in again.";
      case CREATED_TOO_OLD ->
          "Let the caller set its clock by NTP and sign each request just before it is sent, also"
              + " when it tries again.";
      case CREATED_IN_FUTURE ->
          "Let the caller set its clock by NTP; created is Unix time in seconds, not in"
              + " milliseconds.";
      case EXPIRED ->
          "Let the caller leave expires away or set it later, and sign again for each attempt.";
      case DATE_MISSING ->
          "Let the caller set Date itself and cover it: some HTTP libraries add it only after"
              + " signing, or not at all.";
      case DATE_MALFORMED ->
          "Send Date as in Tue, 05 Mar 2024 07:08:09 GMT: in English, and in GMT.";
      case DATE_MISMATCH -> "Read the clock once, and take Date and created from that one instant.";
      case DIGEST_MISSING ->
          "Send Content-Digest with every request that has a body, and cover it.";
      case DIGEST_MALFORMED -> "Send Content-Digest as sha-256=:…: with the base64 between colons.";
      case DIGEST_UNEXPECTED ->
          "Leave Content-Digest away where there is no body; if there was one, it was lost on the"
              + " way, as in a redirect.";
      case DIGEST_MISMATCH ->
          "Bodies are not kept, so compare on your own: let the caller store the very bytes that it"
              + " sends, take openssl dgst -sha256 -binary body | base64 of them and hold it"
              + " against the Content-Digest that it sent; what differs was changed after it was"
              + " hashed.";
      case SIGNATURE_MISMATCH ->
          "Compare the caller's signature base with the one below: equal texts mean that the"
              + " private key is not the other half of any registered public key that was live.";
      case REPLAYED ->
          "Sign each attempt anew; to retry a write safely, or to send two equal ones within a"
              + " second, give each an Idempotency-Key of its own and cover it.";
      case ADDRESS_NOT_ALLOWED ->
          "If the address above is the caller's, add it to the client's network whitelist; if it is"
              + " that of your own proxy, name the proxy in access.trusted-proxies.";
      case ROLE_MISSING ->
          "Assign the client a role that has the permission which the detail above names.";
      case REQUEST_MALFORMED ->
          "It is no HTTP request that the service can read; the caller's library or a proxy wrote"
              + " it wrongly, or its header is too large.";
      case PARAMETER_INVALID -> "Send the query parameter within the bounds that the detail names.";
      case PARAMETER_UNKNOWN ->
          "Send only page, size, sort and offset; a mistyped name is refused so that it cannot be"
              + " overlooked.";
      case NOT_FOUND ->
          "Compare the path with those under Listings: a slash at its end makes it another one.";
      case METHOD_NOT_ALLOWED ->
          "Use a method that the listing has; creating must be switched on for it.";
      case BODY_TIMEOUT ->
          "Send the whole body at once, and as long as Content-Length says; the connection may be"
              + " too slow.";
      case IN_PROGRESS ->
          "Wait for the first request with this Idempotency-Key before trying again.";
      case ROTATION_PENDING ->
          "Wait until the older of the client's two keys has ended, or end it under API Keys if the"
              + " caller no longer signs with it.";
      case BODY_TOO_LARGE -> "Send a smaller body, or split it over several requests.";
      case MEDIA_TYPE_UNSUPPORTED ->
          "Send JSON as application/json, in UTF-8 and without Content-Encoding.";
      case HOST_UNKNOWN ->
          "Call the service by one of its public URLs, and let proxies pass Host on unchanged; a"
              + " URL that is missing goes into public-urls.";
      case BODY_INVALID ->
          "The caller was told what is wrong with its body; it is not kept here, because it would"
              + " quote the body.";
      case IDEMPOTENCY_MISMATCH ->
          "Use a new Idempotency-Key for each new content; the same key means the same request.";
      case POSSESSION_UNPROVEN ->
          "Let the caller sign the request with its new private key as well, under the label"
              + " sig-next; the detail above says what is wrong with that signature.";
      case RATE_LIMITED ->
          "Let the caller wait as long as Retry-After says, or raise the client's rate limit.";
      case INTERNAL_ERROR ->
          "This is a defect of the service: look for the request id in its log, and report it.";
      case OVERLOADED ->
          "Let the caller try again after Retry-After; if it comes often, the service needs more"
              + " processors or another node.";
    };
  }
}
