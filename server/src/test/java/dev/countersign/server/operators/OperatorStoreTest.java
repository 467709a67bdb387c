package dev.countersign.server.operators;

import static dev.countersign.server.operators.signin.Bench.GOOD;
import static dev.countersign.server.operators.signin.Bench.address;
import static dev.countersign.server.operators.signin.Bench.reason;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.audit.Author;
import dev.countersign.server.operators.Operator.Source;
import dev.countersign.server.operators.Operator.Status;
import dev.countersign.server.operators.OperatorException.Reason;
import dev.countersign.server.operators.sessions.SessionActivity;
import dev.countersign.server.operators.sessions.SessionStore.NewSession;
import dev.countersign.server.operators.signin.Bench;
import dev.countersign.server.operators.signin.BenchFixture;
import dev.countersign.server.operators.signin.SignIn.SignedIn;
import dev.countersign.server.operators.signin.SignInException;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass
@EnumSource(TestStore.class)
class OperatorStoreTest extends BenchFixture {
  @Test
  void add_name_isListedWithoutAPassword() {
    Operator ada = bench.store.add(" Ada Lovelace ", OperatorRole.VIEWER).operator();
    assertThat(ada.name()).isEqualTo("Ada Lovelace");
    assertThat(ada.status()).isEqualTo(Status.ENABLED);
    assertThat(ada.source()).isEqualTo(Source.PASSWORD);
    assertThat(ada.hasPassword()).isFalse();
    assertThat(ada.createdAt()).isEqualTo(bench.clock.instant());
    assertThat(bench.store.list()).containsExactly(ada);
    assertThat(bench.store.find(ada.id())).contains(ada);
    assertThat(bench.store.named("ADA lovelace")).isEqualTo(ada);
    assertThat(bench.store.named(ada.id())).isEqualTo(ada);
  }

  @Test
  void add_nameNotAllowed_throws() {
    for (String wrong :
        List.of("", "  ", "a".repeat(65), "a\nb", "a\u202eb", "a\u00a0b", "a\u0000b", "\ud800")) {
      assertThat(reason(() -> bench.store.add(wrong, OperatorRole.VIEWER)))
          .isEqualTo(Reason.INVALID);
    }
    assertThat(bench.store.list()).isEmpty();
    assertThat(bench.store.add("😀".repeat(64), OperatorRole.VIEWER).operator().name())
        .hasSize(128);
  }

  @Test
  void add_sameNameInAnotherForm_isTaken() {
    bench.store.add("Zoë", OperatorRole.VIEWER);
    for (String same : List.of("Zoë", "ZOË", "zoe\u0308")) {
      assertThat(reason(() -> bench.store.add(same, OperatorRole.VIEWER)))
          .isEqualTo(Reason.NAME_TAKEN);
    }
  }

  @Test
  void add_nameOfARemovedOperator_isFree() {
    String first = bench.store.add("ada", OperatorRole.VIEWER).operator().id();
    bench.store.remove(first);
    assertThat(bench.store.add("ada", OperatorRole.VIEWER).operator().id()).isNotEqualTo(first);
  }

  @Test
  void changes_anyOfThem_areAuditedWithTheirAuthor() {
    OperatorStore store = bench.store.by(Author.operator("eve", "192.0.2.9"));
    String id = store.add("ada", OperatorRole.VIEWER).operator().id();
    store.changeRole(id, OperatorRole.ADMINISTRATOR);
    store.reset(id);
    store.disable(id);
    store.enable(id);
    store.remove(id);
    assertThat(bench.actions())
        .containsExactly(
            "operator.added",
            "operator.role-changed",
            "operator.reset",
            "operator.disabled",
            "operator.enabled",
            "operator.removed");
    assertThat(bench.column("author")).containsOnly("eve");
    assertThat(bench.column("address")).containsOnly("192.0.2.9");
    assertThat(bench.column("subject")).containsOnly("operator:ada");
    assertThat(bench.column("before").get(1)).contains("\"role\":\"viewer\"");
    assertThat(bench.column("after").get(1)).contains("\"role\":\"administrator\"");
  }

  @Test
  void change_toWhatItIs_isNotAudited() {
    String id = bench.store.add("ada", OperatorRole.VIEWER).operator().id();
    bench.store.enable(id);
    bench.store.changeRole(id, OperatorRole.VIEWER);
    assertThat(bench.actions()).containsExactly("operator.added");
  }

  @Test
  void change_refused_leavesNoEntry() {
    Operator ada = bench.operator("ada", OperatorRole.ADMINISTRATOR);
    long entries = bench.rows("audit_entries");
    assertThat(reason(() -> bench.store.disable(ada.id()))).isEqualTo(Reason.LAST_ADMINISTRATOR);
    assertThat(reason(() -> bench.store.disable("nobody"))).isEqualTo(Reason.NOT_FOUND);
    assertThat(bench.rows("audit_entries")).isEqualTo(entries);
  }

  @Test
  void trailAndStore_afterAStory_holdNoSecret() {
    OneTimeLink link = bench.store.add("ada", OperatorRole.ADMINISTRATOR);
    bench.links.redeem(link.token(), GOOD, address("192.0.2.1"));
    SignedIn in = bench.enter("ada");
    NewSession session = bench.sessions.start(in.operator(), address("192.0.2.1"), "Firefox");
    String all = String.join("\n", bench.column("before")) + bench.column("after");
    assertThat(all).doesNotContain("hash", GOOD, link.token(), in.deviceToken(), session.token());
    assertThat(link + " " + in + " " + session)
        .doesNotContain(link.token(), in.deviceToken(), session.token());
    for (String table : List.of("operator_sessions", "operator_devices")) {
      assertThat(
              database.<String>read(
                  sql -> sql.sql("SELECT token_hash FROM " + table).query(String.class).single()))
          .matches("[0-9a-f]{64}");
    }
  }

  @Test
  void disableRemoveReset_anyOfThem_endSessionsAndForgetDevices() {
    bench.operator("root", OperatorRole.ADMINISTRATOR);
    for (String how : List.of("disable", "remove", "reset")) {
      Operator ada = bench.operator("ada " + how, OperatorRole.VIEWER);
      SignedIn in = bench.enter(ada.name());
      String token = bench.sessions.start(in.operator(), address("192.0.2.1"), "").token();
      assertThat(bench.sessions.find(token, SessionActivity.USER)).isPresent();
      apply(how, ada.id());
      assertThat(bench.sessions.find(token, SessionActivity.USER)).isEmpty();
      assertThat(bench.rows("operator_sessions")).isZero();
      assertThat(bench.rows("operator_devices")).isZero();
    }
  }

  @Test
  void disable_thenEnable_bringsNoSessionBack() {
    bench.operator("root", OperatorRole.ADMINISTRATOR);
    Operator ada = bench.operator("ada", OperatorRole.VIEWER);
    SignedIn before = bench.enter("ada");
    String token = bench.sessions.start(before.operator(), address("192.0.2.1"), "").token();
    bench.store.disable(ada.id());
    bench.store.enable(ada.id());
    assertThat(bench.sessions.find(token, SessionActivity.USER)).isEmpty();
    // Also invalidates a sign-in whose password was checked before.
    assertThatThrownBy(() -> bench.sessions.start(before.operator(), address("192.0.2.1"), ""))
        .isInstanceOf(SignInException.class);
    assertThat(bench.enter("ada").operator().id()).isEqualTo(ada.id());
  }

  @Test
  void lastAdministrator_anyWayOut_isRefusedWithAdvice() {
    Operator ada = bench.operator("ada", OperatorRole.ADMINISTRATOR);
    bench.operator("vic", OperatorRole.VIEWER);
    bench.store.add("no password yet", OperatorRole.ADMINISTRATOR);
    Operator off = bench.operator("off", OperatorRole.ADMINISTRATOR);
    bench.store.disable(off.id());
    bench.openId.signIn(
        new OpenIdIdentity("https://id", "7", "ops"),
        OperatorRole.ADMINISTRATOR,
        address("192.0.2.1"));
    assertThatThrownBy(() -> bench.store.disable(ada.id()))
        .isInstanceOf(OperatorException.class)
        .hasMessageContaining("ada is the last administrator who can sign in");
    assertThat(reason(() -> bench.store.remove(ada.id()))).isEqualTo(Reason.LAST_ADMINISTRATOR);
    assertThat(reason(() -> bench.store.changeRole(ada.id(), OperatorRole.VIEWER)))
        .isEqualTo(Reason.LAST_ADMINISTRATOR);
    // If the configuration has another provider, nobody can sign in with this one.
    OperatorStore elsewhere =
        bench.store.withSignInMethods(SignInMethods.both(URI.create("https://other")));
    assertThat(reason(() -> elsewhere.disable(ada.id()))).isEqualTo(Reason.LAST_ADMINISTRATOR);
    // If the configuration has this provider, its administrator is another one.
    OperatorStore both =
        bench.store.withSignInMethods(SignInMethods.both(URI.create("https://id")));
    assertThat(both.disable(ada.id()).status()).isEqualTo(Status.DISABLED);
  }

  @Test
  void lastTwoAdministrators_disabledOnTwoNodesAtOnce_oneStays() throws Exception {
    try (Database other = kind.open(data)) {
      Bench second = new Bench(other, bench.clock);
      Operator ada = bench.operator("ada", OperatorRole.ADMINISTRATOR);
      Operator bob = bench.operator("bob", OperatorRole.ADMINISTRATOR);
      for (int round = 0; round < 10; round++) {
        List<Boolean> done =
            Bench.both(
                () -> !isRefused(() -> bench.store.disable(ada.id())),
                () -> !isRefused(() -> second.store.changeRole(bob.id(), OperatorRole.VIEWER)));
        assertThat(done).containsExactlyInAnyOrder(true, false);
        bench.store.enable(ada.id());
        bench.store.changeRole(bob.id(), OperatorRole.ADMINISTRATOR);
      }
    }
  }

  @Test
  void named_openIdAccountOfTheSameName_asksForTheId() {
    bench.operator("ada", OperatorRole.ADMINISTRATOR);
    Operator openId =
        bench.openId.signIn(
            new OpenIdIdentity("https://id", "7", "Ada"),
            OperatorRole.VIEWER,
            address("192.0.2.1"));
    assertThat(reason(() -> bench.store.named("ada"))).isEqualTo(Reason.AMBIGUOUS);
    assertThat(bench.store.named(openId.id())).isEqualTo(openId);
    assertThat(reason(() -> bench.store.named("bob"))).isEqualTo(Reason.NOT_FOUND);
  }

  @Test
  void openIdAccount_resetOrRole_isRefused() {
    String id =
        bench
            .openId
            .signIn(
                new OpenIdIdentity("https://id", "7", "Ada"), OperatorRole.VIEWER, address("::1"))
            .id();
    assertThat(reason(() -> bench.store.reset(id))).isEqualTo(Reason.INVALID);
    assertThat(reason(() -> bench.store.changeRole(id, OperatorRole.ADMINISTRATOR)))
        .isEqualTo(Reason.INVALID);
  }

  @Test
  void reset_disabledAccount_asksToEnableIt() {
    String id = bench.store.add("ada", OperatorRole.VIEWER).operator().id();
    bench.store.disable(id);
    assertThat(reason(() -> bench.store.reset(id))).isEqualTo(Reason.NOT_ENABLED);
  }

  private void apply(String how, String id) {
    switch (how) {
      case "disable" -> bench.store.disable(id);
      case "remove" -> bench.store.remove(id);
      default -> bench.store.reset(id);
    }
  }

  private static boolean isRefused(Runnable change) {
    try {
      change.run();
      return false;
    } catch (OperatorException e) {
      assertThat(e.reason()).isEqualTo(Reason.LAST_ADMINISTRATOR);
      return true;
    }
  }
}
