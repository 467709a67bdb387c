package dev.countersign.signatures;

import dev.countersign.signatures.fields.BareItem;
import dev.countersign.signatures.fields.IntegerItem;
import dev.countersign.signatures.fields.Parameters;
import dev.countersign.signatures.fields.StringItem;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The parameters of a signature: when it was made, until when it holds, with which key and
 * algorithm (RFC 9421 section 2.3).
 *
 * <p>Parameters that this type does not name are signed like the others and mean nothing.
 */
public final class SignatureParameters {
  private final Parameters parameters;

  private SignatureParameters(Parameters parameters) {
    this.parameters = parameters;
  }

  /** The parameters that the interface's profile sends: created, keyid and alg, in this order. */
  static SignatureParameters of(Instant created, SigningKey key) {
    Parameters parameters =
        Parameters.empty()
            .with("created", new IntegerItem(created.getEpochSecond()))
            .with("keyid", new StringItem(key.keyid()));
    // RFC 9421 section 3.3.7: alg is not used with a JWS algorithm.
    return new SignatureParameters(
        key.algorithm()
            .registeredName()
            .map(name -> parameters.with("alg", new StringItem(name)))
            .orElse(parameters));
  }

  /**
   * Checks the parameters of a received signature.
   *
   * @throws VerificationException {@link Failure#PARAMETERS_WRONG} when a known parameter came
   *     twice or has a value of another type than RFC 9421 section 2.3 gives it
   */
  static SignatureParameters received(Parameters parameters) {
    // Design note: RFC 9651 lets the last of two equal keys win; two parsers that disagree on that
    // would verify two different signatures, so a repeated key is refused here.
    if (!parameters.repeatedKeys().isEmpty()) {
      throw wrong("the parameter " + parameters.repeatedKeys().iterator().next() + " came twice");
    }
    SignatureParameters received = new SignatureParameters(parameters);
    received.requireSeconds("created");
    received.requireSeconds("expires");
    received.requireText("keyid");
    received.requireText("alg");
    received.requireText("nonce");
    received.requireText("tag");
    return received;
  }

  private void requireSeconds(String name) {
    Optional<BareItem> value = parameters.get(name);
    if (value.isPresent() && !(value.get() instanceof IntegerItem time && time.value() >= 0)) {
      throw wrong(
          name + " must be Unix time in whole seconds, 0 or more, was " + value.get().serialize());
    }
  }

  private void requireText(String name) {
    Optional<BareItem> value = parameters.get(name);
    if (value.isPresent() && !(value.get() instanceof StringItem)) {
      throw wrong(name + " must be a string in double quotes, was " + value.get().serialize());
    }
  }

  private static VerificationException wrong(String message) {
    return new VerificationException(Failure.PARAMETERS_WRONG, message);
  }

  /** When the signature was made, Unix time in seconds. */
  public OptionalLong created() {
    return seconds("created");
  }

  /** When the signature ends, Unix time in seconds. */
  public OptionalLong expires() {
    return seconds("expires");
  }

  /** Which key made the signature. */
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

  private OptionalLong seconds(String name) {
    return parameters
        .get(name)
        .map(value -> OptionalLong.of(((IntegerItem) value).value()))
        .orElseGet(OptionalLong::empty);
  }

  private Optional<String> text(String name) {
    return parameters.get(name).map(value -> ((StringItem) value).value());
  }

  String serialize() {
    return parameters.serialize();
  }
}
