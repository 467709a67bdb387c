package dev.countersign.signatures;

import dev.countersign.signatures.HttpMessage.BodyFraming;
import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.digest.ContentDigestException;
import dev.countersign.signatures.fields.StringItem;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
      new SignatureProfile(Duration.ofSeconds(300), Duration.ofSeconds(30), true);

  private static final String LABEL = "sig";
  private static final ComponentIdentifier METHOD = ComponentIdentifier.of("@method");
  private static final ComponentIdentifier TARGET_URI = ComponentIdentifier.of("@target-uri");
  private static final ComponentIdentifier CONTENT_DIGEST =
      ComponentIdentifier.of("content-digest");
  private static final ComponentIdentifier DATE = ComponentIdentifier.of("date");
  private static final ComponentIdentifier IDEMPOTENCY_KEY =
      ComponentIdentifier.of("idempotency-key");

  private final Duration maximumAge;
  private final Duration maximumSkew;
  private final boolean dateRequired;

  private SignatureProfile(Duration maximumAge, Duration maximumSkew, boolean dateRequired) {
    this.maximumAge = maximumAge;
    this.maximumSkew = maximumSkew;
    this.dateRequired = dateRequired;
  }

  /** This profile with another age up to which a signature is taken. */
  public SignatureProfile withMaximumAge(Duration age) {
    return new SignatureProfile(notNegative(age), maximumSkew, dateRequired);
  }

  /** This profile with another time by which a signer's clock may be ahead. */
  public SignatureProfile withMaximumSkew(Duration skew) {
    return new SignatureProfile(maximumAge, notNegative(skew), dateRequired);
  }

  /**
   * This profile, which also takes a signature that does not cover Date. What is given up is small:
   * {@code created} is signed and says the same.
   */
  public SignatureProfile allowMissingDate() {
    return new SignatureProfile(maximumAge, maximumSkew, false);
  }

  private static Duration notNegative(Duration duration) {
    if (duration.isNegative()) {
      throw new IllegalArgumentException("a duration must not be negative, was " + duration);
    }
    return duration;
  }

  /** The last instant at which {@link #checkTime} takes a signature made at {@code created}. */
  public Instant endOf(Instant created) {
    return created.plus(maximumAge);
  }

  /** The label that this profile's signatures carry. */
  public String label() {
    return LABEL;
  }

  /**
   * Reads the signature of a message: fields, components, parameters.
   *
   * @throws VerificationException when one of them is not as the profile says
   */
  public ReceivedSignature read(HttpMessage message) {
    ReceivedSignature received = ReceivedSignature.read(message, LABEL);
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
   * pass here, so that {@link #expectedBody} can name the real cause.
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
    if (!alg.equals(SignatureAlgorithm.RSA_V1_5_SHA256.registeredName())) {
      throw new VerificationException(
          Failure.ALGORITHM_WRONG,
          "alg must be \""
              + SignatureAlgorithm.RSA_V1_5_SHA256.registeredName()
              + "\", the algorithm of the registered key, was "
              + new StringItem(alg).serialize());
    }
  }

  private static VerificationException parameterMissing(String name) {
    return new VerificationException(
        Failure.PARAMETERS_WRONG,
        "the signature parameter " + name + " is missing; created, keyid and alg are required");
  }

  /**
   * Checks {@code created} and {@code expires} against the clock, and Date against {@code created}.
   *
   * @throws VerificationException when one of them is out of its bounds
   */
  public void checkTime(ReceivedSignature received, HttpMessage message, Instant now) {
    long created = received.parameters().created().orElseThrow();
    // Design note: compared to the nanosecond, so that nothing is taken after endOf(created), when
    // a store of replays may already have forgotten it.
    Duration age = Duration.between(Instant.ofEpochSecond(created), now);
    if (age.compareTo(maximumAge) > 0) {
      throw new VerificationException(
          Failure.CREATED_TOO_OLD,
          "created is "
              + age.toSeconds()
              + " s old, at most "
              + maximumAge.toSeconds()
              + " s are taken; sign each request anew and check the signer's clock");
    }
    if (age.negated().compareTo(maximumSkew) > 0) {
      throw new VerificationException(
          Failure.CREATED_IN_FUTURE,
          "created is "
              + age.negated().toSeconds()
              + " s in the future, at most "
              + maximumSkew.toSeconds()
              + " s are taken; check the signer's clock");
    }
    // The second that expires names is the first one in which the signature no longer holds.
    if (received.parameters().expires().orElse(Long.MAX_VALUE) <= now.getEpochSecond()) {
      throw new VerificationException(Failure.EXPIRED, "expires has passed; sign the request anew");
    }
    if (received.covers(DATE.name())) {
      checkDate(message, created);
    }
  }

  private static void checkDate(HttpMessage message, long created) {
    List<String> lines = message.fieldLines(DATE.name());
    if (lines.isEmpty()) {
      throw new VerificationException(
          Failure.DATE_MISSING, "Date is covered by the signature and was not sent");
    }
    if (lines.size() > 1) {
      throw new VerificationException(
          Failure.DATE_MALFORMED, "Date was sent " + lines.size() + " times; send it once");
    }
    Instant date;
    try {
      date = HttpDate.parse(ComponentValue.trim(lines.get(0)));
    } catch (DateTimeException e) {
      throw new VerificationException(
          Failure.DATE_MALFORMED,
          "Date must be an HTTP date such as "
              + HttpDate.format(Instant.ofEpochSecond(created))
              + ": "
              + e.getMessage());
    }
    // One second either way: the signer may have rounded one of the two.
    if (Math.abs(date.getEpochSecond() - created) > 1) {
      throw new VerificationException(
          Failure.DATE_MISMATCH,
          "Date is "
              + (date.getEpochSecond() - created)
              + " s away from created; take both from one reading of the clock");
    }
  }

  /**
   * Checks that a Content-Digest was sent exactly when the framing says that there is a body, and
   * reads it; the body itself need not have arrived.
   *
   * @return what the body has to be
   * @throws VerificationException when the field is missing, malformed, or sent without a body
   */
  public ExpectedBody expectedBody(ReceivedSignature received, HttpMessage message) {
    List<String> lines = message.fieldLines(CONTENT_DIGEST.name());
    if (message.bodyFraming() == BodyFraming.NONE && !lines.isEmpty()) {
      throw ExpectedBody.unexpectedDigest();
    }
    if (lines.isEmpty()
        && (message.bodyFraming() == BodyFraming.PRESENT
            || received.covers(CONTENT_DIGEST.name()))) {
      throw ExpectedBody.missingDigest();
    }
    if (lines.isEmpty()) {
      return new ExpectedBody(Optional.empty());
    }
    try {
      return new ExpectedBody(Optional.of(ContentDigest.parse(lines)));
    } catch (ContentDigestException e) {
      throw new VerificationException(
          Failure.DIGEST_MALFORMED, "Content-Digest: " + e.getMessage());
    }
  }

  /** The components that a signer covers, given what the message carries. */
  List<ComponentIdentifier> componentsToSign(HttpMessage message) {
    return components(
        message.bodyFraming() != BodyFraming.NONE,
        dateRequired || !message.fieldLines(DATE.name()).isEmpty(),
        !message.fieldLines(IDEMPOTENCY_KEY.name()).isEmpty());
  }

  /** What to send in Accept-Signature: the components and parameters asked for (section 5.1). */
  public String acceptSignature(boolean withBody) {
    return LABEL
        + '='
        + ComponentIdentifier.serialize(components(withBody, dateRequired, false))
        + ";created;keyid;alg=\""
        + SignatureAlgorithm.RSA_V1_5_SHA256.registeredName()
        + '"';
  }
}
