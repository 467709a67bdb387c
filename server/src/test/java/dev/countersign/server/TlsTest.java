package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.testing.Waits;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS with Spring's own settings: the target URI of a signature begins with https. */
@Tag("full")
class TlsTest {
  @TempDir private Path folder;

  @Test
  void list_overTls_isSignedForHttps() throws Exception {
    makeCertificate();
    Path config =
        Files.writeString(
            folder.resolve("tls.yaml"),
            String.format(
                Locale.ROOT,
                """
                server:
                  ssl:
                    certificate: file:%s/cert.pem
                    certificate-private-key: file:%s/key.pem
                """,
                folder,
                folder));
    Path data = folder.resolve("data");
    String clientId = new OperatorShell(folder, data).add(TestService.KEYS);
    try (CommandProcess service =
            CommandProcess.serve(folder, data, "--config", config.toString());
        HttpClient http = HttpClient.newBuilder().sslContext(trusting()).build()) {
      String url = service.url().orElseThrow() + "/ledger/v1/wallets";
      assertThat(url).startsWith("https://localhost:");
      TestClient client = new TestClient(service.port(), clientId, TestService.KEYS.getPrivate());

      assertThat(call(http, client, url, url).statusCode()).isEqualTo(200);

      HttpResponse<String> refused = call(http, client, url, url.replace("https:", "http:"));
      assertThat(refused.statusCode()).isEqualTo(401);
      assertThat(refused.body()).contains("signature_mismatch", "@target-uri\\\": https://");
    }
  }

  private static HttpResponse<String> call(
      HttpClient http, TestClient client, String url, String signedUrl) throws Exception {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url));
    RawRequest signed =
        client.signed("GET", URI.create(url).getPath()).withUrl(signedUrl).request();
    signed.without("Host").headers().forEach(request::header);
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private void makeCertificate() throws Exception {
    Process openssl;
    try {
      openssl =
          new ProcessBuilder(
                  List.of(
                      "openssl",
                      "req",
                      "-x509",
                      "-newkey",
                      "rsa:2048",
                      "-nodes",
                      "-days",
                      "2",
                      "-subj",
                      "/CN=localhost",
                      "-addext",
                      "subjectAltName=DNS:localhost",
                      "-keyout",
                      "key.pem",
                      "-out",
                      "cert.pem"))
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .start();
    } catch (java.io.IOException e) {
      assumeTrue(false, "openssl is not installed");
      return;
    }
    openssl.getInputStream().readAllBytes();
    assertThat(Waits.forExit(openssl)).isZero();
  }

  private SSLContext trusting() throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream certificate = Files.newInputStream(folder.resolve("cert.pem"))) {
      store.setCertificateEntry(
          "service", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
