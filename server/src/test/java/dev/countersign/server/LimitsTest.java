package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
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

      List<RawResponse> answers = IntStream.range(0, 20).mapToObj(i -> get.send()).toList();

      assertThat(answers.get(0).status()).isEqualTo(200);
      RawResponse limited =
          answers.stream().filter(answer -> answer.status() == 429).findFirst().orElseThrow();
      assertThat(limited.reason()).isEqualTo("rate_limited");
      assertThat(limited.header("retry-after")).isEqualTo("1");
      assertThat(other.get("/ledger/v1/wallets").send().status()).isEqualTo(200);
    }
  }

  @Test
  @Tag("full")
  void verifications_overTheirBound_are503AndGoOnAfterwards(@TempDir Path data) throws Exception {
    assumeTrue(
        Runtime.getRuntime().availableProcessors() > 1,
        "on one processor no verification comes while another one runs");
    try (TestService service =
            TestService.start(data, 1, "countersign.access.maximum-verifications=1");
        ExecutorService callers = Executors.newFixedThreadPool(16)) {
      RawRequest get = service.register().get("/ledger/v1/wallets");
      Callable<RawResponse> call = get::send;
      boolean overloaded = false;
      for (int round = 0; round < 50 && !overloaded; round++) {
        List<Future<RawResponse>> calls =
            IntStream.range(0, 64).mapToObj(i -> callers.submit(call)).toList();
        for (Future<RawResponse> done : calls) {
          RawResponse answer = done.get();
          assertThat(answer.status()).isIn(200, 503);
          if (answer.status() == 503) {
            overloaded = true;
            assertThat(answer.reason()).isEqualTo("overloaded");
            assertThat(answer.header("retry-after")).isEqualTo("1");
          }
        }
      }

      assertThat(overloaded).isTrue();
      assertThat(get.send().status()).isEqualTo(200);
    }
  }

  @Test
  @Tag("full")
  void forgedRequests_thatWait_areShedAndThePartnerIsServed(@TempDir Path data) throws Exception {
    AtomicInteger shed = new AtomicInteger();
    AtomicBoolean ended = new AtomicBoolean();
    try (TestService service = TestService.start(data, 1, "countersign.access.maximum-waiting=1");
        ExecutorService callers = Executors.newFixedThreadPool(32)) {
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
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
      try {
        while (shed.get() < 100 && System.nanoTime() < deadline) {
          assertThat(get.send().status()).isEqualTo(200);
          assertThat(RawRequest.send(service.port(), PROBE).status()).isEqualTo(200);
        }
      } finally {
        ended.set(true);
      }

      for (Future<Boolean> each : floods) {
        assertThat(each.get(60, TimeUnit.SECONDS)).isTrue();
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
