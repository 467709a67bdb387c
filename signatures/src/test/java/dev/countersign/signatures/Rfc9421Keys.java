package dev.countersign.signatures;

import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.PrivateKeys;
import dev.countersign.signatures.keys.PublicKeys;
import dev.countersign.signatures.keys.SharedSecrets;
import dev.countersign.signatures.keys.TestedProvider;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.spec.RSAPrivateCrtKeySpec;
import java.util.List;
import java.util.Map;
import javax.crypto.SecretKey;
import tools.jackson.databind.JsonNode;

/** The keys of RFC 9421 appendix B.1, each for the algorithm that it is used with. */
final class Rfc9421Keys {
  // The JDK reads them all; Corretto has no KeyFactory for some.
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final String SECRET = "test-shared-secret";
  private static final Map<String, SignatureAlgorithm> ALGORITHMS =
      Map.of(
          "test-key-rsa",
          SignatureAlgorithm.RSA_V1_5_SHA256,
          "test-key-rsa-pss",
          SignatureAlgorithm.RSA_PSS_SHA512,
          "test-key-ecc-p256",
          SignatureAlgorithm.ECDSA_P256_SHA256,
          "test-key-ed25519",
          SignatureAlgorithm.ED25519,
          SECRET,
          SignatureAlgorithm.HMAC_SHA256);

  private Rfc9421Keys() {}

  /** Returns all keys. If the vectors are missing, the calling test is skipped here. */
  static KeyLookup lookup(TestedProvider provider) {
    // Not in the lookup: a test that expects a refusal would take the skip for another failure.
    Vectors.folder("rfc9421");
    return keyid ->
        ALGORITHMS.containsKey(keyid) ? List.of(verificationKey(keyid, provider.get())) : List.of();
  }

  private static VerificationKey verificationKey(String keyid, CryptoProvider crypto) {
    SignatureAlgorithm algorithm = ALGORITHMS.get(keyid);
    return keyid.equals(SECRET)
        ? new VerificationKey(algorithm, secret(), crypto)
        : new VerificationKey(algorithm, PublicKeys.read(text(keyid, "publicKeyPem"), JDK), crypto);
  }

  static SigningKey signingKey(String keyid, TestedProvider provider) {
    SignatureAlgorithm algorithm = ALGORITHMS.get(keyid);
    if (keyid.equals(SECRET)) {
      return new SigningKey(keyid, algorithm, secret(), provider.get());
    }
    PrivateKey key = PrivateKeys.read(text(keyid, "privateKeyPem"), JDK);
    // Corretto refuses keys whose file binds them to RSASSA-PSS; the JWK of B.1.2 does not bind it.
    boolean unbind = provider == TestedProvider.CORRETTO && key.getAlgorithm().equals("RSASSA-PSS");
    return new SigningKey(
        keyid, algorithm, unbind ? plain((RSAPrivateCrtKey) key) : key, provider.get());
  }

  private static PrivateKey plain(RSAPrivateCrtKey key) {
    try {
      return KeyFactory.getInstance("RSA")
          .generatePrivate(
              new RSAPrivateCrtKeySpec(
                  key.getModulus(),
                  key.getPublicExponent(),
                  key.getPrivateExponent(),
                  key.getPrimeP(),
                  key.getPrimeQ(),
                  key.getPrimeExponentP(),
                  key.getPrimeExponentQ(),
                  key.getCrtCoefficient()));
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static SecretKey secret() {
    return SharedSecrets.read(text(SECRET, "base64"), 32);
  }

  private static String text(String keyid, String form) {
    JsonNode keys = Vectors.json("rfc9421", "appendix-b.json").get("keys");
    return keys.get(keyid).get(form).asString();
  }
}
