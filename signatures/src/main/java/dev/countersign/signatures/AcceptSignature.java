package dev.countersign.signatures;

import static dev.countersign.signatures.AcceptSignatureException.Reason.MALFORMED;

import dev.countersign.signatures.fields.Dictionary;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.InnerList;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The Accept-Signature field: the signatures that the sender wants on the next message from the
 * other side (RFC 9421 section 5). In a request, the field asks for a signed response. In a
 * response, it asks the client to sign its next request.
 *
 * @param requests one request for each signature, in order; the list is copied
 */
public record AcceptSignature(List<SignatureRequest> requests) {

  /**
   * @throws IllegalArgumentException when two requests have the same label
   */
  public AcceptSignature {
    requests = List.copyOf(requests);
    if (requests.stream().map(SignatureRequest::label).distinct().count() < requests.size()) {
      throw new IllegalArgumentException("two requested signatures have the same label");
    }
  }

  /**
   * Reads all lines of the field. If there are no lines, the field was not sent, and no signature
   * is requested.
   *
   * @throws AcceptSignatureException with {@link AcceptSignatureException.Reason#MALFORMED}
   */
  public static AcceptSignature parse(List<String> lines) {
    Dictionary members = dictionary(lines);
    if (!members.repeatedKeys().isEmpty()) {
      throw malformed("two members have the label " + members.repeatedKeys().iterator().next());
    }
    List<SignatureRequest> requests = new ArrayList<>();
    members
        .asMap()
        .forEach(
            (label, member) -> {
              if (!(member instanceof InnerList list)) {
                throw malformed(label + " must be a list in parentheses");
              }
              requests.add(SignatureRequest.parse(label, list));
            });
    return new AcceptSignature(requests);
  }

  private static Dictionary dictionary(List<String> lines) {
    try {
      return Dictionary.parse(lines);
    } catch (FieldParseException e) {
      throw malformed(String.valueOf(e.getMessage()));
    }
  }

  private static AcceptSignatureException malformed(String fault) {
    return new AcceptSignatureException(MALFORMED, "Accept-Signature: " + fault);
  }

  /** The field's value. */
  public String serialize() {
    return requests.stream().map(SignatureRequest::toString).collect(Collectors.joining(", "));
  }

  @Override
  public String toString() {
    return serialize();
  }
}
