package dev.countersign.server.integrations;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.clients.KeyPreview;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFileException;
import dev.countersign.signatures.keys.RsaKeyRules;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The body of a request to rotate a key: {@code {"publicKey": "…", "overlapSeconds": 86400}}.
 *
 * @param key the new key. Its size and exponent have been checked; {@link #requireStrongKey} checks
 *     the rest
 * @param overlap how long the current key stays live after the rotation, 1 s to 30 days
 */
record KeyRequest(RSAPublicKey key, Duration overlap) {
  // Overlaps are in seconds.
  static final int DEFAULT_OVERLAP = 86_400;
  static final int MAX_OVERLAP = 2_592_000;

  private static final String KEY = "publicKey";
  private static final String OVERLAP = "overlapSeconds";
  private static final Set<String> MEMBERS = Set.of(KEY, OVERLAP);
  private static final String LEAKED =
      "this is a private key, which must never be sent: treat it as leaked and generate a new key"
          + " pair";
  private static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  // Otherwise, the factory would keep thousands of names that clients have sent.
                  .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                  .build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  /**
   * Reads a body. Messages never quote the body, because a caller may send a private key by
   * mistake.
   *
   * @throws DeniedException {@link Reason#BODY_INVALID}, with every problem in {@code errors}
   */
  static KeyRequest read(byte[] body, CryptoProvider crypto) {
    JsonNode document = document(body);
    if (document.values().stream().anyMatch(KeyRequest::hasPrivateKey)) {
      throw invalid(List.of(LEAKED));
    }
    List<String> problems = new ArrayList<>();
    if (!MEMBERS.containsAll(document.propertyNames())) {
      problems.add("the only members are " + KEY + " and " + OVERLAP + "; remove all others");
    }
    RSAPublicKey key = key(document.path(KEY), crypto, problems);
    Duration overlap = overlap(document.path(OVERLAP), problems);
    if (key == null || !problems.isEmpty()) {
      throw invalid(problems);
    }
    return new KeyRequest(key, overlap);
  }

  private static boolean hasPrivateKey(JsonNode member) {
    return member.isString() && KeyPreview.containsPrivateKey(member.stringValue());
  }

  private static JsonNode document(byte[] body) {
    String text = decoded(body);
    if (KeyPreview.containsPrivateKey(text)) {
      throw invalid(List.of(LEAKED));
    }
    try {
      JsonNode document = JSON.readTree(text);
      if (document.isObject()) {
        return document;
      }
    } catch (JacksonException malformed) {
      // The message of the exception would quote the body.
    }
    throw invalid(
        List.of("the body must be one well-formed JSON object without duplicate members"));
  }

  private static String decoded(byte[] body) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(body)).toString();
    } catch (CharacterCodingException malformed) {
      throw invalid(List.of("the body is not UTF-8"));
    }
  }

  private static @Nullable RSAPublicKey key(
      JsonNode text, CryptoProvider crypto, List<String> problems) {
    if (!text.isString()) {
      problems.add(KEY + " must be the text of an RSA public key in PEM");
      return null;
    }
    try {
      RSAPublicKey key = RsaPublicKeys.read(text.stringValue(), crypto);
      RsaKeyRules.checkBounds(key);
      return key;
    } catch (KeyFileException refused) {
      problems.add(KEY + ": " + refused.getMessage());
      return null;
    }
  }

  /**
   * Checks the strength of the key. The check is slow, so the sender must have proven possession of
   * the key first.
   *
   * @throws DeniedException {@link Reason#BODY_INVALID} if the key may not be registered
   */
  void requireStrongKey() {
    try {
      RsaKeyRules.check(key);
    } catch (KeyFileException weak) {
      throw invalid(List.of(KEY + ": " + weak.getMessage()));
    }
  }

  private static Duration overlap(JsonNode seconds, List<String> problems) {
    if (seconds.isMissingNode()) {
      return Duration.ofSeconds(DEFAULT_OVERLAP);
    }
    boolean allowed =
        seconds.isIntegralNumber()
            && seconds.canConvertToInt()
            && seconds.intValue() >= 1
            && seconds.intValue() <= MAX_OVERLAP;
    if (!allowed) {
      problems.add(OVERLAP + " must be a whole number of seconds, 1 to " + MAX_OVERLAP);
      return Duration.ZERO;
    }
    return Duration.ofSeconds(seconds.intValue());
  }

  static DeniedException invalid(List<String> problems) {
    return Denial.of(Reason.BODY_INVALID, String.join("; ", problems))
        .withMember("errors", List.copyOf(problems))
        .asException();
  }
}
