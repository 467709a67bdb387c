package dev.countersign.signatures.fuzz;

/** A defect that a fuzz target has found. */
final class FuzzFinding extends AssertionError {
  private static final long serialVersionUID = 1L;

  private FuzzFinding(String message) {
    super(message);
  }

  static void unless(boolean condition, String message) {
    if (!condition) {
      throw new FuzzFinding(message);
    }
  }

  /** Compares without an assertion library, which a fuzzer would explore too. */
  static void unlessEqual(Object actual, Object expected) {
    if (!actual.equals(expected)) {
      throw new FuzzFinding("expected " + expected + ", was " + actual);
    }
  }
}
