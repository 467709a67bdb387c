package dev.countersign.client.rotation;

import static dev.countersign.client.files.Directories.beside;

import dev.countersign.client.files.Directories;
import dev.countersign.client.files.OwnerOnlyFile;
import dev.countersign.client.keys.KeyException;
import dev.countersign.client.keys.NewKeyPair;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.interfaces.RSAPrivateCrtKey;

/**
 * The key file and what a rotation keeps beside it. Each step is one rename, so that a process that
 * ends anywhere leaves whole files, and the key file always holds a key that the service takes or
 * took when the new one was sent.
 */
final class RotationFiles {
  private static final String KIND =
      ". Only a PEM file without a passphrase can be rotated: for an encrypted file, a key store or"
          + " a token make the new key there and have the operator add its public half (countersign"
          + " clients add-key)";

  private final Path file;
  private final RotationStep.Listener steps;

  RotationFiles(Path file, RotationStep.Listener steps) {
    this.file = file;
    this.steps = steps;
  }

  Path nextFile() {
    return beside(file, ".next");
  }

  RSAPrivateCrtKey current() {
    try {
      return RsaPrivateKeys.readFile(file, CryptoProvider.jdk());
    } catch (KeyFileException e) {
      String reason =
          e.reason() == KeyFileException.Reason.ENCRYPTED ? "key_encrypted" : "key_unusable";
      throw new RotationException(reason, e.getMessage() + KIND);
    }
  }

  /** The key that an earlier rotation left, else a new one, which is on the disk before it goes. */
  NextKey next(int bits) throws IOException {
    boolean resumed = Files.exists(nextFile(), LinkOption.NOFOLLOW_LINKS);
    if (!resumed) {
      writeNext(NewKeyPair.generate(bits));
      steps.reached(RotationStep.NEXT_WRITTEN);
    }
    try {
      return new NextKey(RsaPrivateKeys.readFile(nextFile(), CryptoProvider.jdk()), resumed);
    } catch (KeyFileException e) {
      throw e.reason() == KeyFileException.Reason.UNREADABLE
          ? new RotationException(
              "key_unusable", e.getMessage() + ". Make it readable and rotate again")
          : unusable(e);
    } catch (KeyException e) {
      throw unusable(e);
    }
  }

  // What an earlier rotation sent may be registered, whatever has become of the file since.
  private RotationException unusable(RuntimeException e) {
    return new RotationException(
        "key_unusable",
        e.getMessage()
            + ". The service may know the key of "
            + nextFile()
            + ": ask the operator which keys are live before you delete it");
  }

  private void writeNext(NewKeyPair pair) throws IOException {
    Path unfinished = beside(file, ".next.new");
    Files.deleteIfExists(unfinished);
    try {
      pair.writePrivateKeyTo(unfinished);
      // Whoever signs with the old key has to be able to sign with the new one.
      OwnerOnlyFile.giveAccessOf(file, unfinished);
      rename(unfinished, nextFile());
    } catch (UncheckedIOException e) {
      throw new IOException(String.valueOf(e.getMessage()), e);
    } finally {
      Files.deleteIfExists(unfinished);
    }
  }

  /** Forgets a key that the service has refused. */
  void dropNext() throws IOException {
    Files.deleteIfExists(nextFile());
    Directories.sync(file);
  }

  /** Makes the next key the one in use. */
  void switchTo(NextKey next) throws IOException {
    Path previous = beside(file, ".previous");
    keep(previous);
    steps.reached(RotationStep.PREVIOUS_KEPT);
    writePublic(next.publicPem());
    steps.reached(RotationStep.PUBLIC_WRITTEN);
    rename(nextFile(), file);
    steps.reached(RotationStep.SWITCHED);
    OwnerOnlyFile.restrict(previous);
  }

  private void keep(Path previous) throws IOException {
    Files.deleteIfExists(previous);
    try {
      Files.createLink(previous, file);
    } catch (UnsupportedOperationException | IOException noLinks) {
      Files.deleteIfExists(previous);
      OwnerOnlyFile.create(previous, Files.readString(file));
    }
    Directories.sync(file);
  }

  /** {@code partner.pub} beside {@code partner.key}, where somebody has put one. */
  private void writePublic(String pem) throws IOException {
    String name = String.valueOf(file.getFileName());
    int dot = name.lastIndexOf('.');
    Path publicFile = file.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".pub");
    if (Files.isRegularFile(publicFile) && !publicFile.equals(file)) {
      Path unfinished = beside(publicFile, ".new");
      Files.deleteIfExists(unfinished);
      OwnerOnlyFile.createPublic(unfinished, pem);
      rename(unfinished, publicFile);
    }
  }

  private static void rename(Path from, Path to) throws IOException {
    Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    Directories.sync(to);
  }
}
