package dev.countersign.server.operators.sessions;

/** The reason why a session is looked up. */
public enum SessionLookup {
  /** The operator did something, so the idle time starts again. */
  USER,
  /** An open page polls by itself. This does not extend the session. */
  BACKGROUND
}
