package dev.countersign.server.operators;

import dev.countersign.server.audit.Author;
import java.net.InetAddress;
import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A person who runs the service.
 *
 * @param id its own name for good, which says nothing
 * @param name 1 to 64 visible characters; unique among the password accounts that are not removed,
 *     upper and lower case being the same. Two OpenID accounts may share a name, with each other
 *     and with a password account
 * @param role what it may do
 * @param status whether it may sign in
 * @param source how it signs in
 * @param issuer the OpenID provider, for an OpenID account
 * @param subject the provider's name for the person, for an OpenID account
 * @param hasPassword whether a password was set
 * @param generation counts what ends all sessions of the account, such as a new password
 * @param createdAt when it was made
 * @param lastSignInAt when it last signed in; null before the first time
 */
public record Operator(
    String id,
    String name,
    Role role,
    Status status,
    Source source,
    @Nullable String issuer,
    @Nullable String subject,
    boolean hasPassword,
    long generation,
    Instant createdAt,
    @Nullable Instant lastSignInAt) {

  /** Whether an operator may sign in. */
  public enum Status {
    ENABLED,
    /** Until it is enabled again. */
    DISABLED,
    /** For good. */
    REMOVED;

    /** Its word in commands, on pages and in the trail. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Status parse(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** How an operator signs in. */
  public enum Source {
    PASSWORD,
    OPENID;

    /** Its word in commands, on pages and in the trail. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    static Source parse(String word) {
      return valueOf(word.toUpperCase(Locale.ROOT));
    }
  }

  /** Whether it may change things. */
  public boolean isAdministrator() {
    return role == Role.ADMINISTRATOR;
  }

  /** The name that the audit trail has for it: never that of another account. */
  public String auditName() {
    return source == Source.OPENID ? name + " (" + subject + " at " + issuer + ")" : name;
  }

  /** The author of what this operator does from an address. */
  public Author author(InetAddress address) {
    return Author.operator(auditName(), Addresses.text(address));
  }

  boolean mayEnter() {
    return status == Status.ENABLED && (source == Source.OPENID || hasPassword);
  }

  Operator withStatus(Status status) {
    return copy(name, role, status);
  }

  Operator withRole(Role role) {
    return copy(name, role, status);
  }

  Operator withName(String name) {
    return copy(name, role, status);
  }

  private Operator copy(String name, Role role, Status status) {
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
