package dev.countersign.client.rotation;

import dev.countersign.client.CountersignException;
import dev.countersign.client.Problem;
import dev.countersign.protocol.Reason;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The service's answer to a rotation request.
 *
 * @param isUncertain whether another attempt, or an earlier rotation, may have registered the key
 */
record RotationAnswer(HttpRequest request, HttpResponse<byte[]> response, boolean isUncertain) {
  // These refusals last only seconds: an earlier attempt is still in progress, or was made in the
  // same second.
  private static final Set<Reason> TEMPORARY = EnumSet.of(Reason.IN_PROGRESS, Reason.REPLAYED);
  // After these refusals, the same request may still be accepted later: when its created time is
  // reached, when another key has ended, when its body arrives completely, or when the operator has
  // changed a setting.
  private static final Set<Reason> ACCEPTED_LATER =
      EnumSet.of(
          Reason.ROTATION_PENDING,
          Reason.CREATED_IN_FUTURE,
          Reason.BODY_TIMEOUT,
          Reason.ROLE_MISSING,
          Reason.CLIENT_DISABLED,
          Reason.ADDRESS_NOT_ALLOWED);
  // A fingerprint has 50 characters.
  private static final int MAX_SHOWN_LENGTH = 100;

  RotationAnswer uncertain() {
    return new RotationAnswer(request, response, true);
  }

  /** Returns whether the service has registered the key. */
  boolean isRegistered() {
    return status() == 200 || status() == 201;
  }

  /** Returns whether the service does not accept the key that signed. */
  boolean isUnknownKey() {
    return status() == 401 && hasReason(EnumSet.of(Reason.SIGNATURE_MISMATCH));
  }

  boolean wantsRetry() {
    return status() == 429 || status() == 503 || isTemporary();
  }

  /** Returns whether the service has already received this request or a copy of it. */
  boolean isTemporary() {
    return hasReason(TEMPORARY);
  }

  /** Returns whether this key has to wait because two other keys are live. */
  boolean isPending() {
    return hasReason(EnumSet.of(Reason.ROTATION_PENDING));
  }

  /**
   * Returns whether the cause of the refusal may go away, so that the service may still accept this
   * key or a copy of the request.
   */
  boolean mayBeAcceptedLater() {
    return hasReason(ACCEPTED_LATER);
  }

  private boolean hasReason(Set<Reason> reasons) {
    return Problem.read(response)
        .map(Problem::reason)
        .flatMap(Reason::ofWord)
        .filter(reasons::contains)
        .isPresent();
  }

  /** Returns whether the service itself states that no later attempt with this key can succeed. */
  boolean isRefusedForGood() {
    return status() >= 400
        && status() < 500
        && !wantsRetry()
        && !mayBeAcceptedLater()
        && !isUncertain
        && Problem.read(response).isPresent();
  }

  Optional<Duration> retryAfter() {
    return refusal().retryAfter();
  }

  CountersignException refusal() {
    return CountersignException.refused(request, response);
  }

  /**
   * Reads which key is registered now.
   *
   * @throws RotationException when the answer does not name this key
   */
  RotatedKey rotated(NextKey next) {
    try {
      JsonNode document = JsonMapper.shared().readTree(response.body());
      String fingerprint = text(document, "fingerprint").orElse("none");
      if (!fingerprint.equals(next.fingerprint())) {
        throw malformed("it names the key " + cut(fingerprint) + ", not " + next.fingerprint());
      }
      return new RotatedKey(
          fingerprint,
          text(document, "previousFingerprint"),
          text(document, "previousEndsAt").map(RotationAnswer::instant));
    } catch (JacksonException | DateTimeException e) {
      throw malformed("it cannot be read");
    }
  }

  private static String cut(String text) {
    return text.length() > MAX_SHOWN_LENGTH ? text.substring(0, MAX_SHOWN_LENGTH) + "…" : text;
  }

  private static Instant instant(String text) {
    return OffsetDateTime.parse(text).toInstant();
  }

  private static Optional<String> text(JsonNode document, String member) {
    JsonNode value = document.path(member);
    return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
  }

  private RotationException malformed(String detail) {
    return new RotationException(
        "answer_malformed",
        "the response to POST " + request.uri() + " has status " + status() + ", but " + detail);
  }

  private int status() {
    return response.statusCode();
  }
}
