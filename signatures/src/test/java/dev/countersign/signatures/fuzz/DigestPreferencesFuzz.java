package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.digest.DigestFieldException;
import dev.countersign.signatures.digest.DigestPreferences;
import java.util.List;

/** Want-Content-Digest and Want-Repr-Digest; a line of the input is a line of the field. */
public final class DigestPreferencesFuzz {
  private DigestPreferencesFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    DigestPreferences preferences;
    try {
      preferences = DigestPreferences.parse(new String(input, UTF_8).lines().toList());
    } catch (DigestFieldException e) {
      return;
    }
    FuzzFinding.unlessEqual(DigestPreferences.parse(List.of(preferences.serialize())), preferences);
    preferences
        .preferred()
        .ifPresent(
            best -> FuzzFinding.unless(preferences.weights().get(best) > 0, "not acceptable"));
  }
}
