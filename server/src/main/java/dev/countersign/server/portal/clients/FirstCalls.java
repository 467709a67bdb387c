package dev.countersign.server.portal.clients;

import dev.countersign.server.access.Roles;
import dev.countersign.server.clients.Client;
import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.Listings;
import java.util.Optional;

/**
 * What an integrator runs first, whole and ready to be copied: the first page of a list.
 *
 * @param url the list
 * @param clientId in single quotes it is safe for a shell, in double ones for Java: it has neither
 *     quotes nor a backslash in it
 */
record FirstCalls(String url, String clientId) {

  /**
   * For the first listing that the client's roles let it read; empty where they let it read none.
   */
  static Optional<FirstCalls> of(Client client, Listings listings, Roles roles, String baseUrl) {
    return listings.all().stream()
        .filter(listing -> mayRead(client, listing, roles))
        .findFirst()
        .map(
            listing ->
                new FirstCalls(baseUrl + listing.path() + "?page=0&size=20", client.clientId()));
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
        .formatted(clientId, url);
  }

  /** With the library of signatures. */
  public String java() {
    return """
        import dev.countersign.signatures.MessageSigner;
        import dev.countersign.signatures.SignatureAlgorithm;
        import dev.countersign.signatures.SignatureProfile;
        import dev.countersign.signatures.SigningKey;
        import dev.countersign.signatures.httpclient.HttpRequestSigner;
        import dev.countersign.signatures.keys.CryptoProvider;
        import dev.countersign.signatures.keys.RsaPrivateKeys;
        import java.net.URI;
        import java.net.http.HttpClient;
        import java.net.http.HttpRequest;
        import java.net.http.HttpResponse;
        import java.nio.file.Path;
        import java.time.Instant;

        public class FirstCall {
          public static void main(String[] arguments) throws Exception {
            CryptoProvider crypto = CryptoProvider.jdk();
            SigningKey key =
                new SigningKey(
                    "%s",
                    SignatureAlgorithm.RSA_V1_5_SHA256,
                    RsaPrivateKeys.readFile(Path.of("private.pem"), crypto),
                    crypto);
            HttpRequestSigner signer =
                new HttpRequestSigner(new MessageSigner(SignatureProfile.SIGNED_DATE, key), crypto);

            HttpRequest request =
                HttpRequest.newBuilder(
                        URI.create("%s"))
                    .build();
            HttpResponse<String> response =
                HttpClient.newHttpClient()
                    .send(
                        signer.sign(request, Instant.now()),
                        HttpResponse.BodyHandlers.ofString());
            System.out.println(response.statusCode() + " " + response.body());
          }
        }
        """
        .formatted(clientId, url);
  }

  /** What an operator asks the service's own commands. */
  public String operator() {
    return "countersign clients show '" + clientId + "'";
  }
}
