package dev.countersign.client.keys;

import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A key that has passed its checks. It caches the SigningKey for the last clientId. */
final class PreparedKey {
  // Design note: loading and testing the native provider takes half a second. The JDK makes about a
  // hundred signatures in this time, so a command that signs once does not need the native
  // provider.
  private static final int FIRST_CALLS = 100;

  private final RSAPublicKey publicKey;
  private final Function<String, SigningKey> first;
  private final Function<String, SigningKey> later;
  private final AtomicInteger calls = new AtomicInteger();
  // A source nearly always signs for one client, so caching the last SigningKey is enough.
  private volatile @Nullable CachedKey cached;

  private PreparedKey(
      RSAPublicKey publicKey,
      Function<String, SigningKey> first,
      Function<String, SigningKey> later) {
    this.publicKey = publicKey;
    this.first = first;
    this.later = later;
  }

  /**
   * A key in memory. The JDK makes the first signatures, and the best available provider makes all
   * later signatures.
   */
  static PreparedKey of(RSAPrivateCrtKey key) {
    return new PreparedKey(
        RsaPublicKeys.of(key, CryptoProvider.jdk()),
        clientId -> ofJdk(clientId, key),
        clientId -> ofBest(clientId, key));
  }

  static PreparedKey of(VerifiedSigner signer) {
    Function<String, SigningKey> maker =
        clientId -> new SigningKey(clientId, SignatureAlgorithm.RSA_V1_5_SHA256, signer);
    return new PreparedKey(signer.publicKey(), maker, maker);
  }

  RSAPublicKey publicKey() {
    return publicKey;
  }

  /**
   * Returns the key for signing under this clientId.
   *
   * @throws KeyException when the key or the clientId is not suitable
   */
  SigningKey as(String clientId) {
    boolean isLater = calls.get() >= FIRST_CALLS || calls.incrementAndGet() >= FIRST_CALLS;
    CachedKey known = cached;
    if (known == null || known.isLater() != isLater || !known.key().keyid().equals(clientId)) {
      known = create(clientId, isLater);
      cached = known;
    }
    return known.key();
  }

  private CachedKey create(String clientId, boolean isLater) {
    try {
      return new CachedKey((isLater ? later : first).apply(clientId), isLater);
    } catch (IllegalArgumentException e) {
      throw new KeyException(String.valueOf(e.getMessage()));
    }
  }

  private static SigningKey ofBest(String clientId, RSAPrivateCrtKey key) {
    CryptoProvider best = InstalledCrypto.best();
    try {
      RSAPrivateCrtKey same = RsaPrivateKeys.read(RsaPrivateKeys.toPem(key), best);
      return new SigningKey(clientId, SignatureAlgorithm.RSA_V1_5_SHA256, same, best);
    } catch (KeyFileException | IllegalArgumentException notSupported) {
      return ofJdk(clientId, key);
    }
  }

  private static SigningKey ofJdk(String clientId, RSAPrivateCrtKey key) {
    return new SigningKey(clientId, SignatureAlgorithm.RSA_V1_5_SHA256, key, CryptoProvider.jdk());
  }

  private record CachedKey(SigningKey key, boolean isLater) {}
}
