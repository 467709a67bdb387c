package dev.countersign.server.openapi;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.server.integrations.IntegrationRoutes;
import java.util.List;

/** The operation that rotates a client's key. */
final class RotationPath {
  private RotationPath() {}

  static void addTo(Node paths) {
    paths.with(IntegrationRoutes.KEYS, Node.of("post", rotate()));
  }

  static void addSchemasTo(Node schemas) {
    schemas.with(
        "NextKey",
        Node.type("object")
            .with("required", List.of("publicKey"))
            .with(
                "properties",
                Node.of("publicKey", text("The new RSA public key in PEM. Never a private key."))
                    .with(
                        "overlapSeconds",
                        Node.type("integer")
                            .with("minimum", 1)
                            .with("maximum", IntegrationRoutes.LONGEST_OVERLAP_SECONDS)
                            .with("default", IntegrationRoutes.USUAL_OVERLAP_SECONDS)
                            .with("description", "How long the current key stays valid.")))
            .with("additionalProperties", false));
    schemas.with(
        "RotatedKey",
        Node.type("object")
            .with("required", List.of("clientId", "fingerprint"))
            .with(
                "properties",
                Node.of("clientId", text("The clientId, which does not change."))
                    .with("fingerprint", text("The fingerprint of the new key, which is live."))
                    .with(
                        "previousFingerprint",
                        text("The fingerprint of the other live key, if there is one."))
                    .with(
                        "previousEndsAt",
                        text("The time when the other key ends, if it has an end.")
                            .with("format", "date-time"))));
  }

  private static Node rotate() {
    Node responses =
        Node.of("200", answer("The key was live already, for example after a lost response."))
            .with("201", answer("The key is live now."));
    ProblemSchemas.addTo(responses, 400, 401, 403, 408, 409, 413, 415, 421, 422, 429, 500, 503);
    String permission = IntegrationRoutes.permission().toString();
    String label = PartnerProfile.REQUEST.label();
    return Node.of("operationId", "rotateKey")
        .with("tags", List.of("integrations"))
        .with("summary", "Registers a new key for the calling client.")
        .with(
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
        .with("x-permission", permission)
        .with("parameters", SignatureHeaders.ofRotation())
        .with(
            "requestBody",
            Node.of("required", true)
                .with("content", ListingOperations.json(Node.ref("schemas/NextKey"))))
        .with("responses", responses);
  }

  private static Node answer(String description) {
    return Node.of("description", description)
        .with(
            "headers",
            Node.of("X-Request-Id", Node.ref("headers/X-Request-Id"))
                .with("Idempotency-Replayed", Node.ref("headers/Idempotency-Replayed")))
        .with("content", ListingOperations.json(Node.ref("schemas/RotatedKey")));
  }

  private static Node text(String description) {
    return Node.type("string").with("description", description);
  }
}
