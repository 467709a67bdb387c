package dev.countersign.server.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.TrustLevel;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A filter for requests. A null value matches every request. Start from {@link #ALL}.
 *
 * @param clientId the client that the request names
 * @param outcome accepted or refused
 * @param reason why the request was refused
 * @param status the HTTP status of the answer
 * @param pathPrefix the beginning of the path, as called
 * @param standing how far the sender's identity was verified
 * @param from the earliest end of a request, inclusive
 * @param to the latest end of a request, exclusive
 */
public record RequestFilter(
    @Nullable String clientId,
    @Nullable Outcome outcome,
    @Nullable Reason reason,
    @Nullable Integer status,
    @Nullable String pathPrefix,
    @Nullable TrustLevel standing,
    @Nullable Instant from,
    @Nullable Instant to) {

  /** Matches every request. */
  public static final RequestFilter ALL =
      new RequestFilter(null, null, null, null, null, null, null, null);

  /** The outcome of a request. */
  public enum Outcome {
    ACCEPTED,
    REFUSED
  }

  public RequestFilter withClientId(@Nullable String value) {
    return new RequestFilter(value, outcome, reason, status, pathPrefix, standing, from, to);
  }

  public RequestFilter withOutcome(@Nullable Outcome value) {
    return new RequestFilter(clientId, value, reason, status, pathPrefix, standing, from, to);
  }

  public RequestFilter withReason(@Nullable Reason value) {
    return new RequestFilter(clientId, outcome, value, status, pathPrefix, standing, from, to);
  }

  public RequestFilter withStatus(@Nullable Integer value) {
    return new RequestFilter(clientId, outcome, reason, value, pathPrefix, standing, from, to);
  }

  public RequestFilter withPathPrefix(@Nullable String value) {
    return new RequestFilter(clientId, outcome, reason, status, value, standing, from, to);
  }

  public RequestFilter withStanding(@Nullable TrustLevel value) {
    return new RequestFilter(clientId, outcome, reason, status, pathPrefix, value, from, to);
  }

  /** Returns this filter limited to a time range; null leaves that end open. */
  public RequestFilter between(@Nullable Instant earliest, @Nullable Instant before) {
    return new RequestFilter(
        clientId, outcome, reason, status, pathPrefix, standing, earliest, before);
  }
}
