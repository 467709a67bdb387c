package dev.countersign.server.portal.clients;

import dev.countersign.server.clients.ClientException;
import dev.countersign.server.clients.KeyChallenges;
import dev.countersign.server.clients.KeyPreview;
import dev.countersign.server.clients.PossessionProof;
import dev.countersign.signatures.keys.KeyFileException;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.util.MultiValueMap;

/**
 * What somebody sent in the fields of a public key. The text itself is not kept: a page that shows
 * the field again writes the key anew, so that a private key never comes back.
 *
 * @param preview the key; null where the text was none
 * @param challenge what its holder was asked to sign; empty where nobody asked
 * @param signature the answer
 * @param proof that the answer is right; null without one
 */
record KeyForm(
    @Nullable KeyPreview preview,
    String challenge,
    String signature,
    @Nullable PossessionProof proof) {
  static final String PUBLIC_KEY = "publicKey";
  static final String CHALLENGE = "challenge";
  static final String SIGNATURE = "signature";

  static KeyForm empty() {
    return new KeyForm(null, "", "", null);
  }

  /** Reads the fields as they were sent, and says what is wrong with them. */
  static KeyForm read(
      MultiValueMap<String, String> sent, KeyChallenges challenges, Map<String, String> problems) {
    @Nullable KeyPreview preview = preview(sent.getFirst(PUBLIC_KEY), problems);
    String challenge = RecordForm.text(sent, CHALLENGE, problems).strip();
    String signature = RecordForm.text(sent, SIGNATURE, problems).strip();
    PossessionProof proof = null;
    if (preview != null && !signature.isEmpty()) {
      try {
        proof = challenges.check(preview.key(), challenge, signature);
      } catch (ClientException refused) {
        problems.put(SIGNATURE, String.valueOf(refused.getMessage()));
      }
    }
    return new KeyForm(preview, challenge, signature, proof);
  }

  private static @Nullable KeyPreview preview(@Nullable String text, Map<String, String> problems) {
    try {
      return KeyPreview.read(text == null ? "" : text);
    } catch (KeyFileException refused) {
      problems.put(PUBLIC_KEY, message(refused));
      return null;
    }
  }

  /** Why a text is no key that could be registered; it holds nothing of the text. */
  static String message(KeyFileException refused) {
    return refused.reason() == KeyFileException.Reason.PRIVATE_KEY
        ? Refusals.PRIVATE_KEY
        : String.valueOf(refused.getMessage());
  }

  /** What to show in the field. */
  public String pem() {
    return preview == null ? "" : preview.pem();
  }

  /** Leaves the key and the answer out. */
  @Override
  public String toString() {
    return String.valueOf(preview);
  }
}
