package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class LoadShedderTest {
  private static final int LIMIT = 3;
  private static final InetAddress HOME = InetAddress.getLoopbackAddress();

  private final Queue<Runnable> engine = new ArrayDeque<>();
  private long now = 1_000;
  private final LoadShedder shedder = new LoadShedder(LIMIT, () -> now);
  private final Executor entry = shedder.counting(engine::add);

  private void enqueue(int count) {
    for (int i = 0; i < count; i++) {
      entry.execute(() -> {});
    }
  }

  private void assertShed(String clientId) {
    assertThatThrownBy(() -> shedder.admit(clientId, HOME))
        .isInstanceOfSatisfying(
            DeniedException.class,
            refused -> {
              assertThat(refused.denial().reason()).isEqualTo(Reason.OVERLOADED);
              assertThat(refused.denial().headers()).containsEntry("Retry-After", "1");
              assertThat(refused.denial().check()).isNull();
            });
  }

  /** As many as are admitted in each second. */
  private void admitUnproven() {
    for (int i = 0; i < 100; i++) {
      shedder.admit("unproven", HOME);
    }
  }

  @Test
  void upToTheLimit_everybodyIsAdmitted() {
    enqueue(LIMIT);
    for (int i = 0; i < 1_000; i++) {
      shedder.admit("unproven", HOME);
    }
    assertThat(engine).hasSize(LIMIT);
  }

  @Test
  void overTheLimit_onlyProvenSendersAreAdmittedBesideAFew() {
    shedder.noteProven("partner", HOME);
    enqueue(LIMIT + 1);
    admitUnproven();

    assertShed("unproven");
    shedder.admit("partner", HOME);
    // The same clientId at another address is another sender.
    assertThatThrownBy(() -> shedder.admit("partner", InetAddress.getByName("192.0.2.1")))
        .isInstanceOf(DeniedException.class);
    now += Duration.ofSeconds(1).toNanos();
    admitUnproven();
    assertShed("unproven");
  }

  @Test
  void overTheLimit_aSenderIsForgottenAfterTenMinutes() {
    shedder.noteProven("partner", HOME);
    enqueue(LIMIT + 1);
    now += Duration.ofMinutes(10).plusSeconds(1).toNanos();
    admitUnproven();

    assertShed("partner");
  }

  @Test
  void requestsThatBegin_noLongerWait() {
    enqueue(LIMIT + 1);
    admitUnproven();
    assertShed("unproven");
    engine.remove().run();

    shedder.admit("unproven", HOME);
  }

  @Test
  void requestThatTheEngineRejects_doesNotWait() {
    Executor full =
        shedder.counting(
            task -> {
              throw new RejectedExecutionException("full");
            });
    for (int i = 0; i <= LIMIT; i++) {
      assertThatThrownBy(() -> full.execute(() -> {}))
          .isInstanceOf(RejectedExecutionException.class);
    }
    admitUnproven();

    shedder.admit("unproven", HOME);
  }
}
