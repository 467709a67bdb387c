package dev.countersign.server.access.outcome;

import dev.countersign.protocol.Reason;

/**
 * Ends a request with a {@link Denial}. The exception has no stack trace, because a refusal is not
 * a defect.
 */
public final class DeniedException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Denial denial;

  public DeniedException(Denial denial) {
    super(denial.reason().word() + ": " + denial.detail(), null, false, false);
    this.denial = denial;
  }

  public DeniedException(Reason reason, String detail) {
    this(Denial.of(reason, detail));
  }

  public Denial denial() {
    return denial;
  }
}
