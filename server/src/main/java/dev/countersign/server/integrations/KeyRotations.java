package dev.countersign.server.integrations;

import dev.countersign.server.access.Answer;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.Denial;
import dev.countersign.server.access.DeniedException;
import dev.countersign.server.access.Permission;
import dev.countersign.server.access.Reason;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.clients.KeySuccession;
import dev.countersign.server.clients.Succession;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/** The rules of a rotation by the client itself, and their answers. */
final class KeyRotations {
  /** What it takes; no role has it unless the operator gives it to one. */
  static final Permission PERMISSION = Permission.of("integrations:keys:create");

  private static final JsonMapper JSON = JsonMapper.shared();

  private final KeySuccession succession;
  private final Clock clock;

  KeyRotations(KeySuccession succession, Clock clock) {
    this.succession = succession;
    this.clock = clock;
  }

  /**
   * Makes a proven key the client's, in the transaction of the caller.
   *
   * @throws DeniedException where that cannot be; then nothing is changed
   */
  Answer rotate(JdbcClient sql, SignedRequest request, KeyRequest asked) {
    CallingClient client = request.client();
    Succession outcome = succeed(sql, Author.client(client.clientId(), client.address()), asked);
    if (outcome instanceof Succession.Live live) {
      return new Answer(live.isNew() ? 201 : 200, Map.of(), body(client.clientId(), live));
    }
    throw pending(((Succession.Pending) outcome).until());
  }

  private Succession succeed(JdbcClient sql, Author client, KeyRequest asked) {
    try {
      return succession.succeed(sql, client, asked.key(), asked.overlap());
    } catch (ClientException refused) {
      throw switch (refused.reason()) {
        case NOT_FOUND ->
            new DeniedException(Reason.CLIENT_UNKNOWN, "the client was removed a moment ago");
        case DISABLED ->
            new DeniedException(Reason.CLIENT_DISABLED, "the client was disabled a moment ago");
        default -> KeyRequest.invalid(List.of("publicKey: " + refused.getMessage()));
      };
    }
  }

  private DeniedException pending(@Nullable Instant until) {
    if (until == null) {
      return new DeniedException(
          Reason.ROTATION_PENDING,
          "two keys of this client are live and neither has an end; have the operator end one");
    }
    Duration wait = Duration.between(clock.instant(), until);
    // RFC 9110 section 10.2.3: whole seconds, rounded up so that the key has ended by then.
    long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
    return Denial.of(
            Reason.ROTATION_PENDING,
            "two keys of this client are live, one of them until " + until + "; try again then")
        .withHeader("Retry-After", String.valueOf(seconds))
        .asException();
  }

  private static String body(String clientId, Succession.Live live) {
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
