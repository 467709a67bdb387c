package dev.countersign.server.clients;

import static dev.countersign.server.clients.ClientException.Reason.NOT_PROVEN;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.Sha256;
import dev.countersign.server.store.purge.Purge;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFingerprint;
import java.security.InvalidKeyException;
import java.security.Signature;
import java.security.SignatureException;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.HexFormat;
import java.util.random.RandomGenerator;

/**
 * Lets an integrator prove possession of a private key before the public key is registered. As
 * proof, the integrator signs a text that nobody could predict.
 *
 * <p>This text is the challenge. It is one line with the key's fingerprint, the time at which the
 * challenge expires, and 256 random bits. It begins differently from every signature base (RFC 9421
 * section 2.5), so the signature of a challenge cannot be used for a request. The database stores
 * the hash of the challenge, so any node can check the proof. Each proof can be used once.
 */
public final class KeyChallenges {
  /** The lifetime of a challenge. */
  public static final Duration LIFETIME = Duration.ofMinutes(15);

  private static final String START = "countersign-possession:v1:";
  private static final int RANDOM_BYTES = 32;
  // The maximum length of a challenge in characters.
  private static final int MAX_LENGTH = 256;

  private final Database database;
  private final CryptoProvider crypto;
  private final Clock clock;
  private final RandomGenerator random;

  /**
   * @param random generates the challenges, which must not be guessable
   */
  public KeyChallenges(
      Database database, CryptoProvider crypto, Clock clock, RandomGenerator random) {
    this.database = database;
    this.crypto = crypto;
    this.clock = clock;
    this.random = random;
  }

  /**
   * Creates a challenge. It must be signed with RSASSA-PKCS1-v1_5 and SHA-256, exactly as it is,
   * without a line feed.
   */
  public String issue(RSAPublicKey key) {
    Instant now = clock.instant();
    Instant end = now.plus(LIFETIME).truncatedTo(ChronoUnit.SECONDS);
    byte[] randomBytes = new byte[RANDOM_BYTES];
    random.nextBytes(randomBytes);
    String text = start(key) + end + ":" + HexFormat.of().formatHex(randomBytes);
    database.write(
        sql -> {
          sql.sql("DELETE FROM key_challenges WHERE expires_at <= ?")
              .param(Purge.now(sql, database.dialect(), clock).toEpochMilli())
              .update();
          return sql.sql("INSERT INTO key_challenges (challenge_hash, expires_at) VALUES (?, ?)")
              .param(hash(text))
              .param(end.toEpochMilli())
              .update();
        });
    return text;
  }

  /**
   * Checks the answer to a challenge. The challenge remains valid until it expires or a change uses
   * the proof.
   *
   * @param challenge a text that was {@link #issue issued} for this key
   * @param signature the signature of the challenge in base64; white space is ignored
   * @throws ClientException {@link ClientException.Reason#NOT_PROVEN} with the problem
   */
  public PossessionProof check(RSAPublicKey key, String challenge, String signature) {
    if (challenge.length() > MAX_LENGTH || !challenge.startsWith(start(key))) {
      throw refused("the challenge does not belong to this key; request a new one");
    }
    if (!verifies(key, challenge, decoded(signature))) {
      throw refused(
          "the signature of the challenge does not verify with this key: sign exactly the text,"
              + " without a line feed at the end, with the private key of this key pair");
    }
    PossessionProof proof = new PossessionProof(key, hash(challenge));
    if (!database.read(sql -> proof.isOpen(sql, clock.instant()))) {
      throw PossessionProof.closed();
    }
    return proof;
  }

  private boolean verifies(RSAPublicKey key, String challenge, byte[] signature) {
    Signature verifier = crypto.signature("SHA256withRSA");
    try {
      verifier.initVerify(key);
      verifier.update(challenge.getBytes(UTF_8));
      return verifier.verify(signature);
    } catch (SignatureException malformed) {
      return false;
    } catch (InvalidKeyException unfit) {
      throw new IllegalStateException(crypto.name() + " does not accept the key");
    }
  }

  private String hash(String challenge) {
    return Sha256.hex(crypto, challenge.getBytes(UTF_8));
  }

  private static String start(RSAPublicKey key) {
    return START + KeyFingerprint.of(key).value() + ":";
  }

  private static byte[] decoded(String signature) {
    try {
      return Base64.getDecoder().decode(signature.replaceAll("\\s", ""));
    } catch (IllegalArgumentException malformed) {
      throw refused("the signature is not base64; paste what openssl base64 -A prints");
    }
  }

  private static ClientException refused(String message) {
    return new ClientException(NOT_PROVEN, message);
  }
}
