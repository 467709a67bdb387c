package dev.countersign.server.operators;

import org.jspecify.annotations.Nullable;

/**
 * The purpose of a one-time link.
 *
 * @param operator the account whose password the link sets; null if the link creates the first
 *     administrator
 */
public record LinkTarget(@Nullable Operator operator) {

  /** Returns whether the link creates the first administrator, who also chooses a name. */
  public boolean isFirst() {
    return operator == null;
  }
}
