package dev.countersign.client.rotation;

import static dev.countersign.client.files.Directories.beside;

import dev.countersign.client.files.Directories;
import dev.countersign.client.files.OwnerOnlyFile;
import dev.countersign.client.keys.KeyException;
import dev.countersign.client.keys.NewKeyPair;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.interfaces.RSAPublicKey;

/**
 * The key file and the files that a rotation keeps beside it. A rotation replaces the key file and
 * the public key file by a single rename each, so they are complete even if the process ends at any
 * point. Until the last step, the key file holds the old key. The service accepts the old key until
 * the overlap ends.
 */
final class RotationFiles {
  private static final String ONLY_PEM =
      ". Only a PEM file can be rotated; for an encrypted one, set withPassphrase. For a key store"
          + " or a token, make the new key there and ask the operator to add its public half"
          + " (countersign clients add-key)";

  private final Path file;
  private final KeyFileCodec codec;
  private final RotationSettings settings;

  RotationFiles(Path file, KeyFileCodec codec, RotationSettings settings) {
    this.file = file;
    this.codec = codec;
    this.settings = settings;
  }

  Path nextFile() {
    return beside(file, ".next");
  }

  /** Returns whether there is certainly no file with the new key. */
  boolean isNextMissing() {
    return Files.notExists(nextFile(), LinkOption.NOFOLLOW_LINKS);
  }

  RotationKey current() {
    try {
      return codec.read(file);
    } catch (KeyFileException e) {
      String reason =
          e.reason() == KeyFileException.Reason.ENCRYPTED ? "key_encrypted" : "key_unusable";
      throw new RotationException(reason, e.getMessage() + ONLY_PEM);
    } catch (KeyException e) {
      throw notRotatable(String.valueOf(e.getMessage()));
    }
  }

  /** The exception for a readable key file with a key that no service would accept. */
  RotationException notRotatable(String failure) {
    String prefix = file + ": ";
    return new RotationException(
        "key_unusable", failure.startsWith(prefix) ? failure : prefix + failure);
  }

  /**
   * Returns the key that an earlier rotation left, or else a new key. The key is on disk before it
   * is sent.
   */
  NextKey next(RotationKey current, int bits) throws IOException {
    boolean resumed = Files.exists(nextFile(), LinkOption.NOFOLLOW_LINKS);
    if (!resumed) {
      writeNext(NewKeyPair.generate(bits), current);
      settings.steps().reached(RotationStep.NEXT_WRITTEN);
    }
    try {
      RotationKey key = codec.read(nextFile());
      if (current.isEncrypted() && !key.isEncrypted()) {
        throw notEncrypted();
      }
      return new NextKey(key, resumed);
    } catch (KeyFileException e) {
      throw e.reason() == KeyFileException.Reason.UNREADABLE
          ? new RotationException(
              "key_unusable", e.getMessage() + ". Make it readable and rotate again")
          : unusable(e);
    } catch (KeyException e) {
      throw unusable(e);
    }
  }

  // An earlier rotation left an unencrypted new key, and the owner has encrypted the key file since
  // then. The new key must be encrypted too.
  private RotationException notEncrypted() {
    return new RotationException(
        "key_unusable",
        nextFile()
            + " is not encrypted, but the key file is: encrypt it with the same passphrase"
            + " (openssl pkcs8 -topk8 -v2 aes-256-cbc -in FILE -out NEW, then rename it) and rotate"
            + " again; do not delete it, because the service may know it");
  }

  // The service may have registered the key of an earlier rotation, even if the file of this key
  // has been damaged since then.
  private RotationException unusable(RuntimeException e) {
    return new RotationException(
        "key_unusable",
        e.getMessage()
            + ". The service may know the key of "
            + nextFile()
            + ": ask the operator which keys are live before you delete it");
  }

  private void writeNext(NewKeyPair pair, RotationKey current) throws IOException {
    Path unfinished = beside(file, ".next.new");
    Files.deleteIfExists(unfinished);
    try {
      codec.write(pair, current, unfinished);
      // Programs that can read the old key must be able to read the new one.
      OwnerOnlyFile.giveAccessOf(file, unfinished);
      rename(unfinished, nextFile());
    } catch (UncheckedIOException e) {
      throw new IOException(String.valueOf(e.getMessage()), e);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /** Deletes the new key after the service has refused it. */
  void dropNext() throws IOException {
    Files.deleteIfExists(nextFile());
    Directories.sync(file);
  }

  /**
   * Replaces the current key with the next key.
   *
   * @throws IOException when the key file still holds the current key
   * @throws RotationException when the key file holds the next key, but a crash may undo this
   */
  void switchTo(NextKey next, RotationKey current) throws IOException {
    keep(beside(file, ".previous"));
    settings.steps().reached(RotationStep.PREVIOUS_KEPT);
    writePublic(next, current.publicKey());
    settings.steps().reached(RotationStep.PUBLIC_WRITTEN);
    move(nextFile(), file);
    syncSwitch();
    settings.steps().reached(RotationStep.SWITCHED);
  }

  private void syncSwitch() {
    try {
      Directories.sync(file);
    } catch (IOException e) {
      throw new RotationException(
          "key_not_written",
          file
              + " holds the new key, and the service has it, but a crash may undo the change on the"
              + " disk: "
              + e
              + ". If "
              + nextFile()
              + " is there after a crash, rotate again before the overlap ends",
          e);
    }
  }

  // Copies bytes, because a key file may be in any text encoding, or in DER.
  private void keep(Path previous) throws IOException {
    Files.deleteIfExists(previous);
    OwnerOnlyFile.create(previous, Files.readAllBytes(file));
    OwnerOnlyFile.giveAccessOf(file, previous);
    OwnerOnlyFile.restrict(previous);
  }

  /**
   * Rewrites {@code partner.pub} beside {@code partner.key}, if {@code partner.pub} holds the
   * public half of the current key.
   */
  private void writePublic(NextKey next, RSAPublicKey current) throws IOException {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    Path publicFile = file.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".pub");
    if (!Files.isRegularFile(publicFile) || publicFile.equals(file)) {
      return;
    }
    String found = fingerprint(publicFile);
    if (found.equals(KeyFingerprint.of(current).value())) {
      Path unfinished = beside(publicFile, ".new");
      Files.deleteIfExists(unfinished);
      OwnerOnlyFile.createPublic(unfinished, next.publicPem());
      rename(unfinished, publicFile);
    } else if (!found.equals(next.fingerprint())) {
      settings
          .warnings()
          .accept(publicFile + " is left unchanged: it is not the public half of the old key");
    }
  }

  /** The fingerprint of the public key in a file; empty if the file holds something else. */
  private static String fingerprint(Path publicFile) {
    try {
      RSAPublicKey key = RsaPublicKeys.readFile(publicFile, CryptoProvider.jdk());
      return KeyFingerprint.of(key).value();
    } catch (KeyFileException e) {
      return "";
    }
  }

  private static void rename(Path from, Path to) throws IOException {
    move(from, to);
    Directories.sync(to);
  }

  private static void move(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
