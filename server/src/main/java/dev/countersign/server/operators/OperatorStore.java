package dev.countersign.server.operators;

import static dev.countersign.server.operators.OperatorException.Reason.AMBIGUOUS;
import static dev.countersign.server.operators.OperatorException.Reason.INVALID;
import static dev.countersign.server.operators.OperatorException.Reason.LAST_ADMINISTRATOR;
import static dev.countersign.server.operators.OperatorException.Reason.NAME_TAKEN;
import static dev.countersign.server.operators.OperatorException.Reason.NOT_ENABLED;
import static dev.countersign.server.operators.OperatorException.Reason.NOT_FOUND;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.operators.Operator.Source;
import dev.countersign.server.operators.Operator.Status;
import dev.countersign.server.store.Database;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Stores the operators' accounts and checks each change.
 *
 * <p>Each change is one transaction together with its entry in the audit trail. A refused change
 * throws {@link OperatorException} and changes nothing. Changes are serialized across all nodes. So
 * two changes at once cannot remove the last two administrators.
 */
public final class OperatorStore {
  private final Database database;
  private final AuditTrail audit;
  private final Clock clock;
  private final SecureRandom random;
  private final SignInMethods signInMethods;
  private final Author author;

  /**
   * Creates a store that names the service as the author of changes and allows sign-in by password
   * only.
   */
  public OperatorStore(Database database, AuditTrail audit, Clock clock, SecureRandom random) {
    this(database, audit, clock, random, SignInMethods.PASSWORDS, Author.service());
  }

  private OperatorStore(
      Database database,
      AuditTrail audit,
      Clock clock,
      SecureRandom random,
      SignInMethods signInMethods,
      Author author) {
    this.database = database;
    this.audit = audit;
    this.clock = clock;
    this.random = random;
    this.signInMethods = signInMethods;
    this.author = author;
  }

  /** Returns a store that names this author in the audit trail. */
  public OperatorStore by(Author author) {
    return new OperatorStore(database, audit, clock, random, signInMethods, author);
  }

  /** Returns a store for a configuration that allows these methods of sign-in. */
  public OperatorStore withSignInMethods(SignInMethods methods) {
    return new OperatorStore(database, audit, clock, random, methods, author);
  }

  /** Returns the operators that are not removed, sorted by name. */
  public List<Operator> list() {
    return database.read(sql -> new OperatorRows(sql).list());
  }

  /** Returns the operator with this id; empty if there is none or it was removed. */
  public Optional<Operator> find(String id) {
    return database
        .read(sql -> new OperatorRows(sql).find(id))
        .filter(operator -> operator.status() != Status.REMOVED);
  }

  /**
   * Finds an operator by name or id.
   *
   * @throws OperatorException if there is no such operator, or several operators have the name
   */
  public Operator named(String nameOrId) {
    Optional<Operator> byId = find(nameOrId);
    if (byId.isPresent()) {
      return byId.get();
    }
    List<Operator> named =
        database.read(sql -> new OperatorRows(sql).findByName(OperatorNames.key(nameOrId)));
    if (named.isEmpty()) {
      throw new OperatorException(NOT_FOUND, "there is no operator with the name " + nameOrId);
    }
    if (named.size() > 1) {
      String ids = named.stream().map(Operator::id).collect(Collectors.joining(", "));
      throw new OperatorException(
          AMBIGUOUS,
          "several operators have the name " + nameOrId + "; give one of the ids " + ids);
    }
    return named.getFirst();
  }

  /** Creates a password account and the link that sets its password. */
  public OneTimeLink add(String name, OperatorRole role) {
    String validName = OperatorNames.requireValid(name);
    return database.write(
        sql -> {
          OperatorRows rows = new OperatorRows(sql);
          rows.lock();
          requireFree(rows, validName);
          Operator operator = NewOperators.password(tokens().id(), validName, role, clock);
          rows.insert(operator);
          OneTimeLink link = links(sql).make(operator);
          record(sql, OperatorChange.added(operator));
          return link;
        });
  }

  /**
   * Ends the sessions of an operator, forgets the known devices, and creates a link that sets a new
   * password. The old password works until the link is used.
   */
  public OneTimeLink reset(String id) {
    return database.write(
        sql -> {
          OperatorRows rows = new OperatorRows(sql);
          rows.lock();
          Operator operator = require(rows, id);
          requireResettable(operator);
          rows.endSessions(id);
          rows.forgetDevices(id);
          OneTimeLink link = links(sql).make(operator);
          record(sql, OperatorChange.of("operator.reset", operator, operator));
          return link;
        });
  }

  /** Ends the operator's sessions at once and refuses sign-ins until {@link #enable}. */
  public Operator disable(String id) {
    return changeStatus(id, "operator.disabled", Status.DISABLED);
  }

  public Operator enable(String id) {
    return changeStatus(id, "operator.enabled", Status.ENABLED);
  }

  /**
   * Removes the account permanently. A removed OpenID account cannot be created again. To lock an
   * account for a while, use {@link #disable}.
   */
  public Operator remove(String id) {
    return changeStatus(id, "operator.removed", Status.REMOVED);
  }

  /** Changes the role of a password account. The new role also applies to running sessions. */
  public Operator changeRole(String id, OperatorRole role) {
    return database.write(
        sql -> {
          OperatorRows rows = new OperatorRows(sql);
          rows.lock();
          Operator before = require(rows, id);
          if (before.source() == Source.OPENID) {
            throw new OperatorException(
                INVALID,
                before.name()
                    + " signs in with OpenID, and the provider's groups determine the role: change"
                    + " the groups at the provider");
          }
          return applyChange(sql, "operator.role-changed", before, before.withRole(role));
        });
  }

  private Operator changeStatus(String id, String action, Status status) {
    return database.write(
        sql -> {
          OperatorRows rows = new OperatorRows(sql);
          rows.lock();
          Operator before = require(rows, id);
          return applyChange(sql, action, before, before.withStatus(status));
        });
  }

  private Operator applyChange(JdbcClient sql, String action, Operator before, Operator after) {
    if (after.equals(before)) {
      return before;
    }
    OperatorRows rows = new OperatorRows(sql);
    requireAnotherAdministrator(rows, before, after);
    rows.update(after);
    if (after.status() != Status.ENABLED) {
      rows.endSessions(after.id());
      rows.forgetDevices(after.id());
      rows.dropLink(after.id());
    }
    if (after.status() == Status.REMOVED) {
      rows.setPassword(after.id(), null);
    }
    record(sql, OperatorChange.of(action, before, after));
    return rows.find(after.id()).orElseThrow();
  }

  private void requireAnotherAdministrator(OperatorRows rows, Operator before, Operator after) {
    if (!canAdminister(before) || canAdminister(after)) {
      return;
    }
    boolean another =
        rows.list().stream()
            .anyMatch(other -> canAdminister(other) && !other.id().equals(before.id()));
    if (!another) {
      throw new OperatorException(
          LAST_ADMINISTRATOR,
          before.name()
              + " is the last administrator who can sign in: first add another administrator, who"
              + " must set a password");
    }
  }

  private boolean canAdminister(Operator operator) {
    return operator.isAdministrator() && signInMethods.admit(operator);
  }

  private static void requireFree(OperatorRows rows, String name) {
    if (rows.findAccount(OperatorNames.key(name)).isPresent()) {
      throw new OperatorException(
          NAME_TAKEN,
          "there is already an operator with the name " + name + "; choose another name");
    }
  }

  private static void requireResettable(Operator operator) {
    if (operator.source() == Source.OPENID) {
      throw new OperatorException(
          INVALID, operator.name() + " signs in with OpenID and has no password here");
    }
    if (operator.status() != Status.ENABLED) {
      throw new OperatorException(
          NOT_ENABLED,
          operator.name() + " is disabled; enable the account before you reset its password");
    }
  }

  private static Operator require(OperatorRows rows, String id) {
    return rows.find(id)
        .filter(operator -> operator.status() != Status.REMOVED)
        .orElseThrow(
            () -> new OperatorException(NOT_FOUND, "operator " + id + " no longer exists"));
  }

  private void record(JdbcClient sql, OperatorChange change) {
    audit.append(sql, author, change.entry());
  }

  private LinkRows links(JdbcClient sql) {
    return new LinkRows(sql, tokens(), clock);
  }

  private Tokens tokens() {
    return new Tokens(random);
  }
}
