package dev.countersign.server.openapi;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.server.integrations.IntegrationRoutes;
import java.util.List;

/** The operation that rotates a client's key. */
final class RotationPath {
  private RotationPath() {}

  static void addTo(Node paths) {
    paths.put(IntegrationRoutes.KEYS, Node.of("post", rotate()));
  }

  static void addSchemasTo(Node schemas) {
    schemas.put(
        "NextKey",
        Node.type("object")
            .put("required", List.of("publicKey"))
            .put(
                "properties",
                Node.of("publicKey", text("The new RSA public key in PEM. Never a private key."))
                    .put(
                        "overlapSeconds",
                        Node.type("integer")
                            .put("minimum", 1)
                            .put("maximum", IntegrationRoutes.MAX_OVERLAP_SECONDS)
                            .put("default", IntegrationRoutes.DEFAULT_OVERLAP_SECONDS)
                            .put("description", "How long the current key stays valid.")))
            .put("additionalProperties", false));
    schemas.put(
        "RotatedKey",
        Node.type("object")
            .put("required", List.of("clientId", "fingerprint"))
            .put(
                "properties",
                Node.of("clientId", text("The clientId, which does not change."))
                    .put("fingerprint", text("The fingerprint of the new key, which is live."))
                    .put(
                        "previousFingerprint",
                        text("The fingerprint of the other live key, if there is one."))
                    .put(
                        "previousEndsAt",
                        text("The time when the other key ends, if it has an end.")
                            .put("format", "date-time"))));
  }

  private static Node rotate() {
    Node responses =
        Node.of("200", answer("The key was live already, for example after a lost response."))
            .put("201", answer("The key is live now."));
    ProblemSchemas.addTo(responses, 400, 401, 403, 408, 409, 413, 415, 421, 422, 429, 500, 503);
    String permission = IntegrationRoutes.permission().toString();
    String label = PartnerProfile.REQUEST.label();
    return Node.of("operationId", "rotateKey")
        .put("tags", List.of("integrations"))
        .put("summary", "Registers a new key for the calling client.")
        .put(
            "description",
            "Requires the permission "
                + permission
                + ". Signature-Input and Signature must also contain a second signature with the"
                + " label "
                + PartnerProfile.NEXT_KEY_LABEL
                + ". It is made with the new private key over (\"@method\" \"@target-uri\""
                + " \"content-digest\" \"date\" \"signature\";key=\""
                + label
                + "\") and has the created and keyid of "
                + label
                + ", alg and tag=\""
                + PartnerProfile.NEXT_KEY_TAG
                + "\".")
        .put("x-permission", permission)
        .put("parameters", SignatureHeaders.ofRotation())
        .put(
            "requestBody",
            Node.of("required", true)
                .put("content", ListingOperations.json(Node.ref("schemas/NextKey"))))
        .put("responses", responses);
  }

  private static Node answer(String description) {
    return Node.of("description", description)
        .put(
            "headers",
            Node.of("X-Request-Id", Node.ref("headers/X-Request-Id"))
                .put("Idempotency-Replayed", Node.ref("headers/Idempotency-Replayed")))
        .put("content", ListingOperations.json(Node.ref("schemas/RotatedKey")));
  }

  private static Node text(String description) {
    return Node.type("string").put("description", description);
  }
}
