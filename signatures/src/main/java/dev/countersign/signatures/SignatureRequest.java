package dev.countersign.signatures;

import static dev.countersign.signatures.AcceptSignatureException.Reason.MALFORMED;
import static dev.countersign.signatures.AcceptSignatureException.Reason.NOT_FULFILLABLE;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.fields.BareItem;
import dev.countersign.signatures.fields.BooleanItem;
import dev.countersign.signatures.fields.InnerList;
import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.fields.StringItem;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request to the other side for a signature: a member of Accept-Signature (RFC 9421 section 5.1).
 *
 * <pre>{@code
 * SignatureRequest.of("sig1", List.of(ComponentIdentifier.of("@status")))
 *     .withCreated()
 *     .withNonce("q8yW2")
 * }</pre>
 */
public final class SignatureRequest {
  private static final Set<String> FLAGS = Set.of("created", "expires");
  private static final Set<String> TEXTS = Set.of("nonce", "tag");
  private static final Set<String> FLAGS_OR_TEXTS = Set.of("alg", "keyid");

  private final String label;
  private final List<ComponentIdentifier> components;
  private final Parameters parameters;

  private SignatureRequest(
      String label, List<ComponentIdentifier> components, Parameters parameters) {
    this.label = label;
    this.components = List.copyOf(components);
    this.parameters = parameters;
  }

  /**
   * A request for a signature with this label over exactly these components.
   *
   * @throws IllegalArgumentException for a label that is not a dictionary key
   */
  public static SignatureRequest of(String label, List<ComponentIdentifier> components) {
    return new SignatureRequest(Label.check(label), components, Parameters.empty());
  }

  /**
   * Reads a member of Accept-Signature.
   *
   * @throws AcceptSignatureException when an item does not name a component, or a parameter has the
   *     wrong type or occurs twice
   */
  static SignatureRequest parse(String label, InnerList list) {
    if (!list.parameters().repeatedKeys().isEmpty()) {
      throw malformed(label, "a parameter occurs twice");
    }
    list.parameters().asMap().forEach((name, value) -> checkType(label, name, value));
    try {
      return new SignatureRequest(label, SignatureInput.componentsOf(list), list.parameters());
    } catch (IllegalArgumentException e) {
      throw malformed(label, String.valueOf(e.getMessage()));
    }
  }

  // RFC 9421 section 5.1: created and expires have no value, and the other parameters have a value.
  // Design note: keyid and alg are also accepted without a value, because existing verifiers send
  // them that way. Without a value, they ask the signer to send that parameter.
  private static void checkType(String label, String name, BareItem value) {
    boolean flag = value.equals(BooleanItem.TRUE);
    boolean text = value instanceof StringItem;
    if ((FLAGS.contains(name) && !flag)
        || (TEXTS.contains(name) && !text)
        || (FLAGS_OR_TEXTS.contains(name) && !flag && !text)) {
      throw malformed(label, name + " cannot have this value");
    }
  }

  private static AcceptSignatureException malformed(String label, String fault) {
    return new AcceptSignatureException(MALFORMED, "Accept-Signature: " + label + ": " + fault);
  }

  /** The label of the requested signature. */
  public String label() {
    return label;
  }

  /** The components to cover: only these, and in this order. */
  public List<ComponentIdentifier> components() {
    return components;
  }

  /** The requested parameters. {@code created} and {@code expires} have no value. */
  public Parameters parameters() {
    return parameters;
  }

  /** Asks for {@code created}, the time of signing. */
  public SignatureRequest withCreated() {
    return with("created", BooleanItem.TRUE);
  }

  /** Asks for {@code expires}, the time at which the signature expires. */
  public SignatureRequest withExpires() {
    return with("expires", BooleanItem.TRUE);
  }

  /** Asks for this nonce. */
  public SignatureRequest withNonce(String nonce) {
    return with("nonce", new StringItem(nonce));
  }

  /** Asks for a signature with this algorithm. */
  public SignatureRequest withAlg(String registeredName) {
    return with("alg", new StringItem(registeredName));
  }

  /** Asks for a signature with this key. */
  public SignatureRequest withKeyid(String keyid) {
    return with("keyid", new StringItem(keyid));
  }

  /** Asks the signer to send {@code keyid}, whatever its value. */
  SignatureRequest withAnyKeyid() {
    return with("keyid", BooleanItem.TRUE);
  }

  /** Asks the signer to send {@code alg}, whatever its value. */
  SignatureRequest withAnyAlg() {
    return with("alg", BooleanItem.TRUE);
  }

  /** Asks for this tag. */
  public SignatureRequest withTag(String tag) {
    return with("tag", new StringItem(tag));
  }

  private SignatureRequest with(String name, BareItem value) {
    return new SignatureRequest(label, components, parameters.with(name, value));
  }

  /**
   * The components and parameters of the signature that fulfils this request. {@code created} and
   * {@code keyid} are always included: {@code created} limits how long the signature can be used,
   * and {@code keyid} names the key that verifies it.
   *
   * @throws AcceptSignatureException when this request asks for another key or algorithm, or for an
   *     unknown parameter
   */
  SignatureInput signatureInputFor(SigningKey key, Instant created, Instant expires) {
    SignatureParameters answer = SignatureParameters.none();
    for (Map.Entry<String, BareItem> requested : parameters.asMap().entrySet()) {
      answer = withRequestedParameter(answer, requested, key, created, expires);
    }
    if (answer.created().isEmpty()) {
      answer = answer.withCreated(created);
    }
    return new SignatureInput(
        components, answer.keyid().isPresent() ? answer : answer.withKeyid(key.keyid()));
  }

  private static SignatureParameters withRequestedParameter(
      SignatureParameters answer,
      Map.Entry<String, BareItem> requested,
      SigningKey key,
      Instant created,
      Instant expires) {
    String name = requested.getKey();
    BareItem value = requested.getValue();
    return switch (name) {
      case "created" -> answer.withCreated(created);
      case "expires" -> answer.withExpires(expires);
      case "nonce" -> answer.withNonce(text(value));
      case "tag" -> answer.withTag(text(value));
      case "keyid" -> answer.withKeyid(requireMatch(name, value, key.keyid()));
      case "alg" -> answer.withAlg(requireMatch(name, value, nameOf(key.algorithm())));
      default ->
          throw new AcceptSignatureException(
              NOT_FULFILLABLE, "the requested parameter " + name + " is unknown");
    };
  }

  private static String nameOf(SignatureAlgorithm algorithm) {
    return algorithm
        .registeredName()
        .orElseThrow(
            () ->
                new AcceptSignatureException(
                    NOT_FULFILLABLE,
                    algorithm.displayName() + " has no registered name to send as alg"));
  }

  private static String text(BareItem value) {
    return ((StringItem) value).value();
  }

  /** Returns the value of the key, which must be equal to the requested value if there is one. */
  private static String requireMatch(String name, BareItem requested, String valueOfKey) {
    if (requested instanceof StringItem text && !text.value().equals(valueOfKey)) {
      throw new AcceptSignatureException(
          NOT_FULFILLABLE,
          "the request asks for another " + name + "; the key has the " + name + " " + valueOfKey);
    }
    return valueOfKey;
  }

  /** The value of the member: {@code ("@status");created}. */
  String serialize() {
    return ComponentIdentifier.serialize(components) + parameters.serialize();
  }

  /** The member as written in Accept-Signature: {@code sig1=("@status");created}. */
  @Override
  public String toString() {
    return label + '=' + serialize();
  }
}
