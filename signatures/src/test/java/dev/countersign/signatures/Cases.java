package dev.countersign.signatures;

/**
 * The number of cases that a test tries: all of them in the full run, which sets the system
 * property {@code countersign.full}, and a few in the quick run.
 */
public final class Cases {
  private static final boolean FULL = Boolean.getBoolean("countersign.full");

  private Cases() {}

  /** Returns one of two numbers, depending on the run. */
  public static int of(int full, int quick) {
    return FULL ? full : quick;
  }
}
