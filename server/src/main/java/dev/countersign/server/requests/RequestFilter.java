package dev.countersign.server.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.Standing;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which requests to find; null takes all. Begin with {@link #ALL}.
 *
 * @param clientId the client named
 * @param outcome refused or not
 * @param reason why refused
 * @param status the status of the answer
 * @param pathPrefix what the path begins with, as called
 * @param standing how far the sender's identity was verified
 * @param from the earliest end of a request
 * @param to where the ends of requests are before
 */
public record RequestFilter(
    @Nullable String clientId,
    @Nullable Outcome outcome,
    @Nullable Reason reason,
    @Nullable Integer status,
    @Nullable String pathPrefix,
    @Nullable Standing standing,
    @Nullable Instant from,
    @Nullable Instant to) {

  /** Every request. */
  public static final RequestFilter ALL =
      new RequestFilter(null, null, null, null, null, null, null, null);

  /** Whether a request was refused. */
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

  public RequestFilter withStanding(@Nullable Standing value) {
    return new RequestFilter(clientId, outcome, reason, status, pathPrefix, value, from, to);
  }

  /** Within a time; null leaves an end open. */
  public RequestFilter between(@Nullable Instant earliest, @Nullable Instant before) {
    return new RequestFilter(
        clientId, outcome, reason, status, pathPrefix, standing, earliest, before);
  }
}
