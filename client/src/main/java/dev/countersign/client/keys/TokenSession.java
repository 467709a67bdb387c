package dev.countersign.client.keys;

import dev.countersign.signatures.ExternalSigner;
import dev.countersign.signatures.SigningException;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.interfaces.RSAPublicKey;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A session with a token, logged in when needed, and the key found on the token. */
final class TokenSession {
  private final TokenLibrary library;
  private final Supplier<char[]> pin;
  private final @Nullable String alias;
  private volatile @Nullable Found found;
  private @Nullable Provider provider;
  private @Nullable KeyException refusedPin;

  TokenSession(TokenLibrary library, Supplier<char[]> pin, @Nullable String alias) {
    this.library = library;
    this.pin = pin;
    this.alias = alias;
  }

  PreparedKey key() {
    Found known = found;
    return known == null ? open() : known.key();
  }

  private synchronized PreparedKey open() {
    if (refusedPin != null) {
      throw refusedPin;
    }
    Found known = found;
    if (known == null) {
      Provider opened = provider();
      known = find(opened, store(opened));
      found = known;
    }
    return known.key();
  }

  // A provider whose token was removed keeps a thread that waits for the token forever. Reusing the
  // provider avoids a second such thread.
  private Provider provider() {
    Provider known = provider;
    if (known == null) {
      known = library.provider();
      provider = known;
    }
    return known;
  }

  /** Ends the session of this key, unless another thread has already opened the next session. */
  @SuppressWarnings("ReferenceEquality") // The same object, not an equal one.
  private synchronized void end(PrivateKey privateKey) {
    Found known = found;
    if (known != null && known.privateKey() == privateKey) {
      found = null;
      forgetBroken();
    }
  }

  // Drops a provider that fails while it is logged in, for example after a restart of the module,
  // because its sessions are dead. Keeps a provider that has lost its token, because it finds the
  // token again by itself; such a provider has no services.
  private void forgetBroken() {
    Provider known = provider;
    if (known != null && known.getService("KeyStore", "PKCS11") != null) {
      provider = null;
    }
  }

  private KeyStore store(Provider opened) {
    char[] secret = Secret.ask(pin, library.toString(), "PIN");
    try {
      KeyStore store = KeyStore.getInstance("PKCS11", opened);
      store.load(null, secret);
      return store;
    } catch (GeneralSecurityException | IOException | ProviderException e) {
      throw notOpened(e);
    } finally {
      Arrays.fill(secret, '\0');
    }
  }

  private KeyException notOpened(Exception e) {
    String message = library + ": login failed: " + TokenLibrary.deepest(e);
    if (message.contains("CKR_PIN_")) {
      refusedPin =
          new KeyException(
              message
                  + "; the PIN is not tried again, because tokens lock themselves after a few wrong"
                  + " PINs");
      return refusedPin;
    }
    forgetBroken();
    return new KeyException(message);
  }

  private Found find(Provider opened, KeyStore store) {
    try {
      String name = KeyAliases.of(store).choose(alias, library.toString());
      Key key = store.getKey(name, null);
      Certificate certificate = store.getCertificate(name);
      if (!(key instanceof PrivateKey privateKey)
          || certificate == null
          || !(certificate.getPublicKey() instanceof RSAPublicKey publicKey)) {
        throw new KeyException(library + " (" + name + "): this is not an RSA private key");
      }
      RsaKeys.checkSize(publicKey.getModulus().bitLength(), library + " (" + name + ")");
      var signer = new VerifiedSigner(publicKey, signer(opened, privateKey));
      return new Found(privateKey, PreparedKey.of(signer));
    } catch (GeneralSecurityException | ProviderException e) {
      throw new KeyException(library + ": cannot be read: " + TokenLibrary.deepest(e));
    }
  }

  private ExternalSigner signer(Provider opened, PrivateKey privateKey) {
    return base -> {
      try {
        Signature signature = Signature.getInstance("SHA256withRSA", opened);
        signature.initSign(privateKey);
        signature.update(base);
        return signature.sign();
      } catch (GeneralSecurityException | ProviderException e) {
        // The token may have been removed and inserted again, which makes this session unusable.
        // Ends the session, so that the next signature logs in anew.
        end(privateKey);
        throw new SigningException(
            library
                + ": signing failed: "
                + TokenLibrary.deepest(e)
                + "; check that the token is there");
      }
    };
  }

  private record Found(PrivateKey privateKey, PreparedKey key) {}
}
