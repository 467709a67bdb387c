package dev.countersign.server.access;

import dev.countersign.server.TestService;
import dev.countersign.server.access.HeldRequests.Held;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.contract.Leeway;
import dev.countersign.signatures.contract.RawClient;
import dev.countersign.signatures.contract.RefusedException;
import dev.countersign.signatures.contract.RequestMessageContract;
import dev.countersign.signatures.contract.WireExchange;
import dev.countersign.signatures.contract.WireMessage;
import dev.countersign.testing.Waits;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The service's view of a request that comes through the engine, configured as in the service. */
class ServletMessageTest extends RequestMessageContract {
  private static final HeldRequests REQUESTS = new HeldRequests();
  private static TestService service;

  private Held last;

  @BeforeAll
  static void start(@TempDir Path data) {
    service = TestService.start(data, 0);
    REQUESTS.addTo(service);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @AfterEach
  void release() {
    if (last != null) {
      last.released().countDown();
      last = null;
    }
  }

  @Override
  protected WireExchange<RequestMessage> exchange(WireMessage wanted) throws Exception {
    release();
    WireMessage wire = RawClient.complete(wanted, service.port());
    FutureTask<Integer> status = new FutureTask<>(() -> RawClient.send(wire, service.port()));
    Thread.ofVirtual().start(status);
    while (last == null && !status.isDone()) {
      last = REQUESTS.held().poll(10, TimeUnit.MILLISECONDS);
    }
    if (last == null) {
      throw new RefusedException("status " + Waits.forResult(status));
    }
    return new WireExchange<>(wire, last.message());
  }

  @Override
  protected Set<Leeway> leeways() {
    return Set.of(Leeway.ABSOLUTE_FORM_BECOMES_ORIGIN_FORM);
  }

  @Override
  protected Set<String> refusedNames() {
    return Set.of("@method", "@target-uri", "@authority", "@path", ":method", ":path");
  }

  @Override
  protected Set<String> refusedTargets() {
    return Set.of(
        "/../a", "/%2e%2E/a", "/%2F", "/a%2fb", "/a%5Cb", "/%E9", "/a%00", "/a?b=[1]", "/a?b={1}");
  }
}
