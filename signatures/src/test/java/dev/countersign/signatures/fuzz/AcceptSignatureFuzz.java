package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.AcceptSignature;
import dev.countersign.signatures.AcceptSignatureException;
import dev.countersign.signatures.fields.NaiveFields;
import java.util.List;

/** Accept-Signature: an accepted field is read completely, and written canonically. */
public final class AcceptSignatureFuzz {
  private AcceptSignatureFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    List<String> lines = new String(input, UTF_8).lines().toList();
    AcceptSignature accepted;
    try {
      accepted = AcceptSignature.parse(lines);
    } catch (AcceptSignatureException e) {
      FuzzFinding.unlessEqual(e.reason(), AcceptSignatureException.Reason.MALFORMED);
      return;
    }
    String text = accepted.serialize();
    FuzzFinding.unlessEqual(NaiveFields.dictionary(String.join(", ", lines)).orElse("none"), text);
    FuzzFinding.unlessEqual(AcceptSignature.parse(List.of(text)).serialize(), text);
  }
}
