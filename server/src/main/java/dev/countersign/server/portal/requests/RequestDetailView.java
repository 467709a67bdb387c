package dev.countersign.server.portal.requests;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.requests.RequestDetails;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One request with everything stored about it, as text for the page. */
record RequestDetailView(RequestRow row, RequestDetails details) {
  private static final String NO_KEY =
      "No key of the client was live when the request was received, so no signature base was built:"
          + " register a new key of the caller under API Keys.";

  public String target() {
    return VisibleText.of(details.target());
  }

  public @Nullable Reason reason() {
    return details.request().reason();
  }

  /** Returns all checks in their order, with the outcome of each. */
  public List<CheckLine> checks() {
    return Arrays.stream(Check.values()).map(check -> new CheckLine(check, state(check))).toList();
  }

  private State state(Check check) {
    CheckProgress progress = details.request().checks();
    if (progress == null) {
      return State.UNKNOWN;
    }
    if (check == progress.refusedBy()) {
      return State.FAILED;
    }
    return progress.hasPassed(check) ? State.PASSED : State.NOT_REACHED;
  }

  /**
   * If a request was refused by something other than a check, returns how far the checks had come;
   * null for other requests.
   */
  public @Nullable String elsewhere() {
    CheckProgress progress = details.request().checks();
    if (progress == null || reason() == null || progress.refusedBy() != null) {
      return null;
    }
    return progress.passed() == null
        ? "before the first check"
        : "after check " + progress.passed().number();
  }

  /** Returns whether the record says which checks the request passed. */
  public boolean isProgressKnown() {
    return details.request().checks() != null;
  }

  /** One check with its outcome. */
  record CheckLine(Check check, State state) {}

  /** The outcome of one check. */
  enum State {
    PASSED("✓"),
    FAILED("✗"),
    NOT_REACHED("–"),
    UNKNOWN("?");

    private final String sign;

    State(String sign) {
      this.sign = sign;
    }

    public String sign() {
      return sign;
    }

    /** Returns the word in the page's markup, such as {@code not_reached}. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    public String label() {
      return word().replace('_', ' ');
    }
  }

  public @Nullable String advice() {
    Reason reason = reason();
    if (reason == null) {
      return null;
    }
    return reason == Reason.SIGNATURE_MISMATCH && details.signatureBase() == null
        ? NO_KEY
        : reason.adviceToOperator();
  }

  /**
   * Returns the id of the part of the client's page on which an operator can fix the refusal; null
   * if the remedy is elsewhere.
   */
  public @Nullable String clientPart() {
    Reason reason = reason();
    if (reason == null || row.clientName() == null) {
      return null;
    }
    return switch (reason) {
      case CLIENT_DISABLED -> "status-title";
      case ADDRESS_NOT_ALLOWED -> "whitelist";
      case ROLE_MISSING -> "roles";
      case SCOPE_MISSING, SCOPE_VIOLATION -> "attributes";
      case ROTATION_PENDING -> "keys-title";
      case SIGNATURE_MISMATCH -> details.signatureBase() == null ? "keys-title" : null;
      default -> null;
    };
  }

  public @Nullable String detail() {
    return VisibleText.ofNullable(details.detail());
  }

  public @Nullable String expected() {
    return VisibleText.ofNullable(details.expected());
  }

  public @Nullable String received() {
    return VisibleText.ofNullable(details.received());
  }

  public @Nullable String signatureBase() {
    return details.signatureBase() == null ? null : VisibleText.ofLines(details.signatureBase());
  }

  public @Nullable String keyFingerprint() {
    return VisibleText.ofNullable(details.keyFingerprint());
  }

  public @Nullable String userAgent() {
    return VisibleText.ofNullable(details.userAgent());
  }
}
