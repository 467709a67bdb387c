package dev.countersign.server.openapi;

import java.util.ArrayList;
import java.util.List;

/** The header fields of a signed request, as parameters and as a security scheme. */
final class SignatureHeaders {
  /** The name of the security scheme. */
  static final String SCHEME = "messageSignature";

  private SignatureHeaders() {}

  /**
   * Returns the parameters by name, for the components of the document.
   *
   * @param dateRequired whether the service refuses signatures that do not cover Date
   */
  static Node parameters(boolean dateRequired) {
    return Node.empty()
        .put("Date", date(dateRequired))
        .put(
            "Content-Digest",
            header(
                "Content-Digest",
                true,
                "The SHA-256 of the body's bytes (RFC 9530); covered by the signature.",
                "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:"))
        .put(
            "Signature-Input",
            header(
                "Signature-Input",
                true,
                "The covered components, in this order: @method, @target-uri, content-digest if"
                    + " there is a body, date, idempotency-key if it is sent; then created, keyid"
                    + " (the clientId) and alg.",
                "sig=(\"@method\" \"@target-uri\" \"date\");created=1795201375;keyid=\"…\""
                    + ";alg=\"rsa-v1_5-sha256\""))
        .put(
            "Signature",
            header(
                "Signature",
                true,
                "RSASSA-PKCS1-v1_5 with SHA-256 over the signature base (RFC 9421), in base64"
                    + " between colons.",
                "sig=:…:"))
        .put(
            "Idempotency-Key",
            header(
                    "Idempotency-Key",
                    false,
                    "Makes a retry safe: the same key with the same request gets the first answer"
                        + " again, for 24 hours. Covered by the signature if it is sent.",
                    "order-4711")
                .put("schema", Node.type("string").put("minLength", 1).put("maxLength", 255)));
  }

  private static Node date(boolean required) {
    return header(
        "Date",
        required,
        "The same second as created, as an HTTP date in English and GMT; covered by the signature.",
        "Fri, 20 Nov 2026 19:02:55 GMT");
  }

  private static Node header(String name, boolean required, String description, String example) {
    return Node.of("name", name)
        .put("in", "header")
        .put("required", required)
        .put("description", description)
        .put("schema", Node.type("string"))
        .put("example", example);
  }

  /** Returns references to the parameters of a request without a body. */
  static List<Object> ofBodiless() {
    return refs("Date", "Signature-Input", "Signature");
  }

  /** Returns references to the parameters of a request with a body. */
  static List<Object> ofBody() {
    return refs("Content-Digest", "Date", "Signature-Input", "Signature", "Idempotency-Key");
  }

  /**
   * Returns the parameters of a rotation. Date is required, because the second signature always
   * covers it.
   */
  static List<Object> ofRotation() {
    List<Object> parameters =
        refs("Content-Digest", "Signature-Input", "Signature", "Idempotency-Key");
    parameters.add(date(true));
    return parameters;
  }

  private static List<Object> refs(String... names) {
    List<Object> refs = new ArrayList<>();
    for (String name : names) {
      refs.add(Node.ref("parameters/" + name));
    }
    return refs;
  }

  /**
   * Returns the security scheme.
   *
   * <p>Design note: OpenAPI 3.1 has no scheme for message signatures; {@code apiKey} comes closest.
   */
  static Node schemes() {
    return Node.of(
        SCHEME,
        Node.of("type", "apiKey")
            .put("in", "header")
            .put("name", "Signature")
            .put(
                "description",
                "Every request must be signed separately (HTTP Message Signatures, RFC 9421) with"
                    + " the client's RSA private key; no secret is ever sent. The parameters Date,"
                    + " Content-Digest, Signature-Input and Signature form the signature, and the"
                    + " signed URL must be the called URL."));
  }
}
