package dev.countersign.server.requests;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CheckProgress;
import dev.countersign.server.access.Standing;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One request in a list of them. Its texts are what callers sent: escape them.
 *
 * @param id larger than that of every request recorded before, on all nodes
 * @param time when it ended, to the millisecond
 * @param standing how far the sender's identity was verified
 * @param clientId the registered client that it names; null where it names none
 * @param path as called, without the query, up to 512 characters
 * @param reason why it was refused; null where it was not
 * @param checks how far it came through the checks; null in records of a release that kept no check
 * @param duration to the microsecond
 */
public record RequestRecord(
    long id,
    Instant time,
    Standing standing,
    @Nullable String clientId,
    String method,
    String path,
    int status,
    @Nullable Reason reason,
    @Nullable CheckProgress checks,
    Duration duration,
    String address,
    String requestId) {}
