package dev.countersign.server.operators;

import org.jspecify.annotations.Nullable;

/**
 * What a one-time link is for.
 *
 * @param operator whose password it sets; null where it makes the first administrator
 */
public record LinkTarget(@Nullable Operator operator) {

  /** Whether it makes the first administrator, who chooses a name too. */
  public boolean isFirst() {
    return operator == null;
  }
}
