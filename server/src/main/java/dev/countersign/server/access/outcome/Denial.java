package dev.countersign.server.access.outcome;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.signatures.base.VerificationException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A refusal: its reason, a sentence about this request, and further details for the caller.
 *
 * <p>Only {@code ProblemWriter} turns a denial into an RFC 9457 problem document.
 *
 * @param reason the reason
 * @param detail a sentence with the offending value, the rule and the fix
 * @param members further members of the problem document: strings, numbers or lists of strings
 * @param headers further header fields of the answer, such as {@code Allow}
 * @param check the check that refused the request; null if something else did
 * @param note a note that only the operator sees, in the log and the portal; null if there is none
 */
public record Denial(
    Reason reason,
    String detail,
    Map<String, Object> members,
    Map<String, String> headers,
    @Nullable Check check,
    @Nullable String note) {

  /**
   * The name of the member with the signature base. An operator can omit this member from answers.
   */
  public static final String SIGNATURE_BASE = "signatureBase";

  public Denial {
    members = Map.copyOf(members);
    headers = Map.copyOf(headers);
  }

  /** Creates a denial with only a detail. */
  public static Denial of(Reason reason, String detail) {
    return new Denial(reason, detail, Map.of(), Map.of(), null, null);
  }

  /** Creates the denial of a request whose path belongs to no operation. */
  public static Denial nothingServed() {
    return of(Reason.NOT_FOUND, "nothing is served at this path");
  }

  /** Creates the denial of a signature that the library refused. */
  public static Denial of(VerificationException refused) {
    Denial denial = of(Reason.of(refused.failure()), String.valueOf(refused.getMessage()));
    if (refused.comparison().isPresent()) {
      VerificationException.Comparison comparison = refused.comparison().get();
      return denial
          .withMember("expected", comparison.expected())
          .withMember("received", comparison.received());
    }
    return refused
        .signatureBase()
        .map(base -> denial.withMember(SIGNATURE_BASE, base.text()))
        .orElse(denial);
  }

  /** Returns this denial with the given check; a denial that already has a check keeps it. */
  public Denial in(Check entered) {
    return check == null ? new Denial(reason, detail, members, headers, entered, note) : this;
  }

  /** Returns this denial with one more member in its problem document. */
  public Denial withMember(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Denial(reason, detail, more, headers, check, note);
  }

  /** Returns this denial with one more header field in its answer. */
  public Denial withHeader(String name, String value) {
    return withHeaders(Map.of(name, value));
  }

  /** Returns this denial with more header fields in its answer. */
  public Denial withHeaders(Map<String, String> fields) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.putAll(fields);
    return new Denial(reason, detail, members, more, check, note);
  }

  /**
   * Returns this denial with a note for the operator. The note may quote a value that a proxy sent,
   * shortened and in printable characters.
   */
  public Denial withNote(String forOperators) {
    return new Denial(reason, detail, members, headers, check, forOperators);
  }

  /** Returns this denial as an exception, which ends the request at once. */
  public DeniedException asException() {
    return new DeniedException(this);
  }
}
