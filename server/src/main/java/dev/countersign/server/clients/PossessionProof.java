package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.NOT_PROVEN;

import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Proof that somebody holds the private half of a key. Only {@link KeyChallenges} creates proofs.
 */
public final class PossessionProof {
  private final RSAPublicKey key;
  private final String challengeHash;

  PossessionProof(RSAPublicKey key, String challengeHash) {
    this.key = key;
    this.challengeHash = challengeHash;
  }

  boolean isOpen(JdbcClient sql, Instant now) {
    return sql.sql("SELECT 1 FROM key_challenges WHERE challenge_hash = ? AND expires_at > ?")
        .param(challengeHash)
        .param(now.toEpochMilli())
        .query(Integer.class)
        .optional()
        .isPresent();
  }

  /** Uses up the challenge in the transaction of the change that needs the proof. */
  void use(JdbcClient sql, RSAPublicKey addedKey, Instant now) {
    if (!key.equals(addedKey)) {
      throw new ClientException(NOT_PROVEN, "the proof is for another key");
    }
    int taken =
        sql.sql("DELETE FROM key_challenges WHERE challenge_hash = ? AND expires_at > ?")
            .param(challengeHash)
            .param(now.toEpochMilli())
            .update();
    if (taken == 0) {
      throw closed();
    }
  }

  static ClientException closed() {
    return new ClientException(
        NOT_PROVEN, "the challenge has expired or was used before; request and sign a new one");
  }
}
