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
 * What the service said.
 *
 * @param isUncertain whether another attempt, or an earlier rotation, may have registered the key
 */
record RotationAnswer(HttpRequest request, HttpResponse<byte[]> response, boolean isUncertain) {
  // A first try that still runs, and one that was sent twice in a second, are soon over.
  private static final Set<Reason> PASSING = EnumSet.of(Reason.IN_PROGRESS, Reason.REPLAYED);
  // Refusals that the same bytes may outlive: once their time has come, once they arrive whole,
  // once the operator has mended what is theirs.
  private static final Set<Reason> UNDONE_LATER =
      EnumSet.of(
          Reason.ROTATION_PENDING,
          Reason.CREATED_IN_FUTURE,
          Reason.BODY_TIMEOUT,
          Reason.ROLE_MISSING,
          Reason.CLIENT_DISABLED,
          Reason.ADDRESS_NOT_ALLOWED);
  // A fingerprint has 50 characters.
  private static final int MOST_SHOWN = 100;

  RotationAnswer uncertain() {
    return new RotationAnswer(request, response, true);
  }

  /** Whether the service has the key. */
  boolean isTaken() {
    return status() == 200 || status() == 201;
  }

  /** Whether the service does not take the key that signed. */
  boolean isUnknownKey() {
    return status() == 401 && hasReason(EnumSet.of(Reason.SIGNATURE_MISMATCH));
  }

  boolean wantsRetry() {
    return status() == 429 || status() == 503 || isPassing();
  }

  /** Whether the service has taken this request, or a copy of it, already. */
  boolean isPassing() {
    return hasReason(PASSING);
  }

  /** Whether two other keys are live, so that this one has to wait. */
  boolean isPending() {
    return hasReason(EnumSet.of(Reason.ROTATION_PENDING));
  }

  /**
   * Whether what stood in the way may be gone later, for this key and for a copy of the request.
   */
  boolean isUndoneLater() {
    return hasReason(UNDONE_LATER);
  }

  private boolean hasReason(Set<Reason> reasons) {
    return Problem.read(response)
        .map(Problem::reason)
        .flatMap(Reason::ofWord)
        .filter(reasons::contains)
        .isPresent();
  }

  /** Whether the service itself says that no later attempt with this key can end otherwise. */
  boolean isRefusedForGood() {
    return status() >= 400
        && status() < 500
        && !wantsRetry()
        && !isUndoneLater()
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
   * What is registered now.
   *
   * @throws RotationException when the answer does not say that it is this key
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
    return text.length() > MOST_SHOWN ? text.substring(0, MOST_SHOWN) + "…" : text;
  }

  private static Instant instant(String text) {
    return OffsetDateTime.parse(text).toInstant();
  }

  private static Optional<String> text(JsonNode document, String member) {
    JsonNode value = document.path(member);
    return value.isString() ? Optional.of(value.stringValue()) : Optional.empty();
  }

  private RotationException malformed(String what) {
    return new RotationException(
        "answer_malformed",
        "the answer to POST " + request.uri() + " has status " + status() + ", but " + what);
  }

  private int status() {
    return response.statusCode();
  }
}
