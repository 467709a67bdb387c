package dev.countersign.server.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One entry of the audit trail.
 *
 * @param seq its place in the chain, from 1, without gaps
 * @param at when, in milliseconds
 * @param author who
 * @param channel by which way, the word of a {@link Channel}
 * @param address from where, where there is an address
 * @param action what happened, such as {@code client.added}
 * @param subject to what, such as {@code client:cl-…}
 * @param before a JSON object, its keys sorted: how it was
 * @param after a JSON object, its keys sorted: how it is
 * @param previousHash the hash of the entry before, 64 zeros for the first
 * @param hash over all of the above, see {@link EntryHash}
 */
public record AuditEntry(
    long seq,
    Instant at,
    String author,
    String channel,
    @Nullable String address,
    String action,
    String subject,
    String before,
    String after,
    String previousHash,
    String hash) {

  AuditEntry withHash(String hash) {
    return new AuditEntry(
        seq, at, author, channel, address, action, subject, before, after, previousHash, hash);
  }
}
