package dev.countersign.client.keys;

import dev.countersign.client.files.OwnerOnlyFile;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * An RSA key pair that was made just now (<a
 * href="https://www.rfc-editor.org/rfc/rfc8017#section-3">RFC 8017, section 3</a>). The public half
 * is for the service; the private half goes into a file that its owner alone can read, and nowhere
 * else: no method and no message of this class shows it.
 *
 * <pre>{@code
 * NewKeyPair pair = NewKeyPair.generate(3072);
 * pair.writeTo(Path.of("partner.key"), Path.of("partner.pub"));
 * }</pre>
 */
public final class NewKeyPair {
  private final PrivateKey privateKey;
  private final PublicKey publicKey;

  private NewKeyPair(KeyPair pair) {
    this.privateKey = pair.getPrivate();
    this.publicKey = pair.getPublic();
  }

  /**
   * Makes a pair, which takes from a tenth of a second to some seconds.
   *
   * @param bits 2048 to 8192; 3072 is a good choice, 2048 signs about three times as fast
   */
  public static NewKeyPair generate(int bits) {
    RsaKeys.checkSize(bits, "a key");
    KeyPairGenerator generator = InstalledCrypto.best().keyPairGenerator("RSA");
    generator.initialize(bits);
    return new NewKeyPair(generator.generateKeyPair());
  }

  /** The public half as PEM, {@code BEGIN PUBLIC KEY}, which is what is registered. */
  public String publicPem() {
    return RsaPublicKeys.toPem(publicKey);
  }

  /** {@code SHA256:} and 43 characters, by which two people compare keys. */
  public String fingerprint() {
    return KeyFingerprint.of(publicKey).value();
  }

  /**
   * Writes both halves, as PKCS#8 and as {@code PUBLIC KEY}. The private file has mode 600 from the
   * start, where the file system has modes.
   *
   * @throws KeyException when there is a file of either name: a key is never overwritten
   * @throws UncheckedIOException when they cannot be written; then neither is left
   */
  public void writeTo(Path privateFile, Path publicFile) {
    refuseToOverwrite(publicFile);
    writePrivateKeyTo(privateFile);
    try {
      OwnerOnlyFile.createPublic(publicFile, publicPem());
    } catch (FileAlreadyExistsException e) {
      deleteAfter(e, privateFile);
      throw exists(publicFile);
    } catch (IOException e) {
      deleteAfter(e, privateFile, publicFile);
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the private half alone, under the same terms. */
  public void writePrivateKeyTo(Path file) {
    write(file, RsaPrivateKeys.toPem(privateKey));
  }

  /**
   * Writes the private half alone, encrypted by PBES2 (RFC 8018 section 6.2) with AES-256, under
   * the same terms: {@link PrivateKeyFile} and {@code openssl pkey} read it. It is never in the
   * clear on the disk.
   *
   * @param passphrase printable ASCII; the array that it gives is overwritten with zeros after use
   */
  public void writePrivateKeyTo(Path file, Supplier<char[]> passphrase) {
    char[] words = Secret.ask(passphrase, file.toString(), "passphrase");
    try {
      EncryptedKey.checkCharacters(words, file.toString());
      write(file, new KeyEncryption().toPem(privateKey, words));
    } finally {
      Arrays.fill(words, '\0');
    }
  }

  private static void write(Path file, String pem) {
    refuseToOverwrite(file);
    try {
      OwnerOnlyFile.create(file, pem);
    } catch (FileAlreadyExistsException e) {
      throw exists(file);
    } catch (IOException e) {
      deleteAfter(e, file);
      throw new UncheckedIOException(e);
    }
  }

  private static void refuseToOverwrite(Path file) {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw exists(file);
    }
  }

  private static KeyException exists(Path file) {
    return new KeyException(
        file
            + " is there already, and a key is never overwritten: choose another name, or move it");
  }

  private static void deleteAfter(IOException trouble, Path... files) {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        trouble.addSuppressed(e);
      }
    }
  }

  /** Names the pair by its fingerprint. */
  @Override
  public String toString() {
    return "NewKeyPair[" + fingerprint() + "]";
  }
}
