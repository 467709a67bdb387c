package dev.countersign.signatures.keys;

import java.security.PublicKey;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A short identifier of a public key that two people can compare. It is the SHA-256 of the key's
 * SubjectPublicKeyInfo in DER (<a href="https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.7">RFC
 * 5280, section 4.1.2.7</a>), written as {@code SHA256:} and base64 without padding. The command
 * {@code openssl pkey -pubin -in public.pem -outform DER | openssl dgst -sha256 -binary | base64}
 * prints the same base64, with one {@code =} at its end.
 */
public record KeyFingerprint(String value) {
  private static final String PREFIX = "SHA256:";
  private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9+/]{43}");

  public KeyFingerprint {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "a fingerprint must be SHA256: and 43 characters of base64, was a text of "
              + value.length()
              + " characters");
    }
  }

  public static KeyFingerprint of(PublicKey key) {
    byte[] hash = CryptoProvider.jdk().digest("SHA-256").digest(ProviderKey.encoded(key, "X.509"));
    return new KeyFingerprint(PREFIX + Base64.getEncoder().withoutPadding().encodeToString(hash));
  }

  @Override
  public String toString() {
    return value;
  }
}
