package dev.countersign.server;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A key and a certificate for localhost, created with keytool, and a client that trusts it. */
public record TestCertificate(Path keyStore) {
  private static final String PASSWORD = "of-a-test";

  /** Creates a certificate in this directory. */
  public static TestCertificate make(Path directory) throws IOException, InterruptedException {
    Path keyStore = Files.createDirectories(directory).resolve("localhost.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keystore",
                keyStore.toString(),
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-alias",
                "service",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=dns:localhost")
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes());
    if (Waits.forExit(keytool) != 0) {
      throw new IllegalStateException(said);
    }
    return new TestCertificate(keyStore);
  }

  /** The settings of a service with this certificate. */
  public List<String> settings() {
    return List.of(
        "server.ssl.key-store=file:" + keyStore,
        "server.ssl.key-store-password=" + PASSWORD,
        "server.ssl.key-store-type=PKCS12");
  }

  /** Trusts only this certificate. */
  public SSLContext trusting() throws GeneralSecurityException, IOException {
    KeyStore own = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(keyStore)) {
      own.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("service", own.getCertificate("service"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
