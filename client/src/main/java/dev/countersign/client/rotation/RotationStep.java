package dev.countersign.client.rotation;

/** How far a rotation has come on the disk and at the service, in this order. */
enum RotationStep {
  /** The new key is beside the old one, durably. */
  NEXT_WRITTEN,
  /** The service has said that it has the new key. */
  REGISTERED,
  /** The old key has a second name. */
  PREVIOUS_KEPT,
  /** The public half is that of the new key. */
  PUBLIC_WRITTEN,
  /** The key file holds the new key. */
  SWITCHED;

  /** Hears of each step; a test ends the rotation there. */
  @FunctionalInterface
  interface Listener {
    void reached(RotationStep step);
  }
}
