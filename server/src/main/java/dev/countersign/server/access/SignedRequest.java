package dev.countersign.server.access;

import dev.countersign.signatures.ReceivedSignature;
import dev.countersign.signatures.SignatureProfile;
import dev.countersign.signatures.VerificationException;
import dev.countersign.signatures.VerifiedSignature;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request whose signature and body have verified: the only view of it that a handler gets.
 *
 * <p>It offers what the signature covers and nothing else: the method, the target URI and the body.
 */
public final class SignedRequest {
  private static final String ATTRIBUTE = SignedRequest.class.getName();

  private final CallingClient client;
  private final ServletMessage message;
  private final VerifiedSignature signature;
  private final Instant takenUntil;
  private final byte[] body;

  /**
   * A verified request.
   *
   * @param takenUntil the latest time at which its signature is accepted
   */
  SignedRequest(
      CallingClient client,
      ServletMessage message,
      VerifiedSignature signature,
      Instant takenUntil,
      byte[] body) {
    this.client = client;
    this.message = message;
    this.signature = signature;
    this.takenUntil = takenUntil;
    this.body = body;
  }

  /** The verified request behind a servlet request. */
  public static SignedRequest of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof SignedRequest signed) {
      return signed;
    }
    throw new IllegalStateException("no verified signature: the signature filter did not run");
  }

  void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Who called. */
  public CallingClient client() {
    return client;
  }

  public String method() {
    return message.method();
  }

  /** The absolute URI as the caller spelled it, with its query (RFC 9421 section 2.2.2). */
  public String targetUri() {
    return message.targetUri();
  }

  /** The query as called, still percent-encoded; null where the URI has none. */
  public @Nullable String rawQuery() {
    int question = targetUri().indexOf('?');
    return question < 0 ? null : targetUri().substring(question + 1);
  }

  /** The length of the body in bytes, 0 when there is none. */
  public int bodyLength() {
    return body.length;
  }

  /** The body, which equals its signed digest; empty where there is none. */
  public InputStream body() {
    return new ByteArrayInputStream(body);
  }

  /** The label of its signature. */
  public String label() {
    return signature.label();
  }

  /** When it was signed, in whole seconds. */
  public Instant created() {
    return Instant.ofEpochSecond(signature.parameters().created().orElseThrow());
  }

  /**
   * Another signature on this request, to be verified with a key that the caller brings (RFC 9421
   * section 4.3). It shares the Content-Digest that the body has been compared with.
   *
   * @throws VerificationException where it is not there, or is not what the profile demands
   */
  public ReceivedSignature further(SignatureProfile profile) {
    return profile.read(message).checkProfile();
  }

  byte[] bodyBytes() {
    return body;
  }

  /** What is known of this request, for the checks that are still to come. */
  RequestFacts facts() {
    return client.facts();
  }

  VerifiedSignature signature() {
    return signature;
  }

  Instant takenUntil() {
    return takenUntil;
  }

  /** The Idempotency-Key, which the profile makes a covered component wherever it is sent. */
  Optional<String> idempotencyKey() {
    List<String> lines = message.fieldLines("idempotency-key");
    return lines.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", lines));
  }
}
