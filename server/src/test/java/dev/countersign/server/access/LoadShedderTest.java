package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.protocol.Reason;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.access.outcome.DeniedException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shares of one processor: 100 ms for all, 10 ms for a network, 5 ms for a client in it. */
class LoadShedderTest {
  private static final int LIMIT = 3;
  private static final String HOME = "192.0.2.1";
  // What a verification takes with a key of 8192 bits.
  private static final Duration SLOW = Duration.ofMillis(1);

  private final Queue<Runnable> engine = new ArrayDeque<>();
  private long now = 1_000;
  private final LoadShedder shedder = new LoadShedder(LIMIT, 1, () -> now);
  private final Executor entry = shedder.counting(engine::add);

  private void enqueue(int count) {
    for (int i = 0; i < count; i++) {
      entry.execute(() -> {});
    }
  }

  private void exceedTheLimit() {
    enqueue(LIMIT + 1);
  }

  /** Sends a request and returns whether its signature was looked at. */
  private boolean isVerified(String clientId, String address, Duration taken, boolean isForged) {
    try {
      return shedder.verify(
          clientId,
          address(address),
          () -> {
            now += taken.toNanos();
            if (isForged) {
              throw new DeniedException(Reason.SIGNATURE_MISMATCH, "forged");
            }
            return true;
          });
    } catch (DeniedException refused) {
      if (refused.denial().reason() == Reason.SIGNATURE_MISMATCH) {
        return true;
      }
      assertThat(refused.denial().reason()).isEqualTo(Reason.OVERLOADED);
      assertThat(refused.denial().headers()).containsEntry("Retry-After", "1");
      assertThat(refused.denial().check()).isNull();
      return false;
    }
  }

  private boolean isForgeryVerified(String clientId, String address) {
    return isVerified(clientId, address, SLOW, true);
  }

  private boolean isServed(String clientId, String address) {
    return isVerified(clientId, address, Duration.ofNanos(40_000), false);
  }

  /** Forges until nothing more is verified, and returns how many forgeries were. */
  private int flood(String clientId, String address) {
    int verified = 0;
    while (isForgeryVerified(clientId, address)) {
      verified++;
      assertThat(verified).as("the limit").isLessThan(1_000);
    }
    return verified;
  }

  private static InetAddress address(String literal) {
    try {
      return InetAddress.getByName(literal);
    } catch (UnknownHostException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void upToTheLimit_everybodyIsVerified() {
    enqueue(LIMIT);
    for (int i = 0; i < 1_000; i++) {
      assertThat(isForgeryVerified("other", HOME)).isTrue();
    }
    assertThat(engine).hasSize(LIMIT);
  }

  @Test
  void overTheLimit_aFloodGetsTheShareOfItsClientInItsNetwork() {
    exceedTheLimit();

    // Each takes a millisecond, in which five microseconds grow back.
    assertThat(flood("flooded", HOME)).isBetween(5, 6);
    now += Duration.ofSeconds(1).toNanos();
    assertThat(flood("flooded", HOME)).isBetween(5, 6);
    // A share does not grow beyond that of one second.
    now += Duration.ofMinutes(1).toNanos();
    assertThat(flood("flooded", HOME)).isBetween(5, 6);
  }

  @Test
  void flood_leavesTheTimeOfOtherClientsAndNetworks() {
    exceedTheLimit();
    flood("flooded", HOME);

    for (int i = 0; i < 45; i++) {
      assertThat(isServed("newcomer-" + i, HOME)).as("newcomer %s", i).isTrue();
      assertThat(isServed("elsewhere-" + i, "198.51.100." + i)).as("elsewhere %s", i).isTrue();
    }
    assertThat(isServed("flooded", "198.51.100.1")).as("the client, elsewhere").isTrue();
  }

  @Test
  void floodInTheNamesOfManyClients_getsTheShareOfItsNetwork() {
    exceedTheLimit();
    int verified = 0;
    for (int i = 0; i < 50; i++) {
      verified += flood("flooded-" + i, "192.0.2." + i);
    }

    assertThat(verified).isBetween(10, 11);
    assertThat(isServed("newcomer", HOME)).as("the same /24").isFalse();
    assertThat(isServed("newcomer", "192.0.3.1")).as("the next /24").isTrue();
  }

  @Test
  void floodFromManyNetworks_getsTheShareOfAll() {
    exceedTheLimit();
    int verified = 0;
    for (int i = 0; i < 250; i++) {
      verified += flood("flooded", "10.0." + i + ".1");
    }

    assertThat(verified).isBetween(100, 112);
  }

  @Test
  void networkOfIpv6_hasSixtyFourBits() {
    exceedTheLimit();
    flood("one", "2001:db8:0:1::1");
    flood("two", "2001:db8:0:1:ffff::2");

    assertThat(isServed("newcomer", "2001:db8:0:1:8000::3")).isFalse();
    assertThat(isServed("newcomer", "2001:db8:0:2::3")).isTrue();
    // Its bits are those of no IPv4 network.
    assertThat(isServed("newcomer", HOME)).isTrue();
  }

  @Test
  void verificationThatTookTooLong_countsAsTheMaximum() {
    exceedTheLimit();
    isVerified("client", HOME, Duration.ofMillis(100), true);
    assertThat(isServed("client", HOME)).isFalse();

    // Its share is 5 ms in each second. It had 5 ms, used 20 ms, and 0.5 ms have grown back.
    now += Duration.ofMillis(2_800).toNanos();
    assertThat(isServed("client", HOME)).isFalse();
    now += Duration.ofMillis(200).toNanos();
    assertThat(isServed("client", HOME)).isTrue();
  }

  @Test
  void provenSender_isVerifiedWhateverTheOthersDo() {
    assertThat(isServed("partner", HOME)).isTrue();
    exceedTheLimit();
    flood("flooded", HOME);
    flood("partner", "192.0.2.2");

    assertThat(isForgeryVerified("partner", HOME)).isTrue();
    // The same clientId at another address is another sender.
    assertThat(isForgeryVerified("partner", "192.0.2.3")).isFalse();
  }

  @Test
  void senderThatWasServedInAFlood_isProvenFromThen() {
    exceedTheLimit();
    assertThat(isServed("newcomer", HOME)).isTrue();
    flood("flooded", HOME);
    flood("newcomer", "192.0.2.2");

    assertThat(isServed("newcomer", HOME)).isTrue();
  }

  @Test
  void senderThatAnotherNodeKnows_isProven() {
    shedder.noteProven("partner", HOME);
    exceedTheLimit();
    flood("flooded", HOME);
    flood("partner", "192.0.2.2");

    assertThat(isServed("partner", HOME)).isTrue();
  }

  @Test
  void provenSender_isForgottenAfterTenMinutes() {
    assertThat(isServed("partner", HOME)).isTrue();
    exceedTheLimit();
    now += Duration.ofMinutes(10).plusSeconds(1).toNanos();
    flood("one", HOME);
    flood("two", HOME);

    assertThat(isServed("partner", HOME)).isFalse();
  }

  @Test
  void requestsThatBegin_noLongerWait() {
    exceedTheLimit();
    flood("flooded", HOME);
    engine.remove().run();

    assertThat(isForgeryVerified("flooded", HOME)).isTrue();
  }

  @Test
  void senderThatCalledBeforeTheStart_isProven(@TempDir Path data) {
    TestClient before;
    try (TestService service = TestService.start(data, 1)) {
      before = service.register();
      assertThat(before.get("/ledger/v1/wallets").send().status()).isEqualTo(200);
    }

    try (TestService service = TestService.start(data, 1)) {
      LoadShedder restarted = service.part(LoadShedder.class);
      assertThat(restarted.isProven(before.clientId(), "127.0.0.1")).isTrue();
      assertThat(restarted.isProven(before.clientId(), "127.0.0.2")).isFalse();
    }
  }

  @Test
  void requestForWhichThereIsNoThread_doesNotWait() {
    Executor withoutThreads =
        shedder.counting(
            task -> {
              throw new OutOfMemoryError("unable to create native thread");
            });
    assertThatThrownBy(() -> withoutThreads.execute(() -> {})).isInstanceOf(OutOfMemoryError.class);

    assertThat(shedder.waitingTasks()).isZero();
  }

  @Test
  void requestThatFailsOnTheThreadOfTheEngine_isCountedOnce() {
    Executor direct = shedder.counting(Runnable::run);
    assertThatThrownBy(
            () ->
                direct.execute(
                    () -> {
                      throw new IllegalStateException("a defect");
                    }))
        .hasMessage("a defect");

    assertThat(shedder.waitingTasks()).isZero();
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

    for (int i = 0; i < 1_000; i++) {
      assertThat(isForgeryVerified("other", HOME)).isTrue();
    }
  }
}
