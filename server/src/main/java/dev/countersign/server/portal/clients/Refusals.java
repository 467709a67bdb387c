package dev.countersign.server.portal.clients;

/** Messages that several pages share. */
final class Refusals {
  static final String PRIVATE_KEY =
      "This is a private key. It was neither kept nor written anywhere, but it has left its owner:"
          + " discard that key pair, make a new one, and paste its public key.";

  private Refusals() {}
}
