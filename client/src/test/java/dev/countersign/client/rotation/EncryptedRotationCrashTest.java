package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import org.junit.jupiter.api.AfterEach;

/** The same of a key file with a passphrase, whose new key is never in the clear on the disk. */
class EncryptedRotationCrashTest extends RotationCrashTest {
  @Override
  KeyFolder make(KeyFolder empty) throws Exception {
    return empty.withEncryptedKey();
  }

  @Override
  KeyRotation rotation() {
    return super.rotation().withPassphrase(KeyFolder.WORDS::toCharArray);
  }

  @AfterEach
  void nothingIsInTheClear() throws Exception {
    assertThat(Files.readString(folder.key())).startsWith("-----BEGIN ENCRYPTED PRIVATE KEY-----");
    for (String name : folder.names()) {
      assertThat(Files.readString(path.resolve(name)))
          .as(name)
          .doesNotContain("BEGIN PRIVATE KEY", "BEGIN RSA PRIVATE KEY");
    }
  }
}
