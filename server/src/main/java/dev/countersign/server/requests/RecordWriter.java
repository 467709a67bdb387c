package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.FailureLog;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.springframework.dao.DataAccessException;

/** Moves requests from their queues into the store, many in one transaction. */
final class RecordWriter {
  // The maximum number of requests in one transaction.
  private static final int MAX_BATCH_SIZE = 500;
  // The maximum number of transactions in one flush, so that the thread can continue with its other
  // work.
  private static final int MAX_BATCHES = 40;
  // About one record in a million gets an id that another node has used. So an insert that fails
  // three times fails for another reason.
  private static final int MAX_ATTEMPTS = 3;

  private final RationedQueues queues;
  private final Database database;
  private final RecordIds ids;
  private final FailureLog failureLog = new FailureLog("requests are not recorded");
  private final Map<TrustLevel, LongAdder> stored = new EnumMap<>(TrustLevel.class);

  RecordWriter(RationedQueues queues, Database database, RecordIds ids) {
    this.queues = queues;
    this.database = database;
    this.ids = ids;
    for (TrustLevel trust : TrustLevel.values()) {
      stored.put(trust, new LongAdder());
    }
  }

  /**
   * Writes the queued requests. If the store fails, the requests are dropped and counted, and no
   * exception is thrown.
   *
   * @return the number of requests written
   */
  int flush() {
    int written = 0;
    for (int i = 0; i < MAX_BATCHES; i++) {
      List<CompletedRequest> batch = queues.drain(MAX_BATCH_SIZE);
      if (batch.isEmpty() || !write(batch)) {
        return written;
      }
      written += batch.size();
    }
    return written;
  }

  private boolean write(List<CompletedRequest> batch) {
    boolean written = failureLog.attempt(() -> insert(batch));
    for (CompletedRequest request : batch) {
      if (written) {
        stored.getOrDefault(request.trust(), new LongAdder()).increment();
      } else {
        queues.queue(request.trust()).countDropped();
      }
    }
    return written;
  }

  private void insert(List<CompletedRequest> batch) {
    for (int attempt = 1; ; attempt++) {
      try {
        database.write(
            sql -> {
              new RecordRows(sql).insert(batch, ids);
              return batch;
            });
        return;
      } catch (DataAccessException e) {
        if (attempt == MAX_ATTEMPTS || !database.dialect().isUniqueViolation(e)) {
          throw e;
        }
        ids.drawNewStart();
      }
    }
  }

  RequestCounters counters() {
    Map<TrustLevel, Long> written = new EnumMap<>(TrustLevel.class);
    Map<TrustLevel, Long> dropped = new EnumMap<>(TrustLevel.class);
    stored.forEach((trust, count) -> written.put(trust, count.sum()));
    for (TrustLevel trust : TrustLevel.values()) {
      dropped.put(trust, queues.queue(trust).dropped());
    }
    return new RequestCounters(written, dropped);
  }
}
