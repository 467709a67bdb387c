package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.store.RequestTime;
import dev.countersign.signatures.base.VerificationException;
import jakarta.servlet.ServletRequest;
import java.net.InetAddress;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.coyote.Request;
import org.jspecify.annotations.Nullable;

/**
 * Collects the facts about a request for its problem document, its log line and its record.
 *
 * <p>Each request has one instance, from the first valve to the last. One thread at a time uses it.
 */
public final class RequestFacts {
  private static final String ATTRIBUTE = RequestFacts.class.getName();

  private final Set<Check> passed = EnumSet.noneOf(Check.class);
  private final RequestTime storeTime = new RequestTime();
  private @Nullable String id;
  private @Nullable InetAddress address;
  private @Nullable String clientId;
  private boolean claimed;
  private RegisteredClient.@Nullable Key verifiedKey;
  private @Nullable Denial denial;
  private Map<String, String> headers = Map.of();
  private boolean forOpenPath;
  private boolean logged;

  /** Returns the facts of a request. */
  public static RequestFacts of(ServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof RequestFacts facts) {
      return facts;
    }
    RequestFacts facts = new RequestFacts();
    request.setAttribute(ATTRIBUTE, facts);
    return facts;
  }

  /**
   * Creates the facts of a request before the engine's pipeline runs; {@link #of} returns them
   * later.
   */
  public static RequestFacts createBeforePipeline(Request request) {
    RequestFacts facts = new RequestFacts();
    request.setAttribute(ATTRIBUTE, facts);
    return facts;
  }

  /**
   * Enters a check, runs it and marks it as passed. A check may be entered again.
   *
   * @throws DeniedException if the check refuses the request; the denial names the check, unless it
   *     is {@link Reason#OVERLOADED}, which is not the fault of the request. Other exceptions, such
   *     as a defect or a store that does not answer, pass through unchanged.
   */
  <T> T enter(Check check, Supplier<T> step) {
    try {
      T result = step.get();
      passed.add(check);
      return result;
    } catch (DeniedException refused) {
      if (refused.denial().reason() == Reason.OVERLOADED) {
        throw refused;
      }
      throw refused.denial().in(check).asException();
    } catch (VerificationException refused) {
      throw Denial.of(refused).in(check).asException();
    }
  }

  /** Runs a check without a result; see {@link #enter(Check, Supplier)}. */
  void enter(Check check, Runnable step) {
    enter(
        check,
        () -> {
          step.run();
          return check;
        });
  }

  /** Returns the progress through the checks. */
  public CheckProgress progress() {
    Check last = null;
    for (Check check : Check.values()) {
      if (!passed.contains(check)) {
        break;
      }
      last = check;
    }
    return new CheckProgress(last, denial == null ? null : denial.check());
  }

  /** Returns the time that the request may spend with the store. */
  RequestTime storeTime() {
    return storeTime;
  }

  public void noteId(String requestId) {
    id = requestId;
  }

  public Optional<String> id() {
    return Optional.ofNullable(id);
  }

  /** Records the caller's address, as {@link TrustedProxies} finds it. */
  void noteAddress(InetAddress caller) {
    address = caller;
  }

  public Optional<InetAddress> address() {
    return Optional.ofNullable(address);
  }

  /**
   * Records the client that the keyid names. This is only a claim until the signature verifies. It
   * counts as {@link TrustLevel#CLAIMED} only if the client is enabled and the address is on its
   * whitelist.
   */
  void noteNamed(RegisteredClient client, InetAddress caller) {
    clientId = client.clientId();
    claimed = client.enabled() && client.whitelist().allows(caller);
  }

  public Optional<String> clientId() {
    return Optional.ofNullable(clientId);
  }

  /** Records the key that verified the signature. */
  void noteVerified(RegisteredClient.Key key) {
    verifiedKey = key;
  }

  public Optional<RegisteredClient.Key> verifiedKey() {
    return Optional.ofNullable(verifiedKey);
  }

  public TrustLevel trust() {
    if (verifiedKey != null) {
      return TrustLevel.VERIFIED;
    }
    return claimed ? TrustLevel.CLAIMED : TrustLevel.ANONYMOUS;
  }

  /** Records the header fields of every answer of the operation. */
  public void noteHeaders(Map<String, String> fields) {
    headers = fields;
  }

  public Map<String, String> headers() {
    return headers;
  }

  public void noteDenial(Denial refusal) {
    denial = refusal;
  }

  public Optional<Denial> denial() {
    return Optional.ofNullable(denial);
  }

  /** Records that the request is for an open path, which needs no signature. */
  public void noteOpenPath() {
    forOpenPath = true;
  }

  public boolean isForOpenPath() {
    return forOpenPath;
  }

  /** Records that the request was logged. */
  public void noteLogged() {
    logged = true;
  }

  public boolean isLogged() {
    return logged;
  }
}
