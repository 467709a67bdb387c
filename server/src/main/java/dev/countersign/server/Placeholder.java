package dev.countersign.server;

final class Placeholder {
  private Placeholder() {}
}
