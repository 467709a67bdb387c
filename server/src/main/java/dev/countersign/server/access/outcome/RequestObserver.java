package dev.countersign.server.access.outcome;

/** Observes every completed request to the API, except the health probes. */
@FunctionalInterface
public interface RequestObserver {

  /** Called on the request's thread: must return at once, without blocking or throwing. */
  void ended(CompletedRequest request);
}
