package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.FieldParseException;
import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.fields.Item;
import java.util.ArrayList;
import java.util.List;

/**
 * The components and parameters of one signature: a member of Signature-Input without its label
 * (RFC 9421 section 4.1).
 *
 * @param components the covered components in their order; the list is copied
 * @param parameters the signature parameters in their order
 */
public record SignatureInput(List<ComponentIdentifier> components, SignatureParameters parameters) {

  public SignatureInput {
    components = List.copyOf(components);
  }

  /**
   * Reads the value of {@code @signature-params}: {@code ("@method" "date");created=1618884473}.
   *
   * @throws FieldParseException when the text is not an inner list
   * @throws IllegalArgumentException when an item of the list does not name a component
   * @throws VerificationException {@link VerificationFailure#PARAMETERS_WRONG} when a parameter has
   *     the wrong type
   */
  public static SignatureInput parse(String signatureParams) {
    return of(InnerList.parse(signatureParams));
  }

  public static SignatureInput of(InnerList list) {
    return new SignatureInput(componentsOf(list), SignatureParameters.received(list.parameters()));
  }

  public static List<ComponentIdentifier> componentsOf(InnerList list) {
    List<ComponentIdentifier> components = new ArrayList<>(list.items().size());
    for (Item item : list.items()) {
      components.add(ComponentIdentifier.of(item));
    }
    return components;
  }

  /** Returns whether this exact component is covered, with the same parameters. */
  public boolean covers(ComponentIdentifier component) {
    return components.contains(component);
  }

  /** The value of {@code @signature-params} in its canonical spelling. */
  public String signatureParams() {
    return ComponentIdentifier.serialize(components) + parameters.serialize();
  }
}
