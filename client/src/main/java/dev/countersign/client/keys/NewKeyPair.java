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
 * file that only its owner can read: no method and no message of this class reveals the private
 * half.
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
   * Generates a pair, which takes a tenth of a second to several seconds.
   *
   * @param bits 2048 to 8192. A good choice is 3072. A key of 2048 bits signs about three times as
   *     fast as a key of 3072 bits
   */
  public static NewKeyPair generate(int bits) {
    RsaKeys.checkSize(bits, "a key");
    KeyPairGenerator generator = InstalledCrypto.best().keyPairGenerator("RSA");
    generator.initialize(bits);
    return new NewKeyPair(generator.generateKeyPair());
  }

  /** The public half as PEM, {@code BEGIN PUBLIC KEY}, in the form for registration. */
  public String publicPem() {
    return RsaPublicKeys.toPem(publicKey);
  }

  /** The fingerprint, which people use to compare keys: {@code SHA256:} and 43 characters. */
  public String fingerprint() {
    return KeyFingerprint.of(publicKey).value();
  }

  /**
   * Writes the private half as PKCS#8 and the public half as {@code PUBLIC KEY}. The private file
   * has mode 600 from the start if the file system has modes.
   *
   * @throws KeyException when one of the files already exists: a key is never overwritten
   * @throws UncheckedIOException when a file cannot be written; in this case neither file is left
   *     behind
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

  /** Writes only the private half, with the same rules as {@link #writeTo}. */
  public void writePrivateKeyTo(Path file) {
    write(file, RsaPrivateKeys.toPem(privateKey));
  }

  /**
   * Writes only the private half, encrypted by PBES2 (RFC 8018 section 6.2) with AES-256, with the
   * same rules as {@link #writeTo}. {@link PrivateKeyFile} and {@code openssl pkey} can read the
   * file. The unencrypted key is never on disk.
   *
   * @param passphrase returns printable ASCII; the array is overwritten with zeros after use
   */
  public void writePrivateKeyTo(Path file, Supplier<char[]> passphrase) {
    char[] secret = Secret.ask(passphrase, file.toString(), "passphrase");
    try {
      EncryptedKey.checkCharacters(secret, file.toString());
      write(file, new KeyEncryption().toPem(privateKey, secret));
    } finally {
      Arrays.fill(secret, '\0');
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
