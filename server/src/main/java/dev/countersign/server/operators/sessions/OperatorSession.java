package dev.countersign.server.operators.sessions;

import dev.countersign.server.operators.Operator;
import java.time.Instant;

/**
 * A valid session.
 *
 * @param id the identifier of the session, which is not secret
 * @param operator the operator, with the current role
 * @param startedAt when the operator signed in
 * @param lastActiveAt when the operator was last active; may be up to a minute too early
 * @param expiresAt when the session ends if there is no further activity
 * @param address the address that the operator signed in from
 * @param userAgent the browser's User-Agent, cut to 200 characters
 */
public record OperatorSession(
    String id,
    Operator operator,
    Instant startedAt,
    Instant lastActiveAt,
    Instant expiresAt,
    String address,
    String userAgent) {}
