package dev.countersign.server.portal.clients;

import dev.countersign.server.access.Roles;
import dev.countersign.server.clients.Client;
import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.Listings;
import java.util.Optional;

/**
 * What an integrator runs first, whole and ready to be copied: the first page of a list.
 *
 * @param baseUrl where the service is reached
 * @param target the list, a path with its query
 * @param clientId in single quotes it is safe for a shell, in double ones for Java: it has neither
 *     quotes nor a backslash in it
 */
record FirstCalls(String baseUrl, String target, String clientId) {

  /**
   * For the first listing that the client's roles let it read; empty where they let it read none.
   */
  static Optional<FirstCalls> of(Client client, Listings listings, Roles roles, String baseUrl) {
    return listings.all().stream()
        .filter(listing -> mayRead(client, listing, roles))
        .findFirst()
        .map(
            listing ->
                new FirstCalls(baseUrl, listing.path() + "?page=0&size=20", client.clientId()));
  }

  private static boolean mayRead(Client client, Listing listing, Roles roles) {
    return roles.permissionsOf(client.roles()).contains(listing.readPermission());
  }

  /** With openssl and curl alone. */
  public String shell() {
    return """
    #!/bin/sh
    # The first call of %1$s. PRIVATE_KEY is the file with the private key, in PEM.
    set -eu
    CLIENT_ID='%1$s'
    URL='%2$s'
    PRIVATE_KEY=${PRIVATE_KEY:-private.pem}

    # One reading of the clock, so that created and Date are the same second.
    now=$(LC_ALL=C date -u '+%%s %%a, %%d %%b %%Y %%H:%%M:%%S GMT')
    created=${now%%%% *} date=${now#* }

    params="(\\"@method\\" \\"@target-uri\\" \\"date\\");created=$created"
    params="$params;keyid=\\"$CLIENT_ID\\";alg=\\"rsa-v1_5-sha256\\""
    base="\\"@method\\": GET
    \\"@target-uri\\": $URL
    \\"date\\": $date
    \\"@signature-params\\": $params"

    # RSASSA-PKCS1-v1_5 with SHA-256 over the base, which has no line feed at its end.
    signature=$(printf %%s "$base" | openssl dgst -sha256 -sign "$PRIVATE_KEY" | openssl base64 -A)
    curl --silent --show-error --fail-with-body --globoff --path-as-is \\
      --header 'Accept: application/json' --header "Date: $date" \\
      --header "Signature-Input: sig=$params" --header "Signature: sig=:$signature:" "$URL"
    """
        .formatted(clientId, baseUrl + target);
  }

  /** With our command line. */
  public String commandLine() {
    return """
    ./countersign call GET '%s' \\
      --base-url '%s' --client-id '%s' --key private.pem
    """
        .formatted(target, baseUrl, clientId);
  }

  /** With our library for callers. */
  public String java() {
    return """
    import dev.countersign.client.CountersignClient;
    import dev.countersign.client.keys.PrivateKeyFile;
    import java.net.URI;
    import java.nio.file.Path;
    import tools.jackson.databind.JsonNode;

    public class FirstCall {
      public static void main(String[] arguments) {
        CountersignClient client =
            CountersignClient.builder(
                    URI.create("%s"),
                    "%s",
                    PrivateKeyFile.of(Path.of("private.pem")))
                .build();
        JsonNode page = client.get("%s", JsonNode.class);
        System.out.println(page);
      }
    }
    """
        .formatted(baseUrl, clientId, target);
  }

  /** What an operator asks the service's own commands. */
  public String operator() {
    return "countersign clients show '" + clientId + "'";
  }
}
