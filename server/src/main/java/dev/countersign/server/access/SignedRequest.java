package dev.countersign.server.access;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.JsonMediaType;
import dev.countersign.server.store.Sha256;
import dev.countersign.signatures.ReceivedSignature;
import dev.countersign.signatures.SignatureProfile;
import dev.countersign.signatures.VerifiedSignature;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.keys.CryptoProvider;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A request with a verified signature and body: the only view that a handler gets.
 *
 * <p>It offers what the signature covers: the method, the target URI and the body. The signature
 * does not cover Host, from which the target URI was built, or Content-Type, which can only lead to
 * a refusal.
 */
public final class SignedRequest {
  private static final String ATTRIBUTE = SignedRequest.class.getName();

  private final CallingClient client;
  private final ServletMessage message;
  private final VerifiedSignature signature;
  private final Instant acceptedUntil;
  private final byte[] body;
  private final Operation operation;

  /**
   * Creates a verified request.
   *
   * @param acceptedUntil the latest time at which the signature is accepted
   */
  SignedRequest(
      CallingClient client,
      ServletMessage message,
      VerifiedSignature signature,
      Instant acceptedUntil,
      byte[] body,
      Operation operation) {
    this.client = client;
    this.message = message;
    this.signature = signature;
    this.acceptedUntil = acceptedUntil;
    this.body = body;
    this.operation = operation;
  }

  /**
   * Returns the verified request behind a servlet request; empty if its path needs no signature.
   */
  public static Optional<SignedRequest> find(HttpServletRequest request) {
    return request.getAttribute(ATTRIBUTE) instanceof SignedRequest signed
        ? Optional.of(signed)
        : Optional.empty();
  }

  /** Returns this request with its client as it is now. */
  SignedRequest withClient(CallingClient current) {
    return new SignedRequest(current, message, signature, acceptedUntil, body, operation);
  }

  public void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Returns the operation that the request asks for. */
  public Operation operation() {
    return operation;
  }

  /** Returns the client that sent the request. */
  public CallingClient client() {
    return client;
  }

  public String method() {
    return message.method();
  }

  /** Returns the absolute URI as the caller spelled it, with its query (RFC 9421 section 2.2.2). */
  public String targetUri() {
    return message.targetUri();
  }

  /** Returns the absolute URI as the caller spelled it, without its query. */
  public String uriWithoutQuery() {
    int query = targetUri().indexOf('?');
    return query < 0 ? targetUri() : targetUri().substring(0, query);
  }

  /** Returns the value of the field Host. */
  public String host() {
    return String.join(", ", message.fieldLines("host"));
  }

  /** Returns the query as sent, still percent-encoded; null if the URI has none. */
  public @Nullable String rawQuery() {
    int query = targetUri().indexOf('?');
    return query < 0 ? null : targetUri().substring(query + 1);
  }

  /**
   * Returns the body, which matches its signed digest; empty if there is none.
   *
   * @throws DeniedException {@link Reason#MEDIA_TYPE_UNSUPPORTED} if there is a body and its
   *     Content-Type is not JSON
   */
  public byte[] json() {
    if (body.length > 0) {
      JsonMediaType.require(message.contentType());
    }
    return body.clone();
  }

  /** Returns the label of the signature. */
  public String label() {
    return signature.label();
  }

  /** Returns when the request was signed, in whole seconds. */
  public Instant created() {
    return Instant.ofEpochSecond(signature.parameters().created().orElseThrow());
  }

  /**
   * Returns a second, unverified signature on this request (RFC 9421 section 4.3). The field
   * Content-Digest has already been compared with the body.
   *
   * @throws VerificationException if the signature is missing or does not match the profile
   */
  public ReceivedSignature parseFurtherSignature(SignatureProfile profile) {
    return profile.read(message).checkProfile();
  }

  /**
   * Returns the SHA-256 of the request's method, URL and body, in hexadecimal. Two requests that
   * differ in one of them have different digests.
   */
  public String digest(CryptoProvider crypto) {
    String head = method() + ' ' + targetUri() + '\n';
    return Sha256.hex(crypto, head.getBytes(US_ASCII), body);
  }

  /**
   * Enters the check {@link Check#REPLAY}, runs it and marks it as passed.
   *
   * @throws DeniedException if the check refuses the request; the denial names the check
   */
  public <T> T replay(Supplier<T> step) {
    return client.facts().enter(Check.REPLAY, step);
  }

  /** Returns the verified signature. */
  public VerifiedSignature signature() {
    return signature;
  }

  /** Returns the latest time at which the signature is accepted. */
  public Instant acceptedUntil() {
    return acceptedUntil;
  }

  /**
   * Returns the Idempotency-Key; empty if none was sent. The profile ensures that the signature
   * covers this field.
   */
  public Optional<String> idempotencyKey() {
    List<String> lines = message.fieldLines("idempotency-key");
    return lines.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", lines));
  }
}
