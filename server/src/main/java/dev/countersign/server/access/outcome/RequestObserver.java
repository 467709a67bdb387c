package dev.countersign.server.access.outcome;

/** Observes every completed request to the API, except on paths that need no signature. */
@FunctionalInterface
public interface RequestObserver {

  /** Called on the request's thread, so it must return at once, without blocking or throwing. */
  void completed(CompletedRequest request);
}
