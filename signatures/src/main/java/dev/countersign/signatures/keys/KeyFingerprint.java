package dev.countersign.signatures.keys;

import java.security.PublicKey;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A short identifier of a public key that two people can compare: {@code SHA256:} and the base64
 * without padding of the SHA-256 of its SubjectPublicKeyInfo (<a
 * href="https://www.rfc-editor.org/rfc/rfc5280#section-4.1.2.7">RFC 5280, section 4.1.2.7</a>) in
 * DER. OpenSSL shows the same by {@code openssl pkey -pubin -in public.pem -outform DER | openssl
 * dgst -sha256 -binary | base64}, with one {@code =} at its end.
 */
public record KeyFingerprint(String value) {
  private static final String PREFIX = "SHA256:";
  private static final Pattern FORM = Pattern.compile(PREFIX + "[A-Za-z0-9+/]{43}");

  public KeyFingerprint {
    if (!FORM.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "a fingerprint is SHA256: and 43 characters of base64, this has "
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
