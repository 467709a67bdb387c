package dev.countersign.server.integrations;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.Operation;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.VerificationLimiter;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.JsonResponse;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.clients.ClientKeyRotation;
import dev.countersign.server.once.ReplayGuard;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.util.Optional;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * The route for rotating a client's key: {@code POST /integrations/v1/keys}, signed by the current
 * key like every request, and also by the new key.
 */
public final class IntegrationRoutes implements Operation, Operation.Finder {
  /** The path for new keys. */
  public static final String KEYS = "/integrations/v1/keys";

  /** The overlap in seconds if the caller gives none. */
  public static final int DEFAULT_OVERLAP_SECONDS = KeyRequest.DEFAULT_OVERLAP;

  /** The longest overlap in seconds. */
  public static final int MAX_OVERLAP_SECONDS = KeyRequest.MAX_OVERLAP;

  private final ReplayGuard replayGuard;
  private final CryptoProvider crypto;
  private final VerificationLimiter verifications;
  private final VerificationLimiter keyChecks = VerificationLimiter.forNewKeys();
  private final NextKeyProof proof;
  private final RotationHandler rotations;
  private final Runnable afterChange;

  /**
   * Creates the route.
   *
   * @param settings shared with the rest of the service
   * @param afterChange runs after a rotation is committed and before it is answered, so that the
   *     new key verifies as soon as the client has the answer
   */
  public IntegrationRoutes(
      ReplayGuard replayGuard,
      ClientKeyRotation rotation,
      Settings settings,
      Runnable afterChange) {
    this.replayGuard = replayGuard;
    this.crypto = settings.crypto();
    this.verifications = settings.verifications();
    this.proof = new NextKeyProof(settings.crypto(), settings.clock());
    this.rotations = new RotationHandler(rotation, settings.clock());
    this.afterChange = afterChange;
  }

  /**
   * The dependencies that the route shares with the rest of the service.
   *
   * @param verifications limits how many signatures are verified at once
   */
  public record Settings(CryptoProvider crypto, Clock clock, VerificationLimiter verifications) {}

  /** Returns the permission for rotating a key. No built-in role has it. */
  public static Permission permission() {
    return ClientKeyRotation.PERMISSION;
  }

  @Override
  public Optional<Operation> find(String method, String path) {
    if (!path.equals(KEYS)) {
      return Optional.empty();
    }
    if (!method.equals("POST")) {
      // RFC 9110 section 15.5.6: a 405 names the methods that are allowed.
      throw Denial.of(Reason.METHOD_NOT_ALLOWED, "this URL supports only POST")
          .withHeader("Allow", "POST")
          .asException();
    }
    return Optional.of(this);
  }

  @Override
  public String authorize(CallingClient client) {
    client.require(ClientKeyRotation.PERMISSION);
    return "";
  }

  @Override
  public ServerResponse run(SignedRequest signed) {
    requireNoParameters(signed);
    KeyRequest keyRequest = KeyRequest.read(signed.json(), crypto);
    // The cheap check of the proof comes first, so the expensive check of the key runs only after a
    // valid proof.
    verifications.run(() -> proof.require(signed, keyRequest.key()));
    keyChecks.run(keyRequest::requireStrongKey);
    StoredAnswer.Done answer =
        replayGuard.perform(signed, sql -> rotations.rotate(sql, signed, keyRequest));
    afterChange.run();
    return JsonResponse.of(answer).build();
  }

  private static void requireNoParameters(SignedRequest signed) {
    String query = signed.rawQuery();
    if (query != null && !query.isEmpty()) {
      throw new DeniedException(
          Reason.PARAMETER_UNKNOWN, "this operation has no query parameters; remove them");
    }
  }
}
