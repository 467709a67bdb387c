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
 * The fields of a public key. The form keeps the key but not the pasted text. If a page shows the
 * field again, the service encodes the key anew, so that a pasted private key is never shown.
 *
 * @param preview the key; null if the text was not a key
 * @param challenge the text to sign; empty if none was issued
 * @param signature the signature of the challenge
 * @param proof the proof of possession; null if there is none
 */
record PublicKeyForm(
    @Nullable KeyPreview preview,
    String challenge,
    String signature,
    @Nullable PossessionProof proof) {
  /** The message for a private key, wherever it was pasted. */
  static final String PRIVATE_KEY =
      "This is a private key. It was not stored or logged, but it has left its owner: discard that"
          + " key pair, generate a new one, and paste its public key.";

  static final String PUBLIC_KEY = "publicKey";
  static final String CHALLENGE = "challenge";
  static final String SIGNATURE = "signature";

  static PublicKeyForm empty() {
    return new PublicKeyForm(null, "", "", null);
  }

  /** Reads the fields and reports their problems. */
  static PublicKeyForm read(
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
    return new PublicKeyForm(preview, challenge, signature, proof);
  }

  private static @Nullable KeyPreview preview(@Nullable String text, Map<String, String> problems) {
    try {
      return KeyPreview.read(text == null ? "" : text);
    } catch (KeyFileException refused) {
      problems.put(PUBLIC_KEY, message(refused));
      return null;
    }
  }

  /** Returns why a key was refused, without quoting the text. */
  static String message(KeyFileException refused) {
    return refused.reason() == KeyFileException.Reason.PRIVATE_KEY
        ? PRIVATE_KEY
        : String.valueOf(refused.getMessage());
  }

  /** Returns the key in PEM for the field; empty if there is no key. */
  public String pem() {
    return preview == null ? "" : preview.pem();
  }

  /** Returns a string without the key and the signature. */
  @Override
  public String toString() {
    return String.valueOf(preview);
  }
}
