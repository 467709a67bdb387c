package dev.countersign.server.operators.signin;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Author;
import dev.countersign.server.clients.TestClock;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.OperatorException;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.operators.sessions.SessionLimits;
import dev.countersign.server.operators.sessions.SessionStore;
import dev.countersign.server.operators.signin.SignIn.Surroundings;
import dev.countersign.server.store.Database;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** One node's accounts on a real store, with a clock, sleeps and hashes that a test can observe. */
public final class Bench {
  public static final String GOOD = "seven quiet rivers";

  public final TestClock clock;
  public final SecureRandom random = new SecureRandom();
  public final CountingEncoder encoder = new CountingEncoder();
  public final List<Duration> slept = Collections.synchronizedList(new ArrayList<>());
  public final Database database;
  public final AuditTrail audit;
  public final Passwords passwords;
  public final OperatorStore store;
  public final OneTimeLinkService links;
  public final SignIn signIn;
  public final SessionStore sessions;
  public final OpenIdAccounts openId;

  public Bench(Database database) {
    this(database, new TestClock());
  }

  public Bench(Database database, TestClock clock) {
    this.clock = clock;
    this.database = database;
    audit = new AuditTrail(database, clock);
    passwords =
        new Passwords(encoder, new PasswordHashLimiter(2, 50, Duration.ofSeconds(5)), random);
    encoder.reset();
    store = new OperatorStore(database, audit, clock, random).by(Author.command("root"));
    links = new OneTimeLinkService(database, audit, passwords, clock, random);
    signIn =
        new SignIn(
            database, audit, passwords, clock, random, new Surroundings(Runnable::run, slept::add));
    sessions = new SessionStore(database, SessionLimits.STANDARD, clock, random);
    openId = new OpenIdAccounts(database, audit, clock, random, Runnable::run);
  }

  /** An account that can sign in. */
  public Operator operator(String name, OperatorRole role) {
    return links.redeem(store.add(name, role).token(), GOOD, address("192.0.2.1"));
  }

  public SignIn.SignedIn enter(String name) {
    return signIn.password(name, GOOD, address("192.0.2.1"), null);
  }

  public SignInException refused(
      String name, CharSequence password, String address, String device) {
    return Assertions.catchThrowableOfType(
        SignInException.class, () -> signIn.password(name, password, address(address), device));
  }

  public SignInException.Reason reason(String name, CharSequence password, String address) {
    return refused(name, password, address, null).reason();
  }

  public static OperatorException.Reason reason(ThrowingCallable change) {
    return Assertions.catchThrowableOfType(OperatorException.class, change).reason();
  }

  /** The actions of the audit trail, in order. */
  public List<String> actions() {
    return column("action");
  }

  public List<String> column(String column) {
    return database.read(
        sql ->
            sql.sql("SELECT " + column + " FROM audit_entries ORDER BY seq")
                .query(String.class)
                .list());
  }

  public long rows(String table) {
    return database.read(
        sql -> sql.sql("SELECT count(*) FROM " + table).query(Long.class).single());
  }

  public static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  /** Runs both at once. */
  public static <T> List<T> both(Callable<T> one, Callable<T> other) throws Exception {
    try (TestThreads threads = TestThreads.of(2)) {
      Future<T> first = threads.submit(one);
      Future<T> second = threads.submit(other);
      return List.of(Waits.forResult(first), Waits.forResult(second));
    }
  }
}
