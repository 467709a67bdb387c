package dev.countersign.signatures.base;

import dev.countersign.signatures.fields.BareItem;
import dev.countersign.signatures.fields.IntegerItem;
import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.fields.StringItem;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The parameters of a signature: when it was made, when it expires, with which key and algorithm,
 * and for which application (RFC 9421 section 2.3).
 *
 * <p>The parameters keep the order in which they were given. Parameters that this type does not
 * name are signed like the others, but have no meaning here.
 */
public final class SignatureParameters {
  private static final SignatureParameters NONE = new SignatureParameters(Parameters.empty());

  /** The registered parameters in the order in which this library writes them. */
  public static final List<String> NAMES =
      List.of("created", "expires", "nonce", "keyid", "alg", "tag");

  private static final Set<String> TIMES = Set.of("created", "expires");
  private static final Set<String> TEXTS = Set.of("keyid", "alg", "nonce", "tag");

  private final Parameters parameters;

  private SignatureParameters(Parameters parameters) {
    this.parameters = parameters;
  }

  /** No parameters yet. */
  public static SignatureParameters none() {
    return NONE;
  }

  /**
   * Checks the parameters of a received signature.
   *
   * @throws VerificationException {@link VerificationFailure#PARAMETERS_WRONG} when a parameter
   *     occurs twice or has a value of the wrong type (RFC 9421 section 2.3)
   */
  public static SignatureParameters received(Parameters parameters) {
    // Design note: RFC 9651 keeps the last value of a repeated key. Two parsers that disagree on
    // this rule would verify two different signatures, so a repeated key is refused here.
    if (!parameters.repeatedKeys().isEmpty()) {
      throw wrong("the parameter " + parameters.repeatedKeys().iterator().next() + " occurs twice");
    }
    parameters.asMap().forEach(SignatureParameters::checkType);
    return new SignatureParameters(parameters);
  }

  private static void checkType(String name, BareItem value) {
    if (TIMES.contains(name) && !(value instanceof IntegerItem time && time.value() >= 0)) {
      throw wrong(
          name + " must be Unix time in whole seconds, 0 or more, was " + value.serialize());
    }
    if (TEXTS.contains(name) && !(value instanceof StringItem)) {
      throw wrong(name + " must be a string in double quotes, was " + value.serialize());
    }
  }

  private static VerificationException wrong(String message) {
    return new VerificationException(VerificationFailure.PARAMETERS_WRONG, message);
  }

  /** When the signature was made, Unix time in seconds. */
  public OptionalLong created() {
    return seconds("created");
  }

  /** When the signature expires, Unix time in seconds. */
  public OptionalLong expires() {
    return seconds("expires");
  }

  /** The name of the key that made the signature, as the signer claims it. */
  public Optional<String> keyid() {
    return text("keyid");
  }

  /** The registered name of the algorithm, as the signer claims it. */
  public Optional<String> alg() {
    return text("alg");
  }

  /** A value that the signer uses once. */
  public Optional<String> nonce() {
    return text("nonce");
  }

  /** The application that the signature is meant for. */
  public Optional<String> tag() {
    return text("tag");
  }

  /** Returns a copy with {@code created}, rounded down to whole seconds. */
  public SignatureParameters withCreated(Instant created) {
    return with("created", new IntegerItem(created.getEpochSecond()));
  }

  /** Returns a copy with {@code expires}, rounded down to whole seconds. */
  public SignatureParameters withExpires(Instant expires) {
    return with("expires", new IntegerItem(expires.getEpochSecond()));
  }

  /** Returns a copy with a keyid, which must be printable ASCII. */
  public SignatureParameters withKeyid(String keyid) {
    return with("keyid", new StringItem(keyid));
  }

  /** Returns a copy with the registered name of an algorithm (RFC 9421 section 6.2). */
  public SignatureParameters withAlg(String registeredName) {
    return with("alg", new StringItem(registeredName));
  }

  /** Returns a copy with a nonce, which must be printable ASCII. */
  public SignatureParameters withNonce(String nonce) {
    return with("nonce", new StringItem(nonce));
  }

  /** Returns a copy with a tag, which must be printable ASCII. */
  public SignatureParameters withTag(String tag) {
    return with("tag", new StringItem(tag));
  }

  private SignatureParameters with(String name, BareItem value) {
    return new SignatureParameters(parameters.with(name, value));
  }

  public boolean has(String name) {
    return parameters.contains(name);
  }

  private OptionalLong seconds(String name) {
    return parameters
        .get(name)
        .map(value -> OptionalLong.of(((IntegerItem) value).value()))
        .orElseGet(OptionalLong::empty);
  }

  private Optional<String> text(String name) {
    return parameters.get(name).map(value -> ((StringItem) value).value());
  }

  /** The parameters as written after the components: {@code ;created=1618884473;keyid="a"}. */
  public String serialize() {
    return parameters.serialize();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SignatureParameters that && parameters.equals(that.parameters);
  }

  @Override
  public int hashCode() {
    return parameters.hashCode();
  }

  @Override
  public String toString() {
    return serialize();
  }
}
