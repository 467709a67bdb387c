package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import java.util.Map;
import java.util.Optional;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * One operation of the API. It is found once, by the method and the path of a verified request, and
 * stays with the request: the filter authorizes its client before the body is read, and Spring's
 * dispatcher runs it.
 */
public interface Operation {
  /**
   * Performs {@link Check#AUTHORIZATION} as far as it needs no body. It runs
   *
   * <ol>
   *   <li>before the body is read;
   *   <li>again, if the client changed while the body arrived;
   *   <li>before the transaction of a write;
   *   <li>as the last step in that transaction, on the client as committed ({@code ReplayGuard}).
   * </ol>
   *
   * <p>{@link #run} checks what needs the body, such as the scope of a new record.
   *
   * @return a text that identifies the scope of the client in this operation; empty if there is
   *     none
   * @throws DeniedException {@link Reason#ROLE_MISSING} or {@link Reason#SCOPE_MISSING}
   */
  String authorize(CallingClient client);

  /**
   * Performs {@link Check#REPLAY} and the operation itself.
   *
   * @param request a request whose client was authorized and whose body has arrived
   * @throws DeniedException if the operation refuses the request
   */
  ServerResponse run(SignedRequest request);

  /** Returns the header fields of every answer of this operation, including refusals. */
  default Map<String, String> headers() {
    return Map.of();
  }

  /**
   * Returns the refusal for a failure of {@link #run} that only this operation can explain, for
   * example because its table was changed. May log what the operator has to do. {@code
   * SignatureFilter} turns all other failures into refusals.
   *
   * @return empty if this operation cannot explain the failure
   */
  default Optional<Denial> explain(RuntimeException failure, SignedRequest request) {
    return Optional.empty();
  }

  /** Finds the operations of one part of the service. */
  interface Finder {
    /**
     * Finds an operation.
     *
     * @param method the method, in the caller's spelling
     * @param path the path below the context path, not decoded
     * @return empty if this part has nothing at the path
     * @throws DeniedException {@link Reason#METHOD_NOT_ALLOWED}
     */
    Optional<Operation> find(String method, String path);
  }
}
