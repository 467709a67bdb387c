package dev.countersign.client.rotation;

/** Simulates the end of a process at one step, as far as a test in the same process can. */
final class Crash extends Error {
  private static final long serialVersionUID = 1L;

  private Crash(RotationStep step) {
    super(step.name());
  }

  static RotationStep.Listener at(RotationStep wanted) {
    return step -> {
      if (step == wanted) {
        throw new Crash(step);
      }
    };
  }
}
