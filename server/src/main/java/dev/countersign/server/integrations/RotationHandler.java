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
   * Adds a proven key to the client, in the caller's transaction. After the commit, pass the answer
   * to {@link #granted}.
   *
   * @param asked a request whose key passed {@link KeyRequest#requireSound}
   * @throws DeniedException if the rotation can never succeed; in that case, nothing is changed
   */
  StoredAnswer rotate(JdbcClient sql, SignedRequest request, KeyRequest asked) {
    CallingClient client = request.client();
    return switch (succeed(sql, client, asked)) {
      case RotationOutcome.Live live ->
          new StoredAnswer(live.isNew() ? 201 : 200, Map.of(), body(client.clientId(), live));
      case RotationOutcome.Pending pending -> pending(pending.until());
    };
  }

  /**
   * Returns an answer of {@link #rotate}, if the rotation succeeded.
   *
   * @throws DeniedException {@link Reason#ROTATION_PENDING} if the rotation has to wait
   */
  static StoredAnswer granted(StoredAnswer answer) {
    if (answer.status() != Reason.ROTATION_PENDING.status()) {
      return answer;
    }
    Denial denial = Denial.of(Reason.ROTATION_PENDING, answer.body());
    for (Map.Entry<String, String> header : answer.headers().entrySet()) {
      denial = denial.withHeader(header.getKey(), header.getValue());
    }
    throw denial.asException();
  }

  private RotationOutcome succeed(JdbcClient sql, CallingClient client, KeyRequest asked) {
    try {
      return rotation.succeed(sql, client, asked.key(), asked.overlap());
    } catch (ClientException refused) {
      throw KeyRequest.invalid(List.of("publicKey: " + refused.getMessage()));
    }
  }

  /**
   * Design note: this refusal is returned and not thrown, so that the transaction is committed and
   * the request counts as accepted. Otherwise an attacker who recorded the request could send it
   * again after one of the keys has ended, and add a new key that the client no longer wants.
   */
  private StoredAnswer pending(@Nullable Instant until) {
    int status = Reason.ROTATION_PENDING.status();
    if (until == null) {
      return new StoredAnswer(
          status,
          Map.of(),
          "two keys of this client are live and neither has an end; ask the operator to end one");
    }
    Duration wait = Duration.between(clock.instant(), until);
    // RFC 9110 section 10.2.3: Retry-After has whole seconds. The wait is rounded up, so that one
    // of the keys has ended when the client tries again.
    long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
    return new StoredAnswer(
        status,
        Map.of("Retry-After", String.valueOf(seconds)),
        "two keys of this client are live, one of them until " + until + "; try again then");
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
