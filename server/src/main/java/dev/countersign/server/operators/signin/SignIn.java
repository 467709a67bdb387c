package dev.countersign.server.operators.signin;

import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.audit.Change;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.Operator.Status;
import dev.countersign.server.operators.OperatorChange;
import dev.countersign.server.operators.OperatorNames;
import dev.countersign.server.operators.OperatorRows;
import dev.countersign.server.operators.OperatorRows.Account;
import dev.countersign.server.operators.Tokens;
import dev.countersign.server.operators.signin.PasswordHashLimiter.Lane;
import dev.countersign.server.store.Database;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * Signs operators in by name and password.
 *
 * <p>A name without an account, an account that cannot sign in by password, and a wrong password
 * all get the same answer after the same work. {@link SignInThrottle} slows down guessing.
 */
public final class SignIn {
  /** The time for which a browser stays known to an account. */
  public static final Duration DEVICE_LIFETIME = Duration.ofDays(180);

  private final Database database;
  private final AuditTrail audit;
  private final Passwords passwords;
  private final SignInThrottle signInThrottle;
  private final RefusedSignIns refusals;
  private final Clock clock;
  private final Tokens tokens;

  /**
   * @param background the executor that writes audit entries about refusals; one thread is enough
   */
  public SignIn(
      Database database,
      AuditTrail audit,
      Passwords passwords,
      Clock clock,
      SecureRandom random,
      Executor background) {
    this(
        database,
        audit,
        passwords,
        clock,
        random,
        new Surroundings(background, time -> Thread.sleep(time)));
  }

  SignIn(
      Database database,
      AuditTrail audit,
      Passwords passwords,
      Clock clock,
      SecureRandom random,
      Surroundings surroundings) {
    this.database = database;
    this.audit = audit;
    this.passwords = passwords;
    this.signInThrottle = new SignInThrottle(clock, surroundings.sleeper());
    this.refusals = new RefusedSignIns(database, audit, clock, surroundings.background());
    this.clock = clock;
    this.tokens = new Tokens(random);
  }

  /**
   * Signs in. May wait a few seconds, so call it on a virtual thread.
   *
   * @param name as typed
   * @param password as typed
   * @param address the address that the attempt comes from
   * @param deviceToken the browser's cookie from an earlier sign-in; null if it has none
   * @throws SignInException if the sign-in fails; the exception does not reveal whether the name or
   *     the password is wrong
   */
  public SignedIn password(
      String name, CharSequence password, InetAddress address, @Nullable String deviceToken) {
    String key = OperatorNames.key(name);
    String device = knownDevice(deviceToken, key);
    SignInThrottle.Attempt attempt = signInThrottle.begin(key, address, device);
    boolean checked = false;
    try {
      Optional<Account> account = database.read(sql -> new OperatorRows(sql).findAccount(key));
      Lane lane = device == null ? Lane.ANONYMOUS : Lane.TRUSTED;
      boolean equal =
          passwords.matches(password, hash(account), lane).orElseThrow(SignInException::busy);
      Operator operator = account.map(Account::operator).orElse(null);
      Optional<SignedIn> signedIn =
          equal && operator != null ? recordSignIn(operator, address, device) : Optional.empty();
      checked = true;
      signedIn.ifPresent(in -> attempt.markSuccessful());
      return signedIn.orElseThrow(() -> refused(operator, address));
    } finally {
      if (!checked) {
        attempt.abandon();
      }
    }
  }

  private @Nullable String knownDevice(@Nullable String deviceToken, String key) {
    if (deviceToken == null) {
      return null;
    }
    String hash = Tokens.hash(deviceToken);
    boolean known = database.read(sql -> new DeviceRows(sql).isKnown(hash, key, clock.instant()));
    return known ? hash : null;
  }

  private static @Nullable String hash(Optional<Account> account) {
    return account
        .filter(found -> found.operator().status() == Status.ENABLED)
        .map(Account::passwordHash)
        .orElse(null);
  }

  // Returns empty if the account was disabled or its password changed during the check.
  private Optional<SignedIn> recordSignIn(
      Operator operator, InetAddress address, @Nullable String usedDevice) {
    String deviceToken = tokens.secret();
    Instant now = clock.instant().truncatedTo(ChronoUnit.MILLIS);
    return database.write(
        sql -> {
          OperatorRows rows = new OperatorRows(sql);
          if (!rows.tryRecordSignIn(operator, now)) {
            return Optional.empty();
          }
          DeviceRows devices = new DeviceRows(sql);
          if (usedDevice != null) {
            devices.delete(usedDevice);
          }
          devices.insert(Tokens.hash(deviceToken), operator.id(), now, now.plus(DEVICE_LIFETIME));
          Operator after = rows.find(operator.id()).orElseThrow();
          audit.append(
              sql,
              after.author(address),
              Change.of("operator.signed-in", OperatorChange.subject(after)));
          return Optional.of(new SignedIn(after, deviceToken));
        });
  }

  private SignInException refused(@Nullable Operator operator, InetAddress address) {
    refusals.note(operator, address);
    return SignInException.refused();
  }

  /** The executor for audit entries, and the sleeper that delays attempts. */
  record Surroundings(Executor background, SignInThrottle.Sleeper sleeper) {}

  /**
   * A successful sign-in.
   *
   * @param operator the operator who signed in
   * @param deviceToken the secret that marks the browser as known to the operator; for a cookie
   *     only, valid for {@link SignIn#DEVICE_LIFETIME}
   */
  public record SignedIn(Operator operator, String deviceToken) {

    /** Returns a string without the token. */
    @Override
    public String toString() {
      return "SignedIn[" + operator + "]";
    }
  }
}
