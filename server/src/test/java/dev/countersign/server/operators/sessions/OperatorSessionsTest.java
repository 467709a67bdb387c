package dev.countersign.server.operators.sessions;

import static dev.countersign.server.operators.signin.Bench.address;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.operators.Role;
import dev.countersign.server.operators.signin.Bench;
import dev.countersign.server.operators.signin.OpenIdSignIns;
import dev.countersign.server.operators.signin.PendingSignIn;
import dev.countersign.server.operators.signin.SignIn;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestStore.class)
class OperatorSessionsTest {
  @Parameter private TestStore kind;
  @TempDir private Path data;
  private Database database;
  private Bench bench;

  @BeforeEach
  void open() {
    database = kind.open(data);
    bench = new Bench(database);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void find_newSession_isThatOfTheOperator() {
    NewSession started = start("ada", Role.VIEWER);
    OperatorSession found = find(started, Activity.USER);
    assertThat(started.token()).matches("[A-Za-z0-9_-]{43}");
    assertThat(found.id()).isEqualTo(started.session().id()).isNotEqualTo(started.token());
    assertThat(found.operator().name()).isEqualTo("ada");
    assertThat(found.startedAt()).isEqualTo(bench.clock.instant());
    assertThat(found.expiresAt()).isEqualTo(bench.clock.instant().plus(Duration.ofMinutes(30)));
    assertThat(found.address()).isEqualTo("192.0.2.1");
    assertThat(found.userAgent()).hasSize(200).startsWith("Firefoxx");
    assertThat(bench.sessions.of(found.operator().id())).containsExactly(found);
    assertThat(bench.sessions.find("x", Activity.USER)).isEmpty();
    assertThat(bench.sessions.find(found.id(), Activity.USER)).isEmpty();
  }

  @Test
  void find_afterTheIdleLimit_isGone() {
    NewSession session = start("ada", Role.VIEWER);
    advance(Duration.ofMinutes(30).minusMillis(1));
    assertThat(find(session, Activity.BACKGROUND)).isNotNull();
    advance(Duration.ofMillis(1));
    assertThat(find(session, Activity.USER)).isNull();
    assertThat(bench.sessions.of(session.session().operator().id())).isEmpty();
  }

  @Test
  void find_inTheBackground_keepsNoSessionAlive() {
    NewSession session = start("ada", Role.VIEWER);
    for (int i = 0; i < 29; i++) {
      advance(Duration.ofMinutes(1));
      assertThat(find(session, Activity.BACKGROUND)).isNotNull();
    }
    advance(Duration.ofMinutes(1));
    assertThat(find(session, Activity.BACKGROUND)).isNull();
  }

  @Test
  void find_byTheUser_keepsItAliveUntilTheAbsoluteLimit() {
    NewSession session = start("ada", Role.VIEWER);
    for (int i = 0; i < 35; i++) {
      advance(Duration.ofMinutes(20));
      assertThat(find(session, Activity.USER)).isNotNull();
    }
    advance(Duration.ofMinutes(20).minusMillis(1));
    assertThat(find(session, Activity.USER).expiresAt())
        .isEqualTo(bench.clock.instant().plusMillis(1));
    advance(Duration.ofMillis(1));
    assertThat(find(session, Activity.USER)).isNull();
  }

  @Test
  void activity_manyTimesAMinute_isWrittenOnce() {
    NewSession session = start("ada", Role.VIEWER);
    Instant start = bench.clock.instant();
    advance(Duration.ofSeconds(59));
    assertThat(find(session, Activity.USER).lastActiveAt()).isEqualTo(start);
    advance(Duration.ofSeconds(1));
    assertThat(find(session, Activity.USER).lastActiveAt()).isEqualTo(start.plusSeconds(60));
    advance(Duration.ofSeconds(59));
    assertThat(find(session, Activity.USER).lastActiveAt()).isEqualTo(start.plusSeconds(60));
  }

  @Test
  void find_roleChanged_isReadFresh() {
    NewSession session = start("ada", Role.VIEWER);
    bench.store.changeRole(session.session().operator().id(), Role.ADMINISTRATOR);
    assertThat(find(session, Activity.USER).operator().isAdministrator()).isTrue();
  }

  @Test
  void find_onAnotherNode_isTheSame() {
    NewSession session = start("ada", Role.VIEWER);
    try (Database other = kind.open(data)) {
      Bench second = new Bench(other, bench.clock);
      assertThat(second.sessions.find(session.token(), Activity.USER)).isPresent();
      bench.operator("root", Role.ADMINISTRATOR);
      second.store.disable(session.session().operator().id());
    }
    assertThat(find(session, Activity.USER)).isNull();
  }

  @Test
  void end_oneSession_leavesTheOthers() {
    NewSession one = start("ada", Role.VIEWER);
    NewSession two = bench.sessions.start(bench.enter("ada").operator(), address("192.0.2.1"), "");
    assertThat(two.token()).isNotEqualTo(one.token());
    bench.sessions.end(one.token());
    bench.sessions.end(one.token());
    assertThat(find(one, Activity.USER)).isNull();
    assertThat(find(two, Activity.USER)).isNotNull();
    bench.sessions.endAll(two.session().operator().id());
    assertThat(find(two, Activity.USER)).isNull();
  }

  @Test
  void purge_expiredRowsOfEachKind_areDropped() {
    NewSession session = start("ada", Role.VIEWER);
    bench.store.add("bob", Role.VIEWER);
    OpenIdSignIns pending = new OpenIdSignIns(database, bench.clock);
    pending.save("state", "browser", new PendingSignIn("n", "v", "/"));
    ExpiredRows expired = new ExpiredRows(database, bench.sessions, bench.clock);
    assertThat(expired.purge()).isZero();
    assertThat(find(session, Activity.USER)).isNotNull();
    advance(Duration.ofHours(1));
    assertThat(expired.purge()).isEqualTo(3);
    advance(SignIn.DEVICE_LIFETIME);
    assertThat(expired.purge()).isEqualTo(1);
    for (String table :
        new String[] {
          "operator_sessions", "operator_links", "operator_devices", "openid_sign_ins"
        }) {
      assertThat(bench.rows(table)).as(table).isZero();
    }
    assertThat(bench.store.list()).hasSize(2);
  }

  private NewSession start(String name, Role role) {
    bench.operator(name, role);
    String browser = "Fire\u202efox" + "x".repeat(300);
    return bench.sessions.start(bench.enter(name).operator(), address("192.0.2.1"), browser);
  }

  private OperatorSession find(NewSession session, Activity activity) {
    return bench.sessions.find(session.token(), activity).orElse(null);
  }

  private void advance(Duration step) {
    bench.clock.advance(step);
  }
}
