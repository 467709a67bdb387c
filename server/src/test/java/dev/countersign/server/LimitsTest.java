package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.VerificationLimiter;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitsTest {
  private static final String PROBE = "GET /actuator/health HTTP/1.1\r\nHost: localhost\r\n\r\n";

  @Test
  void rate_usedUpByOneClient_leavesTheOthersTheirs(@TempDir Path data) {
    try (TestService service = TestService.start(data, 1, "countersign.access.rate-limit=1")) {
      TestClient client = service.register();
      TestClient other = service.register();
      RawRequest get = client.get("/ledger/v1/wallets");
      for (int i = 0; i < 20; i++) {
        // An anonymous caller who forges the client's requests does not consume the client's
        // limits.
        assertThat(get.with("Signature", "sig=:AAAA:").send().status()).isEqualTo(401);
      }

      assertThat(get.send().status()).isEqualTo(200);
      // Two of them come within a second, however slow the machine is.
      RawResponse limited =
          Awaitility.await()
              .pollDelay(Duration.ZERO)
              .pollInterval(Duration.ofNanos(1))
              .until(get::send, answer -> answer.status() != 200);
      assertThat(limited.status()).isEqualTo(429);
      assertThat(limited.reason()).isEqualTo("rate_limited");
      assertThat(limited.header("retry-after")).isEqualTo("1");
      assertThat(other.get("/ledger/v1/wallets").send().status()).isEqualTo(200);
    }
  }

  @Test
  @Tag("full")
  void verifications_overTheirBound_are503AndGoOnAfterwards(@TempDir Path data) {
    try (TestService service =
        TestService.start(data, 1, "countersign.access.maximum-verifications=1")) {
      RawRequest get = service.register().get("/ledger/v1/wallets");

      RawResponse refused = service.part(VerificationLimiter.class).run(() -> get.send());
      assertThat(refused.status()).isEqualTo(503);
      assertThat(refused.reason()).isEqualTo("overloaded");
      assertThat(refused.header("retry-after")).isEqualTo("1");

      assertThat(get.send().status()).isEqualTo(200);
    }
  }

  @Test
  @Tag("full")
  @Tag("alone")
  void forgedRequests_thatWait_areShedAndThePartnerIsServed(@TempDir Path data) throws Exception {
    AtomicInteger shed = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    try (TestService service = TestService.start(data, 1, "countersign.access.maximum-waiting=1");
        TestThreads callers = TestThreads.of(32)) {
      RawRequest get = service.register().get("/ledger/v1/wallets");
      assertThat(get.send().status()).isEqualTo(200);
      String text =
          service
              .register()
              .get("/ledger/v1/wallets")
              .text()
              .replaceFirst("sig=:[^:]{8}", "sig=:AAAAAAAA");
      Callable<Boolean> flood =
          () -> {
            while (!ended.get()) {
              try (RawConnection connection = new RawConnection(service.port())) {
                int status = 401;
                // The engine ends a connection after a hundred requests, or a 503.
                for (int i = 0; i < 50 && status == 401 && !ended.get(); i++) {
                  RawResponse answer = connection.send(text).read();
                  status = answer.status();
                  if (status == 503) {
                    assertThat(answer.reason()).isEqualTo("overloaded");
                    assertThat(answer.header("retry-after")).isEqualTo("1");
                    shed.incrementAndGet();
                  }
                }
                assertThat(status).isIn(401, 503);
              }
            }
            return true;
          };
      List<Future<Boolean>> floods =
          IntStream.range(0, 32).mapToObj(i -> callers.submit(flood)).toList();
      long deadline = System.nanoTime() + Waits.LIMIT.toNanos();
      try {
        while (shed.get() < 100 && System.nanoTime() < deadline) {
          assertThat(get.send().status()).isEqualTo(200);
          assertThat(RawRequest.send(service.port(), PROBE).status()).isEqualTo(200);
        }
      } finally {
        ended.set(true);
      }

      for (Future<Boolean> each : floods) {
        assertThat(Waits.forResult(each)).isTrue();
      }
    }
    assertThat(shed).hasValueGreaterThanOrEqualTo(100);
  }

  @Test
  @Tag("full")
  void version_goingAway_saysSoOnEveryAnswer(@TempDir Path data) {
    String listing = "countersign.listings[0].";
    try (TestService service =
        TestService.start(
            data,
            1,
            listing + "path=/ledger/v1/wallets",
            listing + "table=wallets",
            listing + "key=id",
            listing + "fields.id.type=uuid",
            listing + "fields.name.type=text",
            listing + "deprecated=2026-01-01T00:00:00Z",
            listing + "sunset=2027-01-01T00:00:00Z",
            "countersign.roles.ledger-viewer=ledger:wallets:read")) {
      TestClient client = service.register("ledger-viewer", "0.0.0.0");

      for (String query : List.of("", "?size=0")) {
        RawResponse answer = client.get("/ledger/v1/wallets" + query).send();
        assertThat(answer.header("deprecation")).as(answer.body()).isEqualTo("@1767225600");
        assertThat(answer.header("sunset")).isEqualTo("Fri, 01 Jan 2027 00:00:00 GMT");
      }
    }
  }
}
