package dev.countersign.client.keys;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.UnrecoverableKeyException;
import java.util.Arrays;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Finds the private key in the bytes of a key store. */
final class StoredKey {
  // A JKS store begins with this number. JCEKS and PKCS#12 stores begin with other bytes.
  private static final int JKS_MAGIC = 0xFEEDFEED;

  private final String storeName;
  private final @Nullable String alias;

  StoredKey(String storeName, @Nullable String alias) {
    this.storeName = storeName;
    this.alias = alias;
  }

  PreparedKey read(byte[] bytes, Supplier<char[]> passphrase) {
    char[] secret = Secret.ask(passphrase, storeName, "passphrase");
    try {
      KeyStore store = KeyStore.getInstance(type(bytes));
      store.load(new ByteArrayInputStream(bytes), secret);
      return key(store, secret);
    } catch (UnrecoverableKeyException e) {
      throw new KeyException(
          storeName
              + ": the key's password differs from the store's, make them the same:"
              + " keytool -importkeystore -srckeystore FILE -destkeystore NEW.p12");
    } catch (GeneralSecurityException | IOException e) {
      // Design note: the exception has no cause, because details of a decryption must not reach a
      // log.
      throw new KeyException(storeName + ": " + failure(e));
    } finally {
      Arrays.fill(secret, '\0');
    }
  }

  private PreparedKey key(KeyStore store, char[] secret) throws GeneralSecurityException {
    String name = KeyAliases.of(store).choose(alias, storeName);
    Key key = store.getKey(name, secret);
    if (key instanceof PrivateKey found) {
      return RsaKeys.checked(found, storeName + " (" + name + ")");
    }
    throw new KeyException(storeName + " (" + name + "): this is not a private key");
  }

  private static String type(byte[] bytes) {
    boolean jks = bytes.length > 3 && ByteBuffer.wrap(bytes).getInt() == JKS_MAGIC;
    return jks ? "JKS" : "PKCS12";
  }

  private static String failure(Exception e) {
    return e.getCause() instanceof UnrecoverableKeyException
        ? "the passphrase of the key store is wrong"
        : "this is not a PKCS#12 or JKS key store, or it is damaged; read a PEM file with"
            + " PrivateKeyFile";
  }
}
