package dev.countersign.server.operators;

/** Why a session is looked up. */
public enum Activity {
  /** The operator does something: the idle time begins anew. */
  USER,
  /** A page polls or listens by itself: that keeps no session alive. */
  BACKGROUND
}
