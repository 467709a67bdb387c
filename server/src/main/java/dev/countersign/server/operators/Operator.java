package dev.countersign.server.operators;

import dev.countersign.server.audit.Author;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A person who runs the service.
 *
 * @param id the permanent identifier of the account; random
 * @param name 1 to 64 visible characters; unique, ignoring case, among the password accounts that
 *     are not removed. An OpenID account may have the same name as another account
 * @param role the operator's role
 * @param status whether the operator may sign in
 * @param source how the operator signs in
 * @param issuer the OpenID provider, for an OpenID account
 * @param subject the provider's identifier of the person, for an OpenID account
 * @param hasPassword whether a password was set
 * @param generation incremented by each change that ends all sessions of the account, such as a new
 *     password
 * @param createdAt when the account was created
 * @param lastSignInAt when the operator last signed in; null before the first sign-in
 */
public record Operator(
    String id,
    String name,
    OperatorRole role,
    Status status,
    Source source,
    @Nullable String issuer,
    @Nullable String subject,
    boolean hasPassword,
    long generation,
    Instant createdAt,
    @Nullable Instant lastSignInAt) {

  /** The status of an account. */
  public enum Status {
    ENABLED,
    /** The operator cannot sign in until the account is enabled again. */
    DISABLED,
    /** The operator can never sign in again. */
    REMOVED;

    /** Returns the word for commands, pages and the audit trail. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Status parse(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** The way in which an operator signs in. */
  public enum Source {
    PASSWORD,
    OPENID;

    /** Returns the word for commands, pages and the audit trail. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Source parse(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** Returns whether the operator may change things. */
  public boolean isAdministrator() {
    return role == OperatorRole.ADMINISTRATOR;
  }

  /**
   * Returns the name for the audit trail. The name of an OpenID account need not be unique, so its
   * subject and issuer follow it.
   */
  public String auditName() {
    return source == Source.OPENID ? name + " (" + subject + " at " + issuer + ")" : name;
  }

  /** Returns the operator as the author of a change that comes from this address. */
  public Author author(InetAddress address) {
    return Author.operator(auditName(), Addresses.text(address));
  }

  boolean canSignIn() {
    return status == Status.ENABLED && (source == Source.OPENID || hasPassword);
  }

  Operator withStatus(Status status) {
    return copy(name, role, status);
  }

  public Operator withRole(OperatorRole role) {
    return copy(name, role, status);
  }

  public Operator withName(String name) {
    return copy(name, role, status);
  }

  private Operator copy(String name, OperatorRole role, Status status) {
    return new Operator(
        id,
        name,
        role,
        status,
        source,
        issuer,
        subject,
        hasPassword,
        generation,
        createdAt,
        lastSignInAt);
  }
}
