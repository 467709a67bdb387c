package dev.countersign.server.audit;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An entry of the audit trail.
 *
 * @param seq its position in the chain, from 1, without gaps
 * @param at the time of the change, truncated to milliseconds
 * @param author who made the change
 * @param channel how the change was made: the {@link Channel#word word} of a channel
 * @param address the author's network address, if there is one
 * @param action what happened, such as {@code client.added}
 * @param subject what was changed, such as {@code client:cl-…}
 * @param before the state before, as a JSON object with sorted keys
 * @param after the state after, as a JSON object with sorted keys
 * @param previousHash the hash of the previous entry, 64 zeros for the first entry
 * @param hash the hash of all fields above, see {@link EntryHash}
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
