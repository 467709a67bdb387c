package dev.countersign.client.rotation;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/**
 * The same tests for a key file with a passphrase, whose new key is never on the disk in the clear.
 */
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
