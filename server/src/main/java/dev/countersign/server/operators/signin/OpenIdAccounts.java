package dev.countersign.server.operators.signin;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Change;
import dev.countersign.server.operators.NewOperators;
import dev.countersign.server.operators.OpenIdIdentity;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.Operator.Status;
import dev.countersign.server.operators.OperatorChange;
import dev.countersign.server.operators.OperatorNames;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorRows;
import dev.countersign.server.operators.Tokens;
import dev.countersign.server.store.Database;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The accounts of people who sign in by OpenID. An account is created at the first sign-in and
 * identified by issuer and subject only, never by a name that it shares with a password account.
 */
public final class OpenIdAccounts {
  private static final Logger log = LoggerFactory.getLogger(OpenIdAccounts.class);

  private final Database database;
  private final AuditTrail audit;
  private final RefusedSignIns refusals;
  private final Clock clock;
  private final Tokens tokens;

  /**
   * @param background the executor that writes audit entries about refusals, so that no answer
   *     waits for them; one thread is enough
   */
  public OpenIdAccounts(
      Database database, AuditTrail audit, Clock clock, SecureRandom random, Executor background) {
    this.database = database;
    this.audit = audit;
    this.refusals = new RefusedSignIns(database, audit, clock, background);
    this.clock = clock;
    this.tokens = new Tokens(random);
  }

  /**
   * Signs in a person whom the provider has authenticated, with the role and the name from this
   * sign-in.
   *
   * @throws SignInException if the account is disabled or was removed
   */
  public Operator signIn(OpenIdIdentity identity, OperatorRole role, InetAddress address) {
    Operator operator =
        database.write(
            sql -> {
              OperatorRows rows = new OperatorRows(sql);
              rows.lock();
              return rows.findOpenId(identity.issuer(), identity.subject())
                  .map(known -> updateAndSignIn(sql, known, identity, role, address))
                  .orElseGet(() -> createAndSignIn(sql, identity, role, address));
            });
    if (operator.status() != Status.ENABLED) {
      refusals.note(operator, address);
      throw SignInException.refused();
    }
    return operator;
  }

  /**
   * Refuses a person whom the provider has authenticated but whose groups give no role. The
   * account's sessions end and it loses the administrator role, even if it was the last
   * administrator.
   */
  public void refuse(OpenIdIdentity identity, InetAddress address) {
    Optional<Operator> known =
        database.write(
            sql -> {
              OperatorRows rows = new OperatorRows(sql);
              rows.lock();
              return rows.findOpenId(identity.issuer(), identity.subject())
                  .map(account -> revokeAccess(sql, account, address));
            });
    refusals.note(known.orElse(null), address);
  }

  /** Ends the account's sessions and takes the administrator role from it. */
  private Operator revokeAccess(JdbcClient sql, Operator before, InetAddress address) {
    OperatorRows rows = new OperatorRows(sql);
    rows.endSessions(before.id());
    if (!before.isAdministrator() || before.status() == Status.REMOVED) {
      return before;
    }
    Operator after = before.withRole(OperatorRole.VIEWER);
    rows.update(after);
    audit.append(
        sql,
        after.author(address),
        OperatorChange.of("operator.role-changed", before, after).entry());
    log.warn(
        "according to the OpenID provider, operator {} is no longer an administrator", before.id());
    return after;
  }

  private Operator createAndSignIn(
      JdbcClient sql, OpenIdIdentity identity, OperatorRole role, InetAddress address) {
    Operator operator = NewOperators.openId(tokens.id(), identity, role, clock);
    new OperatorRows(sql).insert(operator);
    audit.append(sql, operator.author(address), OperatorChange.added(operator).entry());
    return recordSignIn(sql, operator, address);
  }

  /**
   * Updates the account with the provider's name and role, and records the sign-in. An account that
   * is not enabled stays as it is, and no sign-in is recorded.
   */
  private Operator updateAndSignIn(
      JdbcClient sql,
      Operator before,
      OpenIdIdentity identity,
      OperatorRole role,
      InetAddress address) {
    if (before.status() != Status.ENABLED) {
      return before;
    }
    String name = OperatorNames.derive(identity.name(), identity.subject());
    Operator after = before.withName(name).withRole(role);
    if (!after.equals(before)) {
      new OperatorRows(sql).update(after);
      String action = after.role() == before.role() ? "operator.renamed" : "operator.role-changed";
      audit.append(sql, after.author(address), OperatorChange.of(action, before, after).entry());
    }
    return recordSignIn(sql, after, address);
  }

  private Operator recordSignIn(JdbcClient sql, Operator operator, InetAddress address) {
    OperatorRows rows = new OperatorRows(sql);
    if (!rows.tryRecordSignIn(operator, clock.instant().truncatedTo(ChronoUnit.MILLIS))) {
      // The sessions of the account ended after this transaction had read the account.
      throw SignInException.refused();
    }
    audit.append(
        sql,
        operator.author(address),
        Change.of("operator.signed-in", OperatorChange.subject(operator)));
    return rows.find(operator.id()).orElseThrow();
  }
}
