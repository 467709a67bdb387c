package dev.countersign.server.operators.signin;

import static dev.countersign.server.operators.OperatorException.Reason.BUSY;
import static dev.countersign.server.operators.OperatorException.Reason.LINK_INVALID;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.operators.LinkRows;
import dev.countersign.server.operators.NewOperators;
import dev.countersign.server.operators.OneTimeLink;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.Operator.Status;
import dev.countersign.server.operators.OperatorChange;
import dev.countersign.server.operators.OperatorException;
import dev.countersign.server.operators.OperatorNames;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorRows;
import dev.countersign.server.operators.Tokens;
import dev.countersign.server.store.Database;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Redeems one-time links. Each link sets a password once, within an hour of its creation. A refused
 * password does not use up the link.
 */
public final class OneTimeLinkService {
  private final Database database;
  private final AuditTrail audit;
  private final Passwords passwords;
  private final Clock clock;
  private final SecureRandom random;

  public OneTimeLinkService(
      Database database, AuditTrail audit, Passwords passwords, Clock clock, SecureRandom random) {
    this.database = database;
    this.audit = audit;
    this.passwords = passwords;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Returns the purpose of a link; empty if the link was used or replaced, has expired or never
   * existed, or if its account is not enabled.
   */
  public Optional<OneTimeLink.Target> find(String token) {
    return database
        .read(sql -> links(sql).find(token))
        .filter(
            target -> target.operator() == null || target.operator().status() == Status.ENABLED);
  }

  /**
   * Sets the password of the link's account, ends the account's sessions and forgets its devices.
   *
   * @throws OperatorException if the link is no longer valid or the password is not allowed
   */
  public Operator redeem(String token, CharSequence password, InetAddress address) {
    Operator operator =
        find(token).map(OneTimeLink.Target::operator).orElseThrow(OneTimeLinkService::invalid);
    String hash = hash(password, operator.name());
    return database.write(
        sql -> {
          OperatorRows rows = new OperatorRows(sql);
          rows.lock();
          takeLink(sql, token);
          rows.setPassword(operator.id(), hash);
          rows.endSessions(operator.id());
          rows.forgetDevices(operator.id());
          Operator after = rows.find(operator.id()).orElseThrow();
          audit.append(
              sql,
              after.author(address),
              OperatorChange.of("operator.password-set", operator, after).entry());
          return after;
        });
  }

  /**
   * Returns whether the first administrator must still be created: there is no enabled
   * administrator, and no password account was ever created. Viewers who sign in by OpenID do not
   * count.
   */
  public boolean needsFirstAdministrator() {
    return database.read(sql -> new OperatorRows(sql).needsFirstAdministrator());
  }

  /**
   * Creates a link for the first administrator and deletes the previous link of this node. Returns
   * empty if {@link #needsFirstAdministrator} is false. The link is shown once, to the person who
   * starts the service. The first use of any node's link invalidates the links of all nodes.
   *
   * @param node a name of the node that stays the same when the node restarts
   */
  public Optional<OneTimeLink> makeFirst(String node) {
    return database.write(
        sql -> {
          OperatorRows rows = new OperatorRows(sql);
          rows.lock();
          if (!rows.needsFirstAdministrator()) {
            links(sql).deleteForFirstAdministrator();
            return Optional.empty();
          }
          return Optional.of(links(sql).createForFirstAdministrator(node));
        });
  }

  /**
   * Creates the first administrator.
   *
   * @throws OperatorException if the link is no longer valid, or the name or the password is not
   *     allowed
   */
  public Operator redeemFirst(
      String token, String name, CharSequence password, InetAddress address) {
    if (find(token).filter(OneTimeLink.Target::isFirst).isEmpty()) {
      throw invalid();
    }
    String validName = OperatorNames.requireValid(name);
    String hash = hash(password, validName);
    return database.write(
        sql -> {
          OperatorRows rows = new OperatorRows(sql);
          rows.lock();
          takeLink(sql, token);
          if (!rows.needsFirstAdministrator()) {
            throw invalid();
          }
          Operator first =
              NewOperators.password(
                  new Tokens(random).id(), validName, OperatorRole.ADMINISTRATOR, clock);
          rows.insert(first);
          rows.setPassword(first.id(), hash);
          links(sql).deleteForFirstAdministrator();
          audit.append(sql, first.author(address), OperatorChange.added(first).entry());
          return rows.find(first.id()).orElseThrow();
        });
  }

  private String hash(CharSequence password, String name) {
    PasswordRules.check(password, name);
    return passwords
        .hash(password)
        .orElseThrow(
            () ->
                new OperatorException(
                    BUSY, "too many passwords are being checked; try again in a few seconds"));
  }

  private void takeLink(JdbcClient sql, String token) {
    if (!links(sql).take(token)) {
      throw invalid();
    }
  }

  private LinkRows links(JdbcClient sql) {
    return new LinkRows(sql, new Tokens(random), clock);
  }

  private static OperatorException invalid() {
    return new OperatorException(
        LINK_INVALID,
        "this link was used or replaced, or has expired: ask an administrator for a new link, or"
            + " run countersign operators reset on the server");
  }
}
