package dev.countersign.client;

import dev.countersign.client.keys.KeyException;
import dev.countersign.client.keys.KeySource;
import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SigningException;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.httpclient.HttpRequestSigner;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest;
import java.time.Clock;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Signs requests as one client under the profile of the partner interface (RFC 9421 section 3.1).
 *
 * <pre>{@code
 * RequestSigner signer = RequestSigner.of("cl-7zk3m9q2x5w8d1tr61", key);
 * HttpRequest signed = signer.sign(request);
 * }</pre>
 *
 * <p>The signed copy has the fields Date, Content-Digest if there is a body, Signature-Input and
 * Signature. A body of known length over 64 KiB is read twice, once for the digest and once for
 * sending; any other body is read once and kept in memory. The signature also covers an
 * Idempotency-Key if there is one.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9421#section-3.1">RFC 9421 3.1</a>
 */
public final class RequestSigner {
  private final String clientId;
  private final KeySource key;
  private final Clock clock;

  private RequestSigner(String clientId, KeySource key, Clock clock) {
    this.clientId = Objects.requireNonNull(clientId, "clientId");
    this.key = Objects.requireNonNull(key, "key");
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /**
   * Creates a signer that uses the system clock.
   *
   * @param clientId the clientId under which the public key is registered; it is the keyid of the
   *     signatures
   * @param key the source of the private key, called before each signature
   */
  public static RequestSigner of(String clientId, KeySource key) {
    return new RequestSigner(clientId, key, Clock.systemUTC());
  }

  /** Returns a copy of this signer that uses another clock. */
  public RequestSigner withClock(Clock clock) {
    return new RequestSigner(clientId, key, clock);
  }

  /** The keyid of the signatures. */
  public String clientId() {
    return clientId;
  }

  /** The clock for the time of each signature. */
  Clock clock() {
    return clock;
  }

  /**
   * Returns a signed copy of the request. The Date of the copy is the time of the signature, even
   * if the request already has a Date. An existing signature with the label {@code sig} is
   * replaced, so a request can be signed again for another attempt. Signatures with other labels
   * stay if they are in separate header lines.
   *
   * @throws KeyException when there is no usable key
   * @throws SigningException when an external key or a caller's own key source fails
   * @throws IllegalArgumentException when HttpClient would change a part of the request before
   *     sending it, because the signature would then not verify
   * @throws UncheckedIOException when the body or the key cannot be read
   */
  public HttpRequest sign(HttpRequest request) {
    MessageSigner signer = new MessageSigner(PartnerProfile.REQUEST, signingKey());
    HttpRequest bare = HttpRequest.newBuilder(request, RequestSigner::isKept).build();
    return new HttpRequestSigner(signer, CryptoProvider.jdk()).sign(bare, clock.instant());
  }

  /** Asks the source for the key, and wraps unexpected exceptions from a caller's own source. */
  private SigningKey signingKey() {
    try {
      return requireKey(key.signingKey(clientId));
    } catch (KeyException | SigningException | UncheckedIOException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new SigningException("the key source failed with " + e.getClass().getSimpleName(), e);
    }
  }

  /** Rejects null, which a caller's own source may return. */
  private static SigningKey requireKey(@Nullable SigningKey key) {
    if (key == null) {
      throw new KeyException("the key source returned no key");
    }
    return key;
  }

  /**
   * Returns a copy whose body has been read and digested, so each attempt can sign and send the
   * copy again.
   */
  static HttpRequest withDigest(HttpRequest request) {
    return HttpRequestSigner.withDigest(request, CryptoProvider.jdk());
  }

  private static boolean isKept(String name, String value) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "date" -> false;
      case "signature", "signature-input" ->
          !value.strip().startsWith(PartnerProfile.REQUEST.label() + '=');
      default -> true;
    };
  }
}
