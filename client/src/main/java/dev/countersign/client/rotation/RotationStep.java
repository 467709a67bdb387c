package dev.countersign.client.rotation;

/** The steps of a rotation on disk and at the service, in order. */
enum RotationStep {
  /** The new key is stored durably beside the old key. */
  NEXT_WRITTEN,
  /** The service has confirmed the new key. */
  REGISTERED,
  /** The old key is kept under a second name. */
  PREVIOUS_KEPT,
  /** The public key file holds the public half of the new key. */
  PUBLIC_WRITTEN,
  /** The key file holds the new key. */
  SWITCHED;

  /** Receives each step. A test can stop the rotation at a step. */
  @FunctionalInterface
  interface Listener {
    void reached(RotationStep step);
  }
}
