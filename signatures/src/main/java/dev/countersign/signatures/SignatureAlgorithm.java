package dev.countersign.signatures;

import dev.countersign.signatures.algorithms.EcdsaScheme;
import dev.countersign.signatures.algorithms.Ed25519Scheme;
import dev.countersign.signatures.algorithms.HmacScheme;
import dev.countersign.signatures.algorithms.RsaScheme;
import dev.countersign.signatures.algorithms.SignatureScheme;
import dev.countersign.signatures.algorithms.UnfitKeyException;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.EcCurve;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.SignatureException;
import java.util.Arrays;
import java.util.Optional;

/**
 * The signature algorithms: the six algorithms of the <a
 * href="https://www.rfc-editor.org/rfc/rfc9421#section-3.3">HTTP Signature Algorithms registry</a>,
 * and the algorithms of JSON Web Signatures (JWS). A JWS algorithm is only for applications that
 * agree on it (RFC 9421 section 3.3.7).
 *
 * <p>An algorithm belongs to a key and is chosen when the key is registered. The {@code alg}
 * parameter of a message can only confirm the algorithm. For a JWS algorithm, {@code alg} is not
 * sent at all. The JWS algorithm {@code none} is not supported.
 */
// Error Prone cannot see that every scheme is immutable.
@SuppressWarnings("ImmutableEnumChecker")
public enum SignatureAlgorithm {
  /** RSASSA-PSS with SHA-512 and a salt of 64 bytes (RFC 9421 section 3.3.1). */
  RSA_PSS_SHA512(Name.registered("rsa-pss-sha512"), RsaScheme.pss("SHA-512", 64)),
  /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 9421 section 3.3.2). */
  RSA_V1_5_SHA256(Name.registered("rsa-v1_5-sha256"), RsaScheme.pkcs1("SHA-256")),
  /** HMAC with SHA-256 and a secret of 32 bytes or more (RFC 9421 section 3.3.3). */
  HMAC_SHA256(Name.registered("hmac-sha256"), new HmacScheme("HmacSHA256", 32)),
  /** ECDSA on P-256 with SHA-256 (RFC 9421 section 3.3.4). */
  ECDSA_P256_SHA256(Name.registered("ecdsa-p256-sha256"), EcdsaScheme.of("SHA256", EcCurve.P256)),
  /** ECDSA on P-384 with SHA-384 (RFC 9421 section 3.3.5). */
  ECDSA_P384_SHA384(Name.registered("ecdsa-p384-sha384"), EcdsaScheme.of("SHA384", EcCurve.P384)),
  /** EdDSA on the curve edwards25519 (RFC 9421 section 3.3.6). */
  ED25519(Name.registered("ed25519"), new Ed25519Scheme()),

  /** RSASSA-PKCS1-v1_5 with SHA-256 (RFC 7518 section 3.3). */
  JWS_RS256(Name.jws("RS256"), RsaScheme.pkcs1("SHA-256")),
  /** RSASSA-PKCS1-v1_5 with SHA-384 (RFC 7518 section 3.3). */
  JWS_RS384(Name.jws("RS384"), RsaScheme.pkcs1("SHA-384")),
  /** RSASSA-PKCS1-v1_5 with SHA-512 (RFC 7518 section 3.3). */
  JWS_RS512(Name.jws("RS512"), RsaScheme.pkcs1("SHA-512")),
  /** RSASSA-PSS with SHA-256 and a salt of 32 bytes (RFC 7518 section 3.5). */
  JWS_PS256(Name.jws("PS256"), RsaScheme.pss("SHA-256", 32)),
  /** RSASSA-PSS with SHA-384 and a salt of 48 bytes (RFC 7518 section 3.5). */
  JWS_PS384(Name.jws("PS384"), RsaScheme.pss("SHA-384", 48)),
  /** RSASSA-PSS with SHA-512 and a salt of 64 bytes (RFC 7518 section 3.5). */
  JWS_PS512(Name.jws("PS512"), RsaScheme.pss("SHA-512", 64)),
  /** ECDSA on P-256 with SHA-256 (RFC 7518 section 3.4). */
  JWS_ES256(Name.jws("ES256"), EcdsaScheme.of("SHA256", EcCurve.P256)),
  /** ECDSA on P-384 with SHA-384 (RFC 7518 section 3.4). */
  JWS_ES384(Name.jws("ES384"), EcdsaScheme.of("SHA384", EcCurve.P384)),
  /** ECDSA on P-521 with SHA-512 (RFC 7518 section 3.4). */
  JWS_ES512(Name.jws("ES512"), EcdsaScheme.of("SHA512", EcCurve.P521)),
  /** EdDSA, here only on the curve Ed25519 (RFC 8037 section 3.1). */
  JWS_EDDSA(Name.jws("EdDSA"), new Ed25519Scheme()),
  /** HMAC with SHA-256 and a secret of 32 bytes or more (RFC 7518 section 3.2). */
  JWS_HS256(Name.jws("HS256"), new HmacScheme("HmacSHA256", 32)),
  /** HMAC with SHA-384 and a secret of 48 bytes or more (RFC 7518 section 3.2). */
  JWS_HS384(Name.jws("HS384"), new HmacScheme("HmacSHA384", 48)),
  /** HMAC with SHA-512 and a secret of 64 bytes or more (RFC 7518 section 3.2). */
  JWS_HS512(Name.jws("HS512"), new HmacScheme("HmacSHA512", 64));

  private final Name name;
  private final SignatureScheme scheme;

  SignatureAlgorithm(Name name, SignatureScheme scheme) {
    this.name = name;
    this.scheme = scheme;
  }

  /**
   * The name in the registry and in the {@code alg} parameter; empty for a JWS algorithm, which
   * {@code alg} never names (RFC 9421 section 3.3.7).
   */
  public Optional<String> registeredName() {
    return name.registered();
  }

  /** Returns whether this value of {@code alg} names this algorithm. */
  boolean isNamed(String alg) {
    return name.registered().isPresent() && name.registered().get().equals(alg);
  }

  /**
   * The name to show to people: the registered name or, for a JWS algorithm, a name such as {@code
   * JWS PS256}.
   */
  public String displayName() {
    return name.display();
  }

  /** The algorithm with this registered name, which is case-sensitive; never a JWS algorithm. */
  public static Optional<SignatureAlgorithm> named(String registeredName) {
    return find(Name.registered(registeredName));
  }

  /**
   * The JWS algorithm with this case-sensitive name of JSON Web Algorithms, such as {@code PS256}.
   * {@code none} is never found (RFC 9421 section 3.3.7).
   */
  public static Optional<SignatureAlgorithm> jws(String jwaName) {
    return find(Name.jws(jwaName));
  }

  private static Optional<SignatureAlgorithm> find(Name name) {
    return Arrays.stream(values()).filter(algorithm -> algorithm.name.equals(name)).findFirst();
  }

  /**
   * Refuses a key that cannot verify signatures. Called when the key is configured, so that a
   * mistake shows before a request arrives.
   *
   * @throws IllegalArgumentException whose message names the expected and the received key, and
   *     never contains key material
   */
  void checkVerificationKey(Key key, CryptoProvider crypto) {
    try {
      scheme.checkVerificationKey(key);
      scheme.tryVerification(key, crypto);
    } catch (UnfitKeyException e) {
      throw unfit(e);
    } catch (InvalidKeyException e) {
      throw rejectedBy(crypto);
    }
  }

  /** Like {@link #checkVerificationKey}, but refuses a key that cannot sign. */
  void checkSigningKey(Key key, CryptoProvider crypto) {
    try {
      scheme.checkSigningKey(key);
      scheme.trySigning(key, crypto);
    } catch (UnfitKeyException e) {
      throw unfit(e);
    } catch (InvalidKeyException e) {
      throw rejectedBy(crypto);
    }
  }

  private IllegalArgumentException unfit(UnfitKeyException e) {
    return new IllegalArgumentException(displayName() + " " + e.getMessage());
  }

  // Design note: the exception has no cause, because a provider's exception may quote the key.
  private IllegalArgumentException rejectedBy(CryptoProvider crypto) {
    return new IllegalArgumentException(
        crypto.name() + " does not accept this key for " + displayName());
  }

  byte[] sign(byte[] base, Key key, CryptoProvider crypto)
      throws InvalidKeyException, SignatureException {
    return scheme.sign(base, key, crypto);
  }

  boolean verifies(byte[] base, byte[] signature, Key key, CryptoProvider crypto)
      throws InvalidKeyException {
    return scheme.verifies(base, signature, key, crypto);
  }

  /**
   * The names of an algorithm.
   *
   * @param registered the name in the HTTP Signature Algorithms registry; empty for a JWS algorithm
   * @param display the name to show to people
   */
  private record Name(Optional<String> registered, String display) {
    static Name registered(String name) {
      return new Name(Optional.of(name), name);
    }

    static Name jws(String name) {
      return new Name(Optional.empty(), "JWS " + name);
    }
  }
}
