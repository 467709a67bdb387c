package dev.countersign.server.portal.clients;

import dev.countersign.server.access.directory.ClientReach;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.clients.Client;
import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.ListingCatalog;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Example calls for an integrator to copy. Each one requests the first page of a list.
 *
 * @param baseUrl the address of the service
 * @param target the path and query of the list
 * @param clientId the clientId, which contains no quotes and no backslash, so it is safe in single
 *     quotes for a shell and in double quotes for Java
 * @param keyFile the name of the file in which the portal saves the client's private key; it
 *     contains only letters, digits, {@code .}, {@code _} and {@code -}
 */
record FirstCalls(String baseUrl, String target, String clientId, String keyFile) {
  private static final int MAX_NAME_LENGTH = 60;

  /**
   * Returns the calls for the first listing that the client's roles may read; empty if there is
   * none. A listing of which the client sees nothing is the last choice.
   */
  static Optional<FirstCalls> of(
      Client client, ListingCatalog listings, ClientReach reach, String baseUrl) {
    Set<String> unseen =
        reach.unseen(client.roles(), client.attributes()).stream()
            .map(ClientReach.UnseenListing::path)
            .collect(Collectors.toSet());
    return listings.all().stream()
        .filter(listing -> mayRead(client, listing, reach.roles()))
        .min(Comparator.comparing(listing -> unseen.contains(listing.path())))
        .map(
            listing ->
                new FirstCalls(
                    baseUrl,
                    listing.path() + "?page=0&size=20",
                    client.clientId(),
                    keyFile(client.name())));
  }

  // The same name as in key-pair.js.
  private static String keyFile(String client) {
    String plain =
        client.strip().replaceAll("[^A-Za-z0-9._-]+", "-").replaceAll("^[-.]+|[-.]+$", "");
    String name = plain.substring(0, Math.min(MAX_NAME_LENGTH, plain.length()));
    return (name.isEmpty() ? "client" : name) + ".private.pem";
  }

  private static boolean mayRead(Client client, Listing listing, Roles roles) {
    return roles.permissionsOf(client.roles()).contains(listing.readPermission());
  }

  /** Returns the call with openssl and curl. */
  public String shell() {
    return String.format(
        Locale.ROOT,
        """
    #!/bin/sh
    # The first call of %1$s. PRIVATE_KEY is the file with the private key, in PEM:
    # %3$s if the portal made the key, NAME.key if `countersign keys generate` did.
    set -eu
    CLIENT_ID='%1$s'
    URL='%2$s'
    PRIVATE_KEY=${PRIVATE_KEY:-%3$s}

    fail() {
      echo "$1" >&2
      exit 1
    }

    [ -r "$PRIVATE_KEY" ] ||
      fail "the private key $PRIVATE_KEY cannot be read: set PRIVATE_KEY to its file"

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
    # A pipe hides the failure of openssl, which leaves the signature empty.
    signature=$(printf %%s "$base" | openssl dgst -sha256 -sign "$PRIVATE_KEY" 2>/dev/null |
      openssl base64 -A 2>/dev/null) || signature=
    [ -n "$signature" ] ||
      fail "openssl cannot sign with $PRIVATE_KEY: is it an RSA private key in PEM?"
    curl --silent --show-error --fail-with-body --globoff --path-as-is \\
      --header 'Accept: application/json' --header "Date: $date" \\
      --header "Signature-Input: sig=$params" --header "Signature: sig=:$signature:" "$URL"
    """,
        clientId,
        baseUrl + target,
        keyFile);
  }

  /** Returns the call with the command-line client. */
  public String commandLine() {
    return String.format(
        Locale.ROOT,
        """
    ./countersign call GET '%s' \\
      --base-url '%s' --client-id '%s' --key '%s'
    """,
        target,
        baseUrl,
        clientId,
        keyFile);
  }

  /** Returns the call with the client library. */
  public String java() {
    return String.format(
        Locale.ROOT,
        """
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
                    PrivateKeyFile.of(Path.of("%s")))
                .build();
        JsonNode page = client.get("%s", JsonNode.class);
        System.out.println(page);
      }
    }
    """,
        baseUrl,
        clientId,
        keyFile,
        target);
  }

  /** Returns the operator's command that shows the client. */
  public String operator() {
    return "countersign clients show '" + clientId + "'";
  }
}
