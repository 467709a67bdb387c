package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.NaiveFields;

/** Component identifiers as in a signature base. */
public final class ComponentIdentifierFuzz {
  private ComponentIdentifierFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    String text = new String(input, UTF_8);
    ComponentIdentifier component;
    try {
      component = ComponentIdentifier.parse(text);
    } catch (FieldParseException e) {
      FuzzFinding.unless(NaiveFields.item(text).isEmpty(), "refuses a valid item");
      return;
    } catch (IllegalArgumentException e) {
      // The exception type itself is declared; its subtypes, such as that for numbers, are not.
      FuzzFinding.unlessEqual(e.getClass(), IllegalArgumentException.class);
      return;
    }
    String canonical = component.serialize();
    FuzzFinding.unlessEqual(NaiveFields.item(text).orElse("none"), canonical);
    FuzzFinding.unlessEqual(ComponentIdentifier.parse(canonical), component);
    FuzzFinding.unlessEqual(component.isDerived(), canonical.startsWith("\"@"));
  }
}
