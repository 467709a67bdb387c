package dev.countersign.server.operators.signin;

import static dev.countersign.server.operators.signin.Bench.address;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.operators.OpenIdIdentity;
import dev.countersign.server.operators.Operator;
import dev.countersign.server.operators.Operator.Source;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.sessions.SessionActivity;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource(TestStore.OF_THIS_RUN)
class OpenIdTest extends BenchFixture {
  private static final OpenIdIdentity ADA =
      new OpenIdIdentity("https://id.example", "sub-7", "Ada");

  @Test
  void signIn_firstTime_makesTheAccount() {
    Operator ada = signIn(ADA, OperatorRole.ADMINISTRATOR);
    assertThat(ada.name()).isEqualTo("Ada");
    assertThat(ada.source()).isEqualTo(Source.OPENID);
    assertThat(ada.isAdministrator()).isTrue();
    assertThat(ada.lastSignInAt()).isEqualTo(bench.clock.instant());
    assertThat(bench.sessions.start(ada, address("192.0.2.1"), "").session().operator())
        .isEqualTo(ada);
    assertThat(bench.actions()).containsExactly("operator.added", "operator.signed-in");
    assertThat(bench.column("author")).containsOnly("Ada (sub-7 at https://id.example)");
  }

  @Test
  void signIn_again_bringsNameAndRoleUpToDate() {
    String id = signIn(ADA, OperatorRole.ADMINISTRATOR).id();
    Operator again =
        signIn(new OpenIdIdentity(ADA.issuer(), ADA.subject(), "Ada L."), OperatorRole.VIEWER);
    assertThat(again.id()).isEqualTo(id);
    assertThat(again.name()).isEqualTo("Ada L.");
    assertThat(again.role()).isEqualTo(OperatorRole.VIEWER);
    assertThat(bench.actions())
        .containsExactly(
            "operator.added", "operator.signed-in", "operator.role-changed", "operator.signed-in");
    assertThat(
            signIn(new OpenIdIdentity("https://other", "sub-7", "Ada"), OperatorRole.VIEWER).id())
        .isNotEqualTo(id);
  }

  @Test
  void signIn_nameOfAPasswordAccount_isAnotherAccount() {
    Operator local = bench.operator("ada", OperatorRole.ADMINISTRATOR);
    Operator openId = signIn(ADA, OperatorRole.VIEWER);
    assertThat(openId.id()).isNotEqualTo(local.id());
    assertThat(openId.auditName()).isNotEqualTo(local.auditName());
    assertThat(bench.enter("ada").operator().id()).isEqualTo(local.id());
    assertThat(bench.store.find(local.id()).orElseThrow().isAdministrator()).isTrue();
  }

  @Test
  void signIn_disabledOrRemoved_isRefusedAndAudited() {
    String id = signIn(ADA, OperatorRole.VIEWER).id();
    bench.store.disable(id);
    assertThatThrownBy(() -> signIn(ADA, OperatorRole.ADMINISTRATOR))
        .isInstanceOf(SignInException.class);
    assertThat(bench.store.find(id).orElseThrow().role()).isEqualTo(OperatorRole.VIEWER);
    assertThat(bench.actions().getLast()).isEqualTo("operator.sign-in-refused");
    bench.store.enable(id);
    assertThat(signIn(ADA, OperatorRole.VIEWER).id()).isEqualTo(id);
    bench.store.remove(id);
    assertThatThrownBy(() -> signIn(ADA, OperatorRole.VIEWER)).isInstanceOf(SignInException.class);
    assertThat(bench.store.list()).isEmpty();
  }

  @Test
  void refuse_administratorWithoutAGroup_endsSessionsAndTakesTheRoleAway() {
    Operator ada = signIn(ADA, OperatorRole.ADMINISTRATOR);
    String session = bench.sessions.start(ada, address("192.0.2.1"), "").token();
    bench.openId.refuse(ADA, address("192.0.2.7"));
    assertThat(bench.sessions.find(session, SessionActivity.USER)).isEmpty();
    assertThat(bench.store.find(ada.id()).orElseThrow().role()).isEqualTo(OperatorRole.VIEWER);
    assertThat(bench.actions())
        .containsExactly(
            "operator.added",
            "operator.signed-in",
            "operator.role-changed",
            "operator.sign-in-refused");
    assertThat(bench.column("address").getLast()).isEqualTo("192.0.2.7");
    assertThat(bench.column("subject").getLast()).contains("sub-7");
    assertThat(signIn(ADA, OperatorRole.ADMINISTRATOR).isAdministrator()).isTrue();
  }

  @Test
  void refuse_disabledAdministrator_doesNotAdministrateOnceEnabled() {
    String id = signIn(ADA, OperatorRole.ADMINISTRATOR).id();
    bench.store.disable(id);
    bench.openId.refuse(ADA, address("192.0.2.1"));
    assertThat(bench.store.enable(id).isAdministrator()).isFalse();
  }

  @Test
  void refuse_personWithoutAnAccount_makesNoneAndKeepsNoName() {
    bench.openId.refuse(ADA, address("192.0.2.1"));
    assertThat(bench.store.list()).isEmpty();
    assertThat(bench.column("subject")).containsExactly("operator:unknown");
  }

  @Test
  void signIn_nameThatCannotBeShown_isMadeVisible() {
    String strange = "\u202eeve\u0000\n<script>" + "x".repeat(99);
    assertThat(signIn(new OpenIdIdentity("https://id", "1", strange), OperatorRole.VIEWER).name())
        .startsWith("eve<script>x")
        .hasSize(64);
    assertThat(signIn(new OpenIdIdentity("https://id", "2", "\n"), OperatorRole.VIEWER).name())
        .isEqualTo("2");
  }

  @Test
  void signIn_neitherNameNorSubjectCanBeShown_hasItsOwnNameThatStays() {
    OpenIdIdentity one = new OpenIdIdentity("https://id", "\u200b", "\u200b");
    OpenIdIdentity other = new OpenIdIdentity("https://id", "\u200b\u200b", "\n");
    String name = signIn(one, OperatorRole.VIEWER).name();
    assertThat(name).matches("unnamed-[0-9a-f]{12}");
    assertThat(signIn(one, OperatorRole.VIEWER).name()).isEqualTo(name);
    assertThat(signIn(other, OperatorRole.VIEWER).name())
        .matches("unnamed-[0-9a-f]{12}")
        .isNotEqualTo(name);
    assertThat(bench.actions()).doesNotContain("operator.renamed");
  }

  @Test
  void claim_pendingSignIn_worksOnceInItsBrowser() {
    AuthorizationRequestStore pending = new AuthorizationRequestStore(database, bench.clock);
    StoredAuthorizationRequest saved =
        new StoredAuthorizationRequest("nonce", "verifier", "/portal/requests");
    pending.save("state", "browser", saved);
    assertThat(pending.exists("state", "another")).isFalse();
    assertThat(pending.exists("state", "browser")).isTrue();
    assertThat(pending.claim("state", "another")).isEmpty();
    assertThat(pending.claim("other", "browser")).isEmpty();
    assertThat(pending.claim("state", "browser")).contains(saved);
    assertThat(pending.claim("state", "browser")).isEmpty();
    assertThat(saved.toString()).doesNotContain("nonce", "verifier");
  }

  @Test
  void claim_afterTenMinutes_isTooLate() {
    AuthorizationRequestStore pending = new AuthorizationRequestStore(database, bench.clock);
    pending.save("state", "browser", new StoredAuthorizationRequest("n", "v", "/"));
    bench.clock.advance(Duration.ofMinutes(10));
    assertThat(pending.exists("state", "browser")).isFalse();
    assertThat(pending.claim("state", "browser")).isEmpty();
    pending.save("next", "browser", new StoredAuthorizationRequest("n", "v", "/"));
    assertThat(bench.rows("openid_sign_ins")).isEqualTo(1);
  }

  @Test
  void claim_onTwoNodesAtOnce_worksOnce() throws Exception {
    AuthorizationRequestStore one = new AuthorizationRequestStore(database, bench.clock);
    try (Database other = kind.open(data)) {
      AuthorizationRequestStore two = new AuthorizationRequestStore(other, bench.clock);
      for (int i = 0; i < 10; i++) {
        String state = "state" + i;
        one.save(state, "browser", new StoredAuthorizationRequest("n", "v", "/"));
        assertThat(
                Bench.both(
                    () -> one.claim(state, "browser").isPresent(),
                    () -> two.claim(state, "browser").isPresent()))
            .containsExactlyInAnyOrder(true, false);
      }
    }
  }

  @Test
  void save_flood_keepsTheLatest() {
    AuthorizationRequestStore pending = new AuthorizationRequestStore(database, bench.clock);
    pending.save("first", "browser", new StoredAuthorizationRequest("n", "v", "/"));
    bench.clock.advance(Duration.ofSeconds(1));
    flood(10_000);
    pending.save("last", "browser", new StoredAuthorizationRequest("n", "v", "/"));
    assertThat(bench.rows("openid_sign_ins")).isEqualTo(10_000);
    assertThat(pending.claim("first", "browser")).isEmpty();
    assertThat(pending.claim("last", "browser")).isPresent();
  }

  private void flood(int rows) {
    long end = bench.clock.instant().plus(Duration.ofMinutes(10)).toEpochMilli();
    database.write(
        sql ->
            sql.sql(
                    """
                    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
                    INSERT INTO openid_sign_ins
                      (state_hash, browser_hash, nonce, code_verifier, redirect, expires_at)
                    SELECT 's' || i, 'b', 'n', 'v', '/', CAST(? AS BIGINT) FROM n\
                    """)
                .param(rows)
                .param(end)
                .update());
  }

  private Operator signIn(OpenIdIdentity identity, OperatorRole role) {
    return bench.openId.signIn(identity, role, address("192.0.2.1"));
  }
}
