package dev.countersign.client.rotation;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** The same of a key file with a passphrase, whose new key is never in the clear on the disk. */
@Tag("full")
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
    folder.assertNothingInTheClear();
  }
}
