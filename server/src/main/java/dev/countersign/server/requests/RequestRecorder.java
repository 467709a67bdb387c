package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.RequestObserver;
import dev.countersign.server.requests.statistics.Statistics;

/** Records each request as it ends: updates counters and offers the request to a queue. */
final class RequestRecorder implements RequestObserver {
  private final RequestProperties.Log log;
  private final RationedQueues queues;
  private final Statistics statistics;
  private final KeyUses keyUses;

  RequestRecorder(
      RequestProperties.Log log, RationedQueues queues, Statistics statistics, KeyUses keyUses) {
    this.log = log;
    this.queues = queues;
    this.statistics = statistics;
    this.keyUses = keyUses;
  }

  @Override
  public void ended(CompletedRequest request) {
    statistics.count(request);
    keyUses.note(request);
    if (log.takes(request)) {
      queues.offer(request);
    }
  }
}
