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
 * @param pathPrefix the beginning of the path that the caller sent
 * @param trust how far the sender's identity was verified
 * @param from matches requests that were completed at this time or later
 * @param to matches requests that were completed before this time
 */
public record RequestFilter(
    @Nullable String clientId,
    @Nullable Outcome outcome,
    @Nullable Reason reason,
    @Nullable Integer status,
    @Nullable String pathPrefix,
    @Nullable TrustLevel trust,
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
    return new RequestFilter(value, outcome, reason, status, pathPrefix, trust, from, to);
  }

  public RequestFilter withOutcome(@Nullable Outcome value) {
    return new RequestFilter(clientId, value, reason, status, pathPrefix, trust, from, to);
  }

  public RequestFilter withReason(@Nullable Reason value) {
    return new RequestFilter(clientId, outcome, value, status, pathPrefix, trust, from, to);
  }

  public RequestFilter withStatus(@Nullable Integer value) {
    return new RequestFilter(clientId, outcome, reason, value, pathPrefix, trust, from, to);
  }

  public RequestFilter withPathPrefix(@Nullable String value) {
    return new RequestFilter(clientId, outcome, reason, status, value, trust, from, to);
  }

  public RequestFilter withTrust(@Nullable TrustLevel value) {
    return new RequestFilter(clientId, outcome, reason, status, pathPrefix, value, from, to);
  }

  /**
   * Returns this filter for the requests that were completed in a range of time. Null leaves that
   * end of the range open.
   */
  public RequestFilter between(@Nullable Instant inclusiveFrom, @Nullable Instant exclusiveTo) {
    return new RequestFilter(
        clientId, outcome, reason, status, pathPrefix, trust, inclusiveFrom, exclusiveTo);
  }
}
