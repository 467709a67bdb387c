package dev.countersign.server.access;

import dev.countersign.pagination.PageParameterException;
import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.Database;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The client that sent a verified request.
 *
 * <p>Only {@link RequestAuthenticator} creates instances, after the signature has verified.
 */
public final class CallingClient {
  private final RegisteredClient client;
  private final InetAddress address;
  private final String fingerprint;
  private final RequestFacts facts;
  private final Runnable freshnessCheck;

  /**
   * Creates a client as it was when its signature was verified.
   *
   * @param fingerprint the fingerprint of the key that verified the signature
   * @param facts the facts of the request
   * @param freshnessCheck checks that what the node knew of the client is not stale by now
   */
  CallingClient(
      RegisteredClient client,
      InetAddress address,
      String fingerprint,
      RequestFacts facts,
      Runnable freshnessCheck) {
    this.client = client;
    this.address = address;
    this.fingerprint = fingerprint;
    this.facts = facts;
    this.freshnessCheck = freshnessCheck;
  }

  RequestFacts facts() {
    return facts;
  }

  /**
   * Returns the view of the store for this request. All transactions of this view share the time
   * limit of the request.
   */
  public Database connections(Database database) {
    return database.forClient(clientId(), facts.storeTime());
  }

  public String clientId() {
    return client.clientId();
  }

  /** Returns the address that the client called from, which is on its network whitelist. */
  public String address() {
    return address.getHostAddress();
  }

  /** Returns the fingerprint of the key that signed the request and was live at that time. */
  public String fingerprint() {
    return fingerprint;
  }

  /** Returns what an attribute of the client admits; empty if the client does not have it. */
  public Optional<AttributeValue> attribute(String name) {
    return Optional.ofNullable(client.attributes().get(name));
  }

  /**
   * Checks {@link Check#AUTHORIZATION}: the client's roles allow the operation.
   *
   * @throws DeniedException {@link Reason#ROLE_MISSING}, naming the permission
   */
  public void require(Permission permission) {
    facts.enter(Check.AUTHORIZATION, () -> client.requirePermission(permission));
  }

  /**
   * Checks {@link Check#AUTHORIZATION}: the client's roles allow the operation, and its attributes
   * the records.
   *
   * @param attributes checks the attributes, after the roles
   * @throws DeniedException {@link Reason#ROLE_MISSING}, or the denial of {@code attributes}
   */
  public <T> T require(Permission permission, Supplier<T> attributes) {
    return facts.enter(
        Check.AUTHORIZATION,
        () -> {
          client.requirePermission(permission);
          return attributes.get();
        });
  }

  /**
   * Enters {@link Check#AUTHORIZATION} again, for a part of the check that needs the body.
   *
   * @throws DeniedException the denial of {@code part}
   */
  public <T> T authorize(Supplier<T> part) {
    return facts.enter(Check.AUTHORIZATION, part);
  }

  /**
   * Checks again that what the node knew of the client is not stale, as a part of {@link
   * Check#CLIENT}. A write calls this method before its commit. Much time may have passed since the
   * first check, because the process may have been stopped.
   *
   * @throws DeniedException {@link Reason#REGISTRY_STALE}
   */
  public void requireFresh() {
    facts.enter(Check.CLIENT, freshnessCheck);
  }

  /**
   * Runs a read, and repeats the check of {@link #requireFresh} before the first byte of the
   * answer. The check also precedes a refusal, because a refusal may reveal a record.
   *
   * @throws DeniedException {@link Reason#REGISTRY_STALE}
   */
  public <T> T answer(Supplier<T> read) {
    try {
      T answer = read.get();
      requireFresh();
      return answer;
    } catch (DeniedException | PageParameterException refused) {
      requireFresh();
      throw refused;
    }
  }

  /** Returns all attributes of the client, by name. */
  public Map<String, AttributeValue> attributes() {
    return client.attributes();
  }

  /** Passes {@link Check#AUTHORIZATION} for an operation that every client may perform. */
  public void requireNoPermission() {
    facts.enter(Check.AUTHORIZATION, () -> {});
  }

  /**
   * Repeats the checks {@code client} and {@code address}, and checks again that the key of the
   * check {@code signature} is live. These checks first ran before the body arrived, and the client
   * may have changed since. Repeat the check {@code authorization} on the result.
   *
   * @param current this client as it is now; empty if it was removed
   * @param now the time at which the key must be live
   * @return the caller as it is now
   * @throws DeniedException for the first check that no longer passes
   */
  public CallingClient requireUnchanged(Optional<RegisteredClient> current, Instant now) {
    RegisteredClient currentClient = facts.enter(Check.CLIENT, () -> enabled(current));
    facts.enter(Check.ADDRESS, () -> currentClient.requireAllowed(address));
    facts.enter(Check.SIGNATURE, () -> requireLiveKey(currentClient, now));
    return new CallingClient(currentClient, address, fingerprint, facts, freshnessCheck);
  }

  private static RegisteredClient enabled(Optional<RegisteredClient> current) {
    RegisteredClient client =
        current.orElseThrow(
            () ->
                new DeniedException(
                    Reason.CLIENT_UNKNOWN,
                    "the client was removed while the request was processed"));
    client.requireEnabled();
    return client;
  }

  private void requireLiveKey(RegisteredClient currentClient, Instant now) {
    if (currentClient.keys().stream()
        .noneMatch(key -> key.fingerprint().equals(fingerprint) && key.isLiveAt(now))) {
      throw new DeniedException(
          Reason.SIGNATURE_MISMATCH,
          "the key that signed the request has ended or was removed; sign with a live key");
    }
  }
}
