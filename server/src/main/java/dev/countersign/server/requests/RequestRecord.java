package dev.countersign.server.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.TrustLevel;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request in a list of requests. The texts come from callers: escape them.
 *
 * @param id the id, which orders requests by the time at which they ended
 * @param time when the request ended, to the millisecond
 * @param trust how far the sender's identity was verified
 * @param clientId the registered client that the request names; null if it names none
 * @param path the path as called, without the query, up to 512 characters
 * @param reason why the request was refused; null if it was accepted
 * @param checks the progress through the checks; null if a newer release stored a check that this
 *     release does not know
 * @param duration how long the request took, to the microsecond
 */
public record RequestRecord(
    long id,
    Instant time,
    TrustLevel trust,
    @Nullable String clientId,
    String method,
    String path,
    int status,
    @Nullable Reason reason,
    @Nullable CheckProgress checks,
    Duration duration,
    String address,
    String requestId) {}
