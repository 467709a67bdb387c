package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.signatures.VerificationException;
import jakarta.servlet.ServletRequest;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.coyote.Request;
import org.jspecify.annotations.Nullable;

/**
 * Collects the facts of one request as they are learned: the source of its problem document, its
 * log line and its record.
 *
 * <p>Each request has its own, from the first valve to the last; one thread at a time uses it.
 */
final class RequestFacts {
  private static final String ATTRIBUTE = RequestFacts.class.getName();

  private final Set<Check> passed = EnumSet.noneOf(Check.class);
  private @Nullable String id;
  private @Nullable InetAddress address;
  private @Nullable String clientId;
  private boolean claimed;
  private RegisteredClient.@Nullable Key verifiedKey;
  private @Nullable Denial denial;
  private boolean open;

  /** The facts of a request. */
  static RequestFacts of(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof RequestFacts facts) {
      return facts;
    }
    RequestFacts facts = new RequestFacts();
    request.setAttribute(ATTRIBUTE, facts);
    return facts;
  }

  /**
   * Creates the facts of a request before the engine's pipeline runs; {@link #of} finds them there.
   */
  static RequestFacts ahead(Request request) {
    RequestFacts facts = new RequestFacts();
    request.setAttribute(ATTRIBUTE, facts);
    return facts;
  }

  /**
   * Enters a check, runs it and notes it as passed. A check may be entered again.
   *
   * @throws DeniedException when the check refuses the request; the denial names the check. What is
   *     no refusal, such as a defect or a store that does not answer, passes through without it.
   */
  <T> T enter(Check check, Supplier<T> step) {
    try {
      T result = step.get();
      passed.add(check);
      return result;
    } catch (DeniedException refused) {
      throw refused.denial().in(check).asException();
    } catch (VerificationException refused) {
      throw Denial.of(refused).in(check).asException();
    }
  }

  /** Enters a check that has no result; see {@link #enter(Check, Supplier)}. */
  void enter(Check check, Runnable step) {
    enter(
        check,
        () -> {
          step.run();
          return check;
        });
  }

  /** How far the request came through the checks. */
  CheckProgress progress() {
    Check last = null;
    for (Check check : Check.values()) {
      if (!passed.contains(check)) {
        break;
      }
      last = check;
    }
    return new CheckProgress(last, denial == null ? null : denial.check());
  }

  void noteId(String requestId) {
    id = requestId;
  }

  Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /** The caller's own address, as {@link Forwarding} finds it. */
  void noteAddress(InetAddress caller) {
    address = caller;
  }

  Optional<InetAddress> address() {
    return Optional.ofNullable(address);
  }

  /**
   * Notes the client that the keyid names. Until the signature verifies this is a claim; it counts
   * as {@link Standing#CLAIMED} only where the client is enabled and the address is on its
   * whitelist.
   */
  void noteNamed(RegisteredClient client, InetAddress caller) {
    clientId = client.clientId();
    claimed = client.enabled() && client.whitelist().allows(caller);
  }

  Optional<String> clientId() {
    return Optional.ofNullable(clientId);
  }

  /** The signature has verified with this key. */
  void noteVerified(RegisteredClient.Key key) {
    verifiedKey = key;
  }

  Optional<RegisteredClient.Key> verifiedKey() {
    return Optional.ofNullable(verifiedKey);
  }

  Standing standing() {
    if (verifiedKey != null) {
      return Standing.VERIFIED;
    }
    return claimed ? Standing.CLAIMED : Standing.ANONYMOUS;
  }

  void noteDenial(Denial refusal) {
    denial = refusal;
  }

  Optional<Denial> denial() {
    return Optional.ofNullable(denial);
  }

  /** The request asked for what anybody may read. */
  void noteOpen() {
    open = true;
  }

  boolean isOpen() {
    return open;
  }
}
