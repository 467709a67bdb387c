package dev.countersign.server.access;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.signatures.VerificationException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One refusal: its reason, what to say about this request, and what else the caller may see.
 *
 * <p>It becomes an RFC 9457 problem document in {@link ProblemWriter} and nowhere else.
 *
 * @param reason why, in one word
 * @param detail a sentence that gives the offending value, the rule and the fix
 * @param members further members of the problem document, strings, numbers or lists of strings
 * @param headers further header fields of the answer, such as {@code Allow}
 * @param check that refused the request; null where something else did
 */
public record Denial(
    Reason reason,
    String detail,
    Map<String, Object> members,
    Map<String, String> headers,
    @Nullable Check check) {

  /** The member that holds a signature base; an operator can have it left out. */
  public static final String SIGNATURE_BASE = "signatureBase";

  public Denial {
    members = Map.copyOf(members);
    headers = Map.copyOf(headers);
  }

  /** A denial with nothing beside its detail. */
  public static Denial of(Reason reason, String detail) {
    return new Denial(reason, detail, Map.of(), Map.of(), null);
  }

  /** The denial of a signature that the library did not accept. */
  static Denial of(VerificationException refused) {
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

  /** This denial in a check that was entered; the first one is kept. */
  Denial in(Check entered) {
    return check == null ? new Denial(reason, detail, members, headers, entered) : this;
  }

  /** This denial with one more member in its problem document. */
  public Denial withMember(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Denial(reason, detail, more, headers, check);
  }

  /** This denial with one more header field in its answer. */
  public Denial withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Denial(reason, detail, members, more, check);
  }

  /** This denial as an exception, to end the request at once. */
  public DeniedException asException() {
    return new DeniedException(this);
  }
}
