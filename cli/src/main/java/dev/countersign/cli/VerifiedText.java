package dev.countersign.cli;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.signatures.VerifiedSignature;
import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.keys.KeyFingerprint;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Describes a verified signature, for people and for programs. */
final class VerifiedText {
  private VerifiedText() {}

  static List<String> lines(VerifiedSignature verified, RSAPublicKey key) {
    String components =
        verified.components().stream()
            .map(ComponentIdentifier::serialize)
            .collect(Collectors.joining(" "));
    return List.of(
        "verified: the signature of "
            + verified.parameters().keyid().orElse("")
            + ", made at "
            + created(verified),
        "with the key " + KeyFingerprint.of(key),
        "it covers "
            + components
            + (verified.coversBody() ? ", and the body matches its digest" : ""));
  }

  static String json(VerifiedSignature verified, RSAPublicKey key) {
    JsonMapper json = JsonMapper.shared();
    ObjectNode document = json.createObjectNode();
    document.put("verified", true);
    document.put("reason", "verified");
    document.put("clientId", verified.parameters().keyid().orElse(""));
    document.put("created", created(verified).toString());
    document.put("fingerprint", KeyFingerprint.of(key).value());
    ArrayNode components = document.putArray("components");
    verified.components().forEach(component -> components.add(component.serialize()));
    document.put("coversBody", verified.coversBody());
    document.put("signatureBase", verified.base().text());
    return json.writeValueAsString(document);
  }

  /**
   * Describes a signature that was not verified.
   *
   * @param base the signature base, possibly empty
   */
  static String json(CliException refusal, String base) {
    ObjectNode document =
        JsonMapper.shared()
            .createObjectNode()
            .put("verified", false)
            .put("reason", refusal.reason())
            .put("cause", refusal.text());
    if (!base.isEmpty()) {
      document.put("signatureBase", base);
    }
    return document.toString();
  }

  private static Instant created(VerifiedSignature verified) {
    return Instant.ofEpochSecond(verified.parameters().created().orElseThrow());
  }
}
