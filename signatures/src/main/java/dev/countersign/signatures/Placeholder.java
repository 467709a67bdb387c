package dev.countersign.signatures;

final class Placeholder {
  private Placeholder() {}
}
