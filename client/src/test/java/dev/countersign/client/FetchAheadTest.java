package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.Reference;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FetchAheadTest {
  /** Counts the requests that arrived. */
  private final Semaphore arrivals = new Semaphore(0);

  private final TestRows testRows = TestRows.upTo(45);

  private Reply reply(ServedRequest request) {
    arrivals.release();
    return testRows.reply(request);
  }

  private static PageWalk<ListWalkTest.Row> walk(SignedServer server) {
    return new Waits()
        .client(server.uri())
        .build()
        .list("/rows", ListWalkTest.Row.class)
        .withSize(10)
        .withFetchAhead();
  }

  private void awaitRequests(int count) throws InterruptedException {
    assertThat(arrivals.tryAcquire(count, 60, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void items_fetchedAhead_areTheSame() throws Exception {
    try (SignedServer server = SignedServer.replying(this::reply)) {
      assertThat(walk(server).stream().map(ListWalkTest.Row::id)).isEqualTo(TestRows.ids(1, 45));
      assertThat(server.requests()).hasSize(5);
    }
  }

  @Test
  void next_firstItem_bringsOnePageMoreAndNoOther() throws Exception {
    try (SignedServer server = SignedServer.replying(this::reply)) {
      Iterator<ListWalkTest.Row> items = walk(server).items().iterator();
      items.next();

      awaitRequests(2);
      for (int i = 1; i < 10; i++) {
        items.next();
      }

      assertThat(server.requests()).hasSize(2);
      assertThat(items.next().id()).isEqualTo(11);
      awaitRequests(1);
    }
  }

  @Test
  void withLimit_reached_fetchesNothingAhead() throws Exception {
    try (SignedServer server = SignedServer.replying(this::reply)) {
      assertThat(walk(server).withLimit(20).stream()).hasSize(20);
      assertThat(server.requests()).hasSize(2);
    }
  }

  /** The requested page is withheld; closing the stream ends the thread that waits for it. */
  @Test
  void stream_closed_cancelsWhatIsUnderWay() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (SignedServer server = SignedServer.replying(request -> heldBack(request, release))) {
      Stream<ListWalkTest.Row> stream = walk(server).stream();
      Iterator<ListWalkTest.Row> items = stream.iterator();
      items.next();
      awaitRequests(2);
      Thread fetching = fetchingThread();

      stream.close();

      fetching.join(60_000);
      assertThat(fetching.isAlive()).isFalse();
      release.countDown();
    }
  }

  @Test
  void iterator_dropped_cancelsWhatIsUnderWay() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (SignedServer server = SignedServer.replying(request -> heldBack(request, release))) {
      Iterator<ListWalkTest.Row> items = walk(server).items().iterator();
      items.next();
      awaitRequests(2);
      Thread fetching = fetchingThread();
      Reference.reachabilityFence(items);
      items = null;

      for (int i = 0; i < 300 && fetching.isAlive(); i++) {
        System.gc();
        fetching.join(100);
      }

      assertThat(fetching.isAlive()).isFalse();
      release.countDown();
    }
  }

  private Reply heldBack(ServedRequest request, CountDownLatch release) {
    arrivals.release();
    if (TestRows.parameter(request, "offset") > 0) {
      try {
        release.await(60, TimeUnit.SECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return testRows.reply(request);
  }

  /** Returns the only thread that fetches ahead, once those of earlier tests have ended. */
  private static Thread fetchingThread() throws InterruptedException {
    List<Thread> found = fetchingThreads();
    for (int i = 0; i < 6_000 && found.size() > 1; i++) {
      Thread.sleep(10);
      found = fetchingThreads();
    }
    assertThat(found).singleElement().matches(Thread::isDaemon);
    return found.get(0);
  }

  private static List<Thread> fetchingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("countersign-fetch-ahead"))
        .toList();
  }
}
