package dev.countersign.cli.explain;

import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Known facts about a captured request, in addition to the request itself. More facts give a better
 * explanation.
 *
 * @param publicKey the public key of the client that signed
 * @param at when the service received the request, for comparison with {@code created}
 * @param base the signature base as the signer recorded it
 * @param signedUrl the URL that the signer believes it called
 */
public record Hints(
    Optional<RSAPublicKey> publicKey,
    Optional<Instant> at,
    Optional<String> base,
    Optional<String> signedUrl) {

  /** No known facts. */
  public static Hints none() {
    return new Hints(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  public Hints withPublicKey(@Nullable RSAPublicKey key) {
    return new Hints(Optional.ofNullable(key), at, base, signedUrl);
  }

  public Hints withTime(@Nullable Instant time) {
    return new Hints(publicKey, Optional.ofNullable(time), base, signedUrl);
  }

  public Hints withBase(@Nullable String text) {
    return new Hints(publicKey, at, Optional.ofNullable(text), signedUrl);
  }

  public Hints withSignedUrl(@Nullable String url) {
    return new Hints(publicKey, at, base, Optional.ofNullable(url));
  }
}
