package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.countersign.testing.Waits;
import java.lang.ref.Reference;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchAheadTest {
  /** Counts the requests that arrived. */
  private final Semaphore arrivals = new Semaphore(0);

  private final TestRows testRows = TestRows.upTo(45);

  private Reply reply(ServedRequest request) {
    arrivals.release();
    return testRows.reply(request);
  }

  private static PageWalk<ListWalkTest.Row> walk(SignedServer server) {
    return list(server).withFetchAhead();
  }

  private static PageWalk<ListWalkTest.Row> list(SignedServer server) {
    return new RecordedWaits()
        .client(server.uri())
        .build()
        .list("/rows", ListWalkTest.Row.class)
        .withSize(10);
  }

  private void awaitRequests(int count) {
    Awaitility.await().until(() -> arrivals.tryAcquire(count));
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
  void take_afterTheWalkWasClosed_fetchesNothing() {
    FetchAhead ahead = FetchAhead.none();
    ahead.close();

    assertThatExceptionOfType(CountersignException.class)
        .isThrownBy(
            () ->
                ahead.take(
                    () -> {
                      throw new AssertionError("a request after the close");
                    }))
        .withMessageContaining("the walk was closed");
  }

  /** Otherwise, an iterator over records would fail although it has just promised one. */
  @Test
  void walk_closedBetweenHasNextAndNext_returnsThePageThatItPromised() throws Exception {
    try (SignedServer server = SignedServer.replying(this::reply)) {
      PageIterator<ListWalkTest.Row> pages =
          (PageIterator<ListWalkTest.Row>) list(server).pages().iterator();
      assertThat(pages.hasNext()).isTrue();

      pages.close();

      assertThat(pages.next().content()).hasSize(10);
      assertThat(pages.hasNext()).isFalse();
    }
  }

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

      Waits.forEnd(fetching);
      release.countDown();
    }
  }

  @Test
  void stream_closedByAnotherThread_endsTheWaitForAPage() throws Exception {
    CountDownLatch release = new CountDownLatch(1);
    try (SignedServer server = SignedServer.replying(request -> heldBack(request, release))) {
      Stream<ListWalkTest.Row> stream = walk(server).stream();
      Iterator<ListWalkTest.Row> items = stream.iterator();
      for (int i = 0; i < 10; i++) {
        items.next();
      }
      awaitRequests(2);
      AtomicReference<Throwable> thrown = new AtomicReference<>();
      Thread waiting = new Thread(() -> thrown.set(catchThrowable(items::hasNext)));
      waiting.start();
      Awaitility.await().until(() -> waiting.getState() == Thread.State.WAITING);

      stream.close();

      Waits.forEnd(waiting);
      release.countDown();
      assertThat(thrown.get())
          .isInstanceOf(CountersignException.class)
          .hasMessage("interrupted: the walk was closed");
      assertThat(items.hasNext()).isFalse();
    }
  }

  /** The service closes the stream before it answers. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void stream_closedWhileAPageIsFetched_ends(boolean ahead) throws Exception {
    AtomicReference<Stream<ListWalkTest.Row>> stream = new AtomicReference<>();
    try (SignedServer server =
        SignedServer.replying(
            request -> {
              stream.get().close();
              return testRows.reply(request);
            })) {
      PageWalk<ListWalkTest.Row> walk = list(server);
      stream.set((ahead ? walk.withFetchAhead() : walk).stream());

      assertThat(stream.get().iterator().hasNext()).isFalse();
      assertThat(server.requests()).hasSize(1);
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

      Awaitility.await()
          .until(
              () -> {
                System.gc();
                return !fetching.isAlive();
              });
      release.countDown();
    }
  }

  private Reply heldBack(ServedRequest request, CountDownLatch release) {
    arrivals.release();
    if (TestRows.parameter(request, "offset") > 0) {
      try {
        Waits.forLatch(release);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    return testRows.reply(request);
  }

  /** Returns the only thread that fetches ahead, once those of earlier tests have ended. */
  private static Thread fetchingThread() {
    List<Thread> found =
        Awaitility.await().until(FetchAheadTest::fetchingThreads, threads -> threads.size() <= 1);
    assertThat(found).singleElement().matches(Thread::isDaemon);
    return found.get(0);
  }

  private static List<Thread> fetchingThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("countersign-fetch-ahead"))
        .toList();
  }
}
