package dev.countersign.server.operators;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.operators.SignIn.Surroundings;
import dev.countersign.server.store.Database;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** One node's accounts on a real store, with a clock, sleeps and hashes that a test can see. */
final class Bench {
  static final String GOOD = "seven quiet rivers";

  final TestClock clock;
  final SecureRandom random = new SecureRandom();
  final CountingEncoder encoder = new CountingEncoder();
  final List<Duration> slept = Collections.synchronizedList(new ArrayList<>());
  final Database database;
  final AuditTrail audit;
  final Passwords passwords;
  final OperatorStore store;
  final OneTimeLinks links;
  final SignIn signIn;
  final OperatorSessions sessions;
  final OpenIdAccounts openId;

  Bench(Database database) {
    this(database, new TestClock());
  }

  Bench(Database database, TestClock clock) {
    this.clock = clock;
    this.database = database;
    audit = new AuditTrail(database, clock);
    passwords = new Passwords(encoder, new HashGate(2, 50, Duration.ofSeconds(5)), random);
    encoder.reset();
    store = new OperatorStore(database, audit, clock, random).by(Author.command("root"));
    links = new OneTimeLinks(database, audit, passwords, clock, random);
    signIn =
        new SignIn(
            database, audit, passwords, clock, random, new Surroundings(Runnable::run, slept::add));
    sessions = new OperatorSessions(database, SessionLimits.STANDARD, clock, random);
    openId = new OpenIdAccounts(database, audit, clock, random, Runnable::run);
  }

  /** An account that can sign in. */
  Operator operator(String name, Role role) {
    return links.redeem(store.add(name, role).token(), GOOD, address("192.0.2.1"));
  }

  SignedIn enter(String name) {
    return signIn.password(name, GOOD, address("192.0.2.1"), null);
  }

  SignInException refused(String name, CharSequence password, String address, String device) {
    return Assertions.catchThrowableOfType(
        SignInException.class, () -> signIn.password(name, password, address(address), device));
  }

  SignInException.Reason reason(String name, CharSequence password, String address) {
    return refused(name, password, address, null).reason();
  }

  static OperatorException.Reason reason(ThrowingCallable change) {
    return Assertions.catchThrowableOfType(OperatorException.class, change).reason();
  }

  /** The actions of the audit trail, in order. */
  List<String> actions() {
    return column("action");
  }

  List<String> column(String column) {
    return database.read(
        sql ->
            sql.sql("SELECT " + column + " FROM audit_entries ORDER BY seq")
                .query(String.class)
                .list());
  }

  long rows(String table) {
    return database.read(
        sql -> sql.sql("SELECT count(*) FROM " + table).query(Long.class).single());
  }

  static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
