package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.digest.ContentDigest;
import dev.countersign.signatures.digest.DigestAlgorithm;
import dev.countersign.signatures.digest.DigestFieldException;
import dev.countersign.signatures.fields.NaiveFields;
import dev.countersign.signatures.keys.CryptoProvider;
import java.util.List;
import java.util.Set;

/**
 * Content-Digest: each line of the input is a line of the field, and an accepted digest is that of
 * the field.
 */
public final class ContentDigestFuzz {
  private static final byte[] BODY = "{\"hello\": \"world\"}".getBytes(UTF_8);

  private ContentDigestFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    List<String> lines = new String(input, UTF_8).lines().toList();
    ContentDigest digest;
    try {
      digest = ContentDigest.parse(lines);
    } catch (DigestFieldException e) {
      return;
    }
    String text = digest.serialize();
    FuzzFinding.unlessEqual(ContentDigest.parse(List.of(text)).serialize(), text);
    String canonical = NaiveFields.dictionary(String.join(", ", lines)).orElse("");
    FuzzFinding.unless(
        canonical.contains(text.split(", ")[0]), "accepts what was not sent: " + text);
    if (digest.matches(BODY, CryptoProvider.jdk())) {
      FuzzFinding.unlessEqual(text, of(digest.algorithms()).serialize());
    }
  }

  private static ContentDigest of(Set<DigestAlgorithm> algorithms) {
    return ContentDigest.of(BODY, CryptoProvider.jdk(), algorithms);
  }
}
