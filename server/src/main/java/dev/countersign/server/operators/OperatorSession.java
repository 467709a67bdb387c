package dev.countersign.server.operators;

import java.time.Instant;

/**
 * A session that is good now.
 *
 * @param id its name, which is no secret
 * @param operator as it is now, with the role that it has now
 * @param startedAt when the operator signed in
 * @param lastActiveAt when the operator last did something, up to a minute late
 * @param expiresAt when it ends if the operator does nothing more
 * @param address where the operator signed in from
 * @param userAgent the browser by its own words, cut to 200 characters
 */
public record OperatorSession(
    String id,
    Operator operator,
    Instant startedAt,
    Instant lastActiveAt,
    Instant expiresAt,
    String address,
    String userAgent) {}
