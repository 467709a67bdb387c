package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.TestRequest;
import dev.countersign.server.access.directory.ClientDirectory;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.outcome.DeniedException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An operation authorizes its client before the body is read and when the client has changed. */
class OperationTest {
  private static final Permission CREATE = Permission.of("ledger:wallets:create");
  private static final TestCaller ACME = TestCaller.of("acme", Set.of(CREATE), Map.of());

  private final AtomicInteger authorized = new AtomicInteger();

  private String authorize(CallingClient client) {
    client.require(CREATE);
    authorized.incrementAndGet();
    return "";
  }

  private static TestRequest post() {
    return ACME.signed("POST", "/ledger/v1/wallets", "{}");
  }

  @Test
  void authorize_unchangedClient_runsOnce() {
    ACME.authenticated(post(), this::authorize);
    assertThat(authorized).hasValue(1);
  }

  @Test
  void authorize_bodyThatIsNotTheSignedOne_runsBeforeItIsRead() {
    TestRequest post = post().with("Content-Digest", TestRequest.contentDigest("other"));
    DeniedException denied =
        catchThrowableOfType(
            DeniedException.class, () -> ACME.authenticated(post, this::authorize));
    assertThat(denied.denial().check()).isEqualTo(Check.BODY);
    assertThat(authorized).hasValue(1);
  }

  @Test
  void authorize_clientChangedWhileTheBodyArrived_runsForTheChangedOne() {
    RegisteredClient without = TestCaller.of("acme").client();
    AtomicInteger reads = new AtomicInteger();
    ClientDirectory changing =
        keyid -> Optional.of(reads.getAndIncrement() == 0 ? ACME.client() : without);

    DeniedException denied =
        catchThrowableOfType(
            DeniedException.class,
            () -> ACME.knownBy(changing).authenticated(post(), this::authorize));

    assertThat(denied.denial().reason()).isEqualTo(Reason.ROLE_MISSING);
    assertThat(denied.denial().check()).isEqualTo(Check.AUTHORIZATION);
    assertThat(authorized).as("before the body").hasValue(1);
  }
}
