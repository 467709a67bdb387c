package dev.countersign.server.openapi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.pagination.PageLinks;
import dev.countersign.server.listings.Listing;
import java.net.URI;
import java.util.List;

/**
 * The interface in <a href="https://spec.openapis.org/oas/v3.1.1.html">OpenAPI 3.1</a>: the
 * configured listings, the rotation of keys, all refusals, and the header fields of the signature.
 *
 * <p>Anybody may read the document: it reveals neither the software behind the interface nor other
 * URLs of the service.
 *
 * @param listings the listings
 * @param dateRequired whether signatures must cover Date
 * @param pageable whether page envelopes have the member {@code pageable}
 */
public record OpenApiDocument(List<Listing> listings, boolean dateRequired, boolean pageable) {
  /** The version of the interface. It changes only when callers must change their programs. */
  private static final String VERSION = "1";

  public OpenApiDocument {
    listings = List.copyOf(listings);
  }

  /** Returns the document as YAML in UTF-8, without a URL of the service. */
  public byte[] toYaml() {
    return toYaml(Node.of("url", "/").put("description", "The server that sent this document."));
  }

  /** Returns the document as YAML in UTF-8, for callers who use this URL. */
  public byte[] toYaml(URI publicUrl) {
    return toYaml(Node.of("url", publicUrl.toString()));
  }

  private byte[] toYaml(Node server) {
    return YamlWriter.write(root(server).map()).getBytes(UTF_8);
  }

  private Node root(Node server) {
    return Node.of("openapi", "3.1.0")
        .put("info", info())
        .put("servers", List.of(server))
        .put("security", List.of(Node.of(SignatureHeaders.SCHEME, List.of())))
        .put("paths", paths())
        .put("components", components());
  }

  private Node info() {
    return Node.of("title", "Countersign")
        .put("version", VERSION)
        .put(
            "description",
            "Lists for partners. Every request must be signed with the client's RSA key (HTTP"
                + " Message Signatures, RFC 9421). HEAD is a GET without the response body."
                + " Unknown query parameters are refused.");
  }

  private Node paths() {
    Node paths = Node.empty();
    listings.forEach(listing -> new ListingOperations(listing).addTo(paths));
    RotationPath.addTo(paths);
    return paths;
  }

  private Node components() {
    Node schemas = Node.empty();
    listings.forEach(listing -> new ListingSchemas(listing).addTo(schemas));
    PageSchemas.addTo(schemas, pageable);
    RotationPath.addSchemasTo(schemas);
    schemas.put("Problem", ProblemSchemas.schema());
    return Node.of("schemas", schemas)
        .put("responses", ProblemSchemas.responses())
        .put("parameters", SignatureHeaders.parameters(dateRequired))
        .put("headers", headers())
        .put("securitySchemes", SignatureHeaders.schemes());
  }

  private static Node headers() {
    return Node.of(
            "X-Request-Id", header("The id of the request; quote it when you ask the operator."))
        .put(
            "Link",
            header(
                "The URLs of the first, prev, next and last page (RFC 8288); of the last one not"
                    + " with totals=none, and of prev and last not with after. The relation "
                    + PageLinks.CURSOR_RELATION
                    + " leads to the next page by a cursor."))
        .put("Location", header("The URL of the new record."))
        .put("Idempotency-Replayed", header("true if this answer repeats the first one."))
        .put("Deprecation", header("The time from which the version is deprecated (RFC 9745)."))
        .put("Sunset", header("The time when the version will be removed (RFC 8594)."));
  }

  private static Node header(String description) {
    return Node.of("description", description).put("schema", Node.type("string"));
  }
}
