package dev.countersign.server.integrations;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.clients.ClientKeyRotation;
import dev.countersign.server.clients.RotationOutcome;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** Rotates a client's key at the client's request, and produces the answers. */
final class RotationHandler {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final ClientKeyRotation rotation;
  private final Clock clock;

  RotationHandler(ClientKeyRotation rotation, Clock clock) {
    this.rotation = rotation;
    this.clock = clock;
  }

  /**
   * Adds a proven key to the client, in the caller's transaction.
   *
   * @param keyRequest a request whose key passed {@link KeyRequest#requireStrongKey}
   * @return the answer with the key's fingerprint, or a refusal: {@link Reason#ROTATION_PENDING} if
   *     the rotation has to wait until a key has ended, {@link Reason#RATE_LIMITED} if the client's
   *     last rotation was too recent
   * @throws DeniedException if the rotation can never succeed; in that case, nothing is changed
   */
  StoredAnswer rotate(JdbcClient sql, SignedRequest request, KeyRequest keyRequest) {
    CallingClient client = request.client();
    return switch (rotateKey(sql, client, keyRequest)) {
      case RotationOutcome.Live live ->
          new StoredAnswer.Done(live.isNew() ? 201 : 200, Map.of(), body(client.clientId(), live));
      case RotationOutcome.Pending pending -> pending(pending.until());
      case RotationOutcome.TooSoon soon ->
          retryLater(
              Reason.RATE_LIMITED,
              "this client rotated its key at "
                  + soon.last()
                  + "; it may do so again from "
                  + soon.until()
                  + " on",
              soon.until());
    };
  }

  private RotationOutcome rotateKey(JdbcClient sql, CallingClient client, KeyRequest keyRequest) {
    try {
      return rotation.rotate(sql, client, keyRequest.key(), keyRequest.overlap());
    } catch (ClientException refused) {
      throw KeyRequest.invalid(List.of("publicKey: " + refused.getMessage()));
    }
  }

  private StoredAnswer pending(@Nullable Instant until) {
    if (until == null) {
      return new StoredAnswer.Refused(
          Denial.of(
              Reason.ROTATION_PENDING,
              "two keys of this client are live and neither has an end; ask the operator to end"
                  + " one"));
    }
    return retryLater(
        Reason.ROTATION_PENDING,
        "two keys of this client are live, one of them until " + until + "; try again then",
        until);
  }

  /**
   * Design note: this refusal is returned and not thrown, so that the transaction is committed and
   * the request counts as accepted. Otherwise an attacker who recorded the request could send it
   * again after the wait, and add a new key that the client no longer wants.
   */
  private StoredAnswer retryLater(Reason reason, String detail, Instant until) {
    Duration wait = Duration.between(clock.instant(), until);
    // RFC 9110 section 10.2.3: Retry-After has whole seconds. The wait is rounded up, so that it is
    // over when the client tries again.
    long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
    return new StoredAnswer.Refused(
        Denial.of(reason, detail).withHeader("Retry-After", String.valueOf(seconds)));
  }

  private static String body(String clientId, RotationOutcome.Live live) {
    Map<String, String> members = new LinkedHashMap<>();
    members.put("clientId", clientId);
    members.put("fingerprint", live.key().fingerprint());
    ClientKey previous = live.previous();
    if (previous != null) {
      members.put("previousFingerprint", previous.fingerprint());
      if (previous.endsAt() != null) {
        members.put("previousEndsAt", previous.endsAt().toString());
      }
    }
    return JSON.writeValueAsString(members);
  }
}
