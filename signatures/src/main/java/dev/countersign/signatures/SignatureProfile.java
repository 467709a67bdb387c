package dev.countersign.signatures;

import dev.countersign.signatures.HttpMessage.BodyFraming;
import dev.countersign.signatures.fields.StringItem;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * What an application demands of a signature (RFC 9421 section 1.4).
 *
 * <p>{@link #SIGNED_DATE} is the profile of the partner interface: label {@code sig}, the
 * components {@code @method}, {@code @target-uri}, {@code content-digest} with a body, {@code date}
 * and {@code idempotency-key} where sent, and the parameters {@code created}, {@code keyid} and
 * {@code alg}. It is strict as it stands; each loosening is a method that says what is given up.
 *
 * <p>The checks come in the order of their cost. A caller that needs nothing in between uses {@link
 * MessageVerifier}, which runs them all.
 */
public final class SignatureProfile {
  /** The profile of the partner interface. */
  public static final SignatureProfile SIGNED_DATE =
      new SignatureProfile(new TimeWindow(Duration.ofSeconds(300), Duration.ofSeconds(30)), true);

  private static final String LABEL = "sig";
  private static final ComponentIdentifier METHOD = ComponentIdentifier.of("@method");
  private static final ComponentIdentifier TARGET_URI = ComponentIdentifier.of("@target-uri");
  private static final ComponentIdentifier CONTENT_DIGEST =
      ComponentIdentifier.of("content-digest");
  private static final ComponentIdentifier DATE = ComponentIdentifier.of("date");
  private static final ComponentIdentifier IDEMPOTENCY_KEY =
      ComponentIdentifier.of("idempotency-key");

  private final TimeWindow window;
  private final boolean dateRequired;

  private SignatureProfile(TimeWindow window, boolean dateRequired) {
    this.window = window;
    this.dateRequired = dateRequired;
  }

  /** This profile with another age up to which a signature is taken. */
  public SignatureProfile withMaximumAge(Duration age) {
    return new SignatureProfile(new TimeWindow(age, window.maximumSkew()), dateRequired);
  }

  /** This profile with another time by which a signer's clock may be ahead. */
  public SignatureProfile withMaximumSkew(Duration skew) {
    return new SignatureProfile(new TimeWindow(window.maximumAge(), skew), dateRequired);
  }

  /**
   * This profile, which also takes a signature that does not cover Date. What is given up is small:
   * {@code created} is signed and says the same.
   */
  public SignatureProfile allowMissingDate() {
    return new SignatureProfile(window, false);
  }

  /** The last instant at which a signature made at {@code created} is taken. */
  public Instant endOf(Instant created) {
    return window.endOf(created);
  }

  /** The label that this profile's signatures carry. */
  public String label() {
    return LABEL;
  }

  /**
   * Reads the signature of a message: fields, components, parameters. Each further step is a method
   * of what the step before it returned, so that none can be left out.
   *
   * @throws VerificationException when one of them is not as the profile says
   */
  public ReceivedSignature read(HttpMessage message) {
    ReceivedSignature received = ReceivedSignature.read(message, LABEL, window);
    checkComponents(received, message);
    checkParameters(received.parameters());
    return received;
  }

  private void checkComponents(ReceivedSignature received, HttpMessage message) {
    List<ComponentIdentifier> components = received.components();
    boolean digest = expectsDigest(received, message);
    boolean key = !message.fieldLines(IDEMPOTENCY_KEY.name()).isEmpty();
    List<ComponentIdentifier> expected = components(digest, true, key);
    if (components.equals(expected)
        || (!dateRequired && components.equals(components(digest, false, key)))) {
      return;
    }
    throw VerificationException.wrongComponents(
        ComponentIdentifier.serialize(expected), ComponentIdentifier.serialize(components));
  }

  /**
   * Whether content-digest belongs into the list. Where header and framing disagree, both lists
   * pass here, so that {@link ExpectedBody} can name the real cause.
   */
  private static boolean expectsDigest(ReceivedSignature received, HttpMessage message) {
    boolean sent = !message.fieldLines(CONTENT_DIGEST.name()).isEmpty();
    boolean body = message.bodyFraming() != BodyFraming.NONE;
    return sent == body ? sent : received.covers(CONTENT_DIGEST.name());
  }

  private static List<ComponentIdentifier> components(boolean digest, boolean date, boolean key) {
    List<ComponentIdentifier> components = new ArrayList<>(5);
    components.add(METHOD);
    components.add(TARGET_URI);
    if (digest) {
      components.add(CONTENT_DIGEST);
    }
    if (date) {
      components.add(DATE);
    }
    if (key) {
      components.add(IDEMPOTENCY_KEY);
    }
    return components;
  }

  private static void checkParameters(SignatureParameters parameters) {
    if (parameters.created().isEmpty()) {
      throw parameterMissing("created");
    }
    if (parameters.keyid().isEmpty()) {
      throw parameterMissing("keyid");
    }
    String alg = parameters.alg().orElseThrow(() -> parameterMissing("alg"));
    if (!alg.equals(SignatureAlgorithm.RSA_V1_5_SHA256.displayName())) {
      throw new VerificationException(
          Failure.ALGORITHM_WRONG,
          "alg must be \""
              + SignatureAlgorithm.RSA_V1_5_SHA256.displayName()
              + "\", the algorithm of the registered key, was "
              + new StringItem(alg).serialize());
    }
  }

  private static VerificationException parameterMissing(String name) {
    return new VerificationException(
        Failure.PARAMETERS_WRONG,
        "the signature parameter " + name + " is missing; created, keyid and alg are required");
  }

  /** The components that a signer covers, given what the message carries. */
  List<ComponentIdentifier> componentsToSign(HttpMessage message) {
    return components(
        message.bodyFraming() != BodyFraming.NONE,
        dateRequired || !message.fieldLines(DATE.name()).isEmpty(),
        !message.fieldLines(IDEMPOTENCY_KEY.name()).isEmpty());
  }

  /**
   * What to send in Accept-Signature in answer to a message: the components and parameters that it
   * should have had (RFC 9421 section 5.1).
   */
  public String acceptSignature(HttpMessage message) {
    boolean body = message.bodyFraming() != BodyFraming.NONE;
    boolean key = !message.fieldLines(IDEMPOTENCY_KEY.name()).isEmpty();
    return LABEL
        + '='
        + ComponentIdentifier.serialize(components(body, dateRequired, key))
        + ";created;keyid;alg=\""
        + SignatureAlgorithm.RSA_V1_5_SHA256.displayName()
        + '"';
  }
}
