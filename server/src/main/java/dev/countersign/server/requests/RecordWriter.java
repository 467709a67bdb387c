package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.EndedRequest;
import dev.countersign.server.access.outcome.Standing;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.Trouble;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** Moves requests from their queues into the store, many in one transaction. */
final class RecordWriter {
  private static final int BATCH = 500;
  // Bounds one flush, so that the thread can continue with its other work.
  private static final int BATCHES = 40;

  private final RecordQueues queues;
  private final Database database;
  private final Trouble trouble = new Trouble("requests are not recorded");
  private final Map<Standing, LongAdder> stored = new EnumMap<>(Standing.class);

  RecordWriter(RecordQueues queues, Database database) {
    this.queues = queues;
    this.database = database;
    for (Standing standing : Standing.values()) {
      stored.put(standing, new LongAdder());
    }
  }

  /**
   * Writes the queued requests. Requests that the store does not accept are dropped and counted;
   * nothing is thrown.
   *
   * @return the number of requests written
   */
  int flush() {
    int written = 0;
    for (int i = 0; i < BATCHES; i++) {
      List<EndedRequest> batch = queues.drain(BATCH);
      if (batch.isEmpty() || !write(batch)) {
        return written;
      }
      written += batch.size();
    }
    return written;
  }

  private boolean write(List<EndedRequest> batch) {
    boolean written = trouble.isOver(() -> insert(batch));
    for (EndedRequest request : batch) {
      if (written) {
        stored.getOrDefault(request.standing(), new LongAdder()).increment();
      } else {
        queues.of(request.standing()).drop();
      }
    }
    return written;
  }

  private void insert(List<EndedRequest> batch) {
    database.write(
        sql -> {
          new RecordRows(sql).insert(batch);
          return batch;
        });
  }

  RequestCounters counters() {
    Map<Standing, Long> written = new EnumMap<>(Standing.class);
    Map<Standing, Long> dropped = new EnumMap<>(Standing.class);
    stored.forEach((standing, count) -> written.put(standing, count.sum()));
    for (Standing standing : Standing.values()) {
      dropped.put(standing, queues.of(standing).dropped());
    }
    return new RequestCounters(written, dropped);
  }
}
