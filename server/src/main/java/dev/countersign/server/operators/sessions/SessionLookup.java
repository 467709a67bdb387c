package dev.countersign.server.operators.sessions;

/** The reason why a session is looked up. */
public enum SessionLookup {
  /** The operator did something: the idle time starts again. */
  USER,
  /** An open page polls or listens by itself: the session is not extended. */
  BACKGROUND
}
