package dev.countersign.server.access;

/** Is told of every request to the API that has ended, the open health probes aside. */
@FunctionalInterface
public interface RequestObserver {

  /** Called on the request's own thread, at once: it must not wait for anything, nor throw. */
  void ended(EndedRequest request);
}
