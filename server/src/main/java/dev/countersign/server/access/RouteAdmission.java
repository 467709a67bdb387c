package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;

/**
 * Decides about the operation of a verified request before its body is read. Each part that serves
 * routes implements it. A path that no part admits is refused with {@link Reason#NOT_FOUND}.
 *
 * <p>The handler of the route runs later, after {@link Check#BODY}. It does not rely on this
 * decision and checks the permission again.
 */
public interface RouteAdmission {
  /**
   * Admits a request to an operation of this part. Performs the parts of {@link
   * Check#AUTHORIZATION} that need no body.
   *
   * @param method the method, in the caller's spelling
   * @param path the path below the context path, not decoded
   * @return false if this part has nothing at the path
   * @throws DeniedException {@link Reason#METHOD_NOT_ALLOWED}, {@link Reason#ROLE_MISSING} or
   *     {@link Reason#SCOPE_MISSING}
   */
  boolean admit(String method, String path, CallingClient client);
}
