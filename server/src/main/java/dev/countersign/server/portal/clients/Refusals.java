package dev.countersign.server.portal.clients;

/** What several pages say in the same words. */
final class Refusals {
  static final String PRIVATE_KEY =
      "This is a private key. It was neither kept nor written anywhere, but it has left its owner:"
          + " discard that key pair, make a new one, and paste its public key.";

  private Refusals() {}
}
