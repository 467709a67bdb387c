package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.PublicKeys;
import dev.countersign.signatures.keys.SharedSecrets;
import java.util.Base64;
import javax.crypto.SecretKey;

/** Shared secrets: a text that is read as one is not a public key. */
public final class SharedSecretsFuzz {
  private static final int MIN_BYTES = 32;

  private SharedSecretsFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    String text = new String(input, UTF_8);
    SecretKey secret;
    try {
      secret = SharedSecrets.read(text, MIN_BYTES);
    } catch (KeyFileException e) {
      return;
    }
    FuzzFinding.unless(secret.getEncoded().length >= MIN_BYTES, "too short");
    String base64 = Base64.getEncoder().encodeToString(secret.getEncoded());
    FuzzFinding.unlessEqual(SharedSecrets.read(base64, MIN_BYTES), secret);
    FuzzFinding.unless(!isPublicKey(text), "a public key was read as a secret");
  }

  private static boolean isPublicKey(String text) {
    try {
      PublicKeys.read(text, CryptoProvider.jdk());
      return true;
    } catch (KeyFileException e) {
      return false;
    }
  }
}
