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
 * A newly generated RSA key pair (<a href="https://www.rfc-editor.org/rfc/rfc8017#section-3">RFC
 * 8017, section 3</a>). The public half is for the service. The private half is written only to a
 * file that its owner alone can read: no method and no message of this class reveals it.
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
   * Generates a pair, which takes from a tenth of a second to several seconds.
   *
   * @param bits 2048 to 8192; 3072 is a good choice, 2048 signs about three times as fast
   */
  public static NewKeyPair generate(int bits) {
    RsaKeys.checkSize(bits, "a key");
    KeyPairGenerator generator = InstalledCrypto.best().keyPairGenerator("RSA");
    generator.initialize(bits);
    return new NewKeyPair(generator.generateKeyPair());
  }

  /** The public half as PEM, {@code BEGIN PUBLIC KEY}, in the form that is registered. */
  public String publicPem() {
    return RsaPublicKeys.toPem(publicKey);
  }

  /** The fingerprint by which two people compare keys: {@code SHA256:} and 43 characters. */
  public String fingerprint() {
    return KeyFingerprint.of(publicKey).value();
  }

  /**
   * Writes both halves, as PKCS#8 and as {@code PUBLIC KEY}. The private file has mode 600 from the
   * start if the file system has modes.
   *
   * @throws KeyException when a file of either name exists: a key is never overwritten
   * @throws UncheckedIOException when a file cannot be written; neither file is then left behind
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

  /** Writes only the private half, under the same rules. */
  public void writePrivateKeyTo(Path file) {
    write(file, RsaPrivateKeys.toPem(privateKey));
  }

  /**
   * Writes only the private half, encrypted by PBES2 (RFC 8018 section 6.2) with AES-256, under the
   * same rules. {@link PrivateKeyFile} and {@code openssl pkey} read it. The key is never on disk
   * unencrypted.
   *
   * @param passphrase printable ASCII; the returned array is overwritten with zeros after use
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
        file + " already exists, and a key is never overwritten: choose another name, or move it");
  }

  private static void deleteAfter(IOException failure, Path... files) {
    for (Path file : files) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
  }

  /** Identifies the pair by its fingerprint. */
  @Override
  public String toString() {
    return "NewKeyPair[" + fingerprint() + "]";
  }
}
