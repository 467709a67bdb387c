package dev.countersign.server.operators.sessions;

/** The kind of activity for which a session is looked up. */
public enum SessionActivity {
  /** The operator did something, so the idle time starts again. */
  USER,
  /** An open page polls by itself. This does not extend the session. */
  BACKGROUND
}
