package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.client.keys.NewKeyPair;
import dev.countersign.client.keys.PrivateKeyFile;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import java.util.List;
import java.util.stream.Stream;

/** The folder of a client: {@code partner.key} and the files that a rotation puts beside it. */
record KeyFolder(Path path) {
  private static final NewKeyPair FIRST = NewKeyPair.generate(2048);
  static final String WORDS = "correct horse";
  private static final CryptoProvider JDK = CryptoProvider.jdk();

  KeyFolder withKey() {
    FIRST.writeTo(key(), publicKey());
    return this;
  }

  KeyFolder withEncryptedKey() throws IOException {
    FIRST.writePrivateKeyTo(key(), WORDS::toCharArray);
    Files.writeString(publicKey(), FIRST.publicPem());
    return this;
  }

  static RSAPublicKey first() {
    return RsaPublicKeys.read(FIRST.publicPem(), JDK);
  }

  static String firstFingerprint() {
    return FIRST.fingerprint();
  }

  Path key() {
    return path.resolve("partner.key");
  }

  Path publicKey() {
    return path.resolve("partner.pub");
  }

  Path next() {
    return path.resolve("partner.key.next");
  }

  Path previous() {
    return path.resolve("partner.key.previous");
  }

  /** Returns the fingerprint of the private key in a file, encrypted or not. */
  static String fingerprintOf(Path file) {
    return KeyFingerprint.of(PrivateKeyFile.of(file, WORDS::toCharArray).publicKey()).value();
  }

  /**
   * Checks that the key file is encrypted, and that no file of the folder contains an unencrypted
   * private key.
   */
  void assertNothingInTheClear() throws IOException {
    assertThat(Files.readString(key())).startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
    for (String name : names()) {
      assertThat(Files.readString(path.resolve(name)))
          .as(name)
          .doesNotContain("BEGIN PRIVATE KEY", "BEGIN RSA PRIVATE KEY");
    }
  }

  List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.map(file -> file.getFileName().toString()).sorted().toList();
    }
  }
}
