package dev.countersign.signatures;

/**
 * How many cases a test tries: all of them in the full run, which sets the system property {@code
 * countersign.full}, and a few in the quick one.
 */
public final class Cases {
  private static final boolean FULL = Boolean.getBoolean("countersign.full");

  private Cases() {}

  /** One of two numbers. */
  public static int of(int full, int quick) {
    return FULL ? full : quick;
  }
}
