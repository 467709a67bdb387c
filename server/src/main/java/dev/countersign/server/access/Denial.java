package dev.countersign.server.access;

import dev.countersign.protocol.Reason;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * One refusal: its reason, what to say about this request, and what else the caller may see.
 *
 * <p>It becomes an RFC 9457 problem document in {@link ProblemWriter} and nowhere else.
 *
 * @param reason why, in one word
 * @param detail a sentence that gives the offending value, the rule and the fix
 * @param members further members of the problem document, strings, numbers or lists of strings
 * @param headers further header fields of the answer, such as {@code Allow}
 */
public record Denial(
    Reason reason, String detail, Map<String, Object> members, Map<String, String> headers) {

  public Denial {
    members = Map.copyOf(members);
    headers = Map.copyOf(headers);
  }

  /** A denial with nothing beside its detail. */
  public static Denial of(Reason reason, String detail) {
    return new Denial(reason, detail, Map.of(), Map.of());
  }

  /** This denial with one more member in its problem document. */
  public Denial withMember(String name, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(members);
    more.put(name, value);
    return new Denial(reason, detail, more, headers);
  }

  /** This denial with one more header field in its answer. */
  public Denial withHeader(String name, String value) {
    Map<String, String> more = new LinkedHashMap<>(headers);
    more.put(name, value);
    return new Denial(reason, detail, members, more);
  }

  /** This denial as an exception, to end the request at once. */
  public DeniedException asException() {
    return new DeniedException(this);
  }
}
