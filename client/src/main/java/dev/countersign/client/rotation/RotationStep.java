package dev.countersign.client.rotation;

/** The steps of a rotation on disk and at the service, in order. */
enum RotationStep {
  /** The new key is durably beside the old one. */
  NEXT_WRITTEN,
  /** The service has confirmed the new key. */
  REGISTERED,
  /** The old key is kept under a second name. */
  PREVIOUS_KEPT,
  /** The public key file holds the public half of the new key. */
  PUBLIC_WRITTEN,
  /** The key file holds the new key. */
  SWITCHED;

  /** Receives each step; a test stops the rotation there. */
  @FunctionalInterface
  interface Listener {
    void reached(RotationStep step);
  }
}
