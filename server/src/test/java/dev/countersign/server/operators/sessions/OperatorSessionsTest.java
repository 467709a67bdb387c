package dev.countersign.server.operators.sessions;

import static dev.countersign.server.operators.signin.Bench.address;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.sessions.SessionStore.NewSession;
import dev.countersign.server.operators.signin.AuthorizationRequestStore;
import dev.countersign.server.operators.signin.Bench;
import dev.countersign.server.operators.signin.BenchFixture;
import dev.countersign.server.operators.signin.SignIn;
import dev.countersign.server.operators.signin.StoredAuthorizationRequest;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.server.store.purge.Purge;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(TestStore.OF_THIS_RUN)
class OperatorSessionsTest extends BenchFixture {
  @Test
  void find_newSession_isThatOfTheOperator() {
    NewSession started = start("ada", OperatorRole.VIEWER);
    OperatorSession found = find(started, SessionActivity.USER);
    assertThat(started.token()).matches("[A-Za-z0-9_-]{43}");
    assertThat(found.id()).isEqualTo(started.session().id()).isNotEqualTo(started.token());
    assertThat(found.operator().name()).isEqualTo("ada");
    assertThat(found.startedAt()).isEqualTo(bench.clock.instant());
    assertThat(found.expiresAt()).isEqualTo(bench.clock.instant().plus(Duration.ofMinutes(30)));
    assertThat(found.address()).isEqualTo("192.0.2.1");
    assertThat(found.userAgent()).hasSize(200).startsWith("Firefoxx");
    assertThat(bench.sessions.of(found.operator().id())).containsExactly(found);
    assertThat(bench.sessions.find("x", SessionActivity.USER)).isEmpty();
    assertThat(bench.sessions.find(found.id(), SessionActivity.USER)).isEmpty();
  }

  @Test
  void find_afterTheIdleLimit_isGone() {
    NewSession session = start("ada", OperatorRole.VIEWER);
    advance(Duration.ofMinutes(30).minusMillis(1));
    assertThat(find(session, SessionActivity.BACKGROUND)).isNotNull();
    advance(Duration.ofMillis(1));
    assertThat(find(session, SessionActivity.USER)).isNull();
    assertThat(bench.sessions.of(session.session().operator().id())).isEmpty();
  }

  @Test
  void find_inTheBackground_keepsNoSessionAlive() {
    NewSession session = start("ada", OperatorRole.VIEWER);
    for (int i = 0; i < 29; i++) {
      advance(Duration.ofMinutes(1));
      assertThat(find(session, SessionActivity.BACKGROUND)).isNotNull();
    }
    advance(Duration.ofMinutes(1));
    assertThat(find(session, SessionActivity.BACKGROUND)).isNull();
  }

  @Test
  void find_byTheUser_keepsItAliveUntilTheAbsoluteLimit() {
    NewSession session = start("ada", OperatorRole.VIEWER);
    for (int i = 0; i < 35; i++) {
      advance(Duration.ofMinutes(20));
      assertThat(find(session, SessionActivity.USER)).isNotNull();
    }
    advance(Duration.ofMinutes(20).minusMillis(1));
    assertThat(find(session, SessionActivity.USER).expiresAt())
        .isEqualTo(bench.clock.instant().plusMillis(1));
    advance(Duration.ofMillis(1));
    assertThat(find(session, SessionActivity.USER)).isNull();
  }

  @Test
  void activity_manyTimesAMinute_isWrittenOnce() {
    NewSession session = start("ada", OperatorRole.VIEWER);
    Instant start = bench.clock.instant();
    advance(Duration.ofSeconds(59));
    assertThat(find(session, SessionActivity.USER).lastActiveAt()).isEqualTo(start);
    advance(Duration.ofSeconds(1));
    assertThat(find(session, SessionActivity.USER).lastActiveAt()).isEqualTo(start.plusSeconds(60));
    advance(Duration.ofSeconds(59));
    assertThat(find(session, SessionActivity.USER).lastActiveAt()).isEqualTo(start.plusSeconds(60));
  }

  @Test
  void find_roleChanged_isReadFresh() {
    NewSession session = start("ada", OperatorRole.VIEWER);
    bench.store.changeRole(session.session().operator().id(), OperatorRole.ADMINISTRATOR);
    assertThat(find(session, SessionActivity.USER).operator().isAdministrator()).isTrue();
  }

  @Test
  void find_onAnotherNode_isTheSame() {
    NewSession session = start("ada", OperatorRole.VIEWER);
    try (Database other = kind.open(data)) {
      Bench second = new Bench(other, bench.clock);
      assertThat(second.sessions.find(session.token(), SessionActivity.USER)).isPresent();
      bench.operator("root", OperatorRole.ADMINISTRATOR);
      second.store.disable(session.session().operator().id());
    }
    assertThat(find(session, SessionActivity.USER)).isNull();
  }

  @Test
  void end_oneSession_leavesTheOthers() {
    NewSession one = start("ada", OperatorRole.VIEWER);
    NewSession two = bench.sessions.start(bench.enter("ada").operator(), address("192.0.2.1"), "");
    assertThat(two.token()).isNotEqualTo(one.token());
    bench.sessions.end(one.token());
    bench.sessions.end(one.token());
    assertThat(find(one, SessionActivity.USER)).isNull();
    assertThat(find(two, SessionActivity.USER)).isNotNull();
    bench.sessions.endAll(two.session().operator().id());
    assertThat(find(two, SessionActivity.USER)).isNull();
  }

  @Test
  void purge_expiredRowsOfEachKind_areDropped() {
    NewSession session = start("ada", OperatorRole.VIEWER);
    bench.store.add("bob", OperatorRole.VIEWER);
    AuthorizationRequestStore pending = new AuthorizationRequestStore(database, bench.clock);
    pending.save("state", "browser", new StoredAuthorizationRequest("n", "v", "/"));
    AtomicBoolean fit = new AtomicBoolean(true);
    Purge purge =
        new Purge(database, Purge.Lease.withRandomNode("sessions"), fit::get, bench.clock);
    ExpiredRows expired = new ExpiredRows(purge, database.dialect(), bench.sessions);
    assertThat(expired.run(() -> false)).isZero();
    assertThat(find(session, SessionActivity.USER)).isNotNull();
    advance(Duration.ofHours(1));
    fit.set(false);
    assertThat(expired.run(() -> false)).as("by a node that is not fit").isZero();
    fit.set(true);
    assertThat(expired.run(() -> false)).isEqualTo(3);
    advance(SignIn.DEVICE_LIFETIME);
    // PostgreSQL's own clock is earlier, and it counts too.
    boolean hasOwnClock = database.dialect().isShared();
    assertThat(expired.run(() -> false)).isEqualTo(hasOwnClock ? 0 : 1);
    database.write(sql -> sql.sql("UPDATE operator_devices SET expires_at = 1").update());
    assertThat(expired.run(() -> false)).isEqualTo(hasOwnClock ? 1 : 0);
    for (String table :
        new String[] {
          "operator_sessions", "operator_links", "operator_devices", "openid_sign_ins"
        }) {
      assertThat(bench.rows(table)).as(table).isZero();
    }
    assertThat(bench.store.list()).hasSize(2);
  }

  private NewSession start(String name, OperatorRole role) {
    bench.operator(name, role);
    String browser = "Fire\u202efox" + "x".repeat(300);
    return bench.sessions.start(bench.enter(name).operator(), address("192.0.2.1"), browser);
  }

  private OperatorSession find(NewSession session, SessionActivity activity) {
    return bench.sessions.find(session.token(), activity).orElse(null);
  }

  private void advance(Duration step) {
    bench.clock.advance(step);
  }
}
