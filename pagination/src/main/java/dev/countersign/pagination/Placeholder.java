package dev.countersign.pagination;

final class Placeholder {
  private Placeholder() {}
}
