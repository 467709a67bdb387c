package dev.countersign.server;

import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.NewClient;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.util.ArrayList;
import java.util.List;

/** A real service on a free port of this machine, as {@code serve} starts it. */
public final class TestService implements AutoCloseable {
  /** One pair for all tests: making a key takes longer than most of them. */
  public static final KeyPair KEYS = newKeyPair();

  /**
   * A setting under which {@link #registerRotating} works: roles of its own replace the built-in
   * ones.
   */
  public static final String ROTATING =
      "countersign.roles.rotator=ledger:wallets:read,ledger:wallets:create,integrations:keys:create";

  private final RunningService service;

  TestService(RunningService service) {
    this.service = service;
  }

  /**
   * Starts a service.
   *
   * @param wallets how many wallets to put into an empty database
   * @param settings such as {@code countersign.access.date=optional}
   */
  public static TestService start(Path data, int wallets, String... settings) {
    List<String> all = new ArrayList<>(List.of("server.port=0", "logging.level.countersign=warn"));
    all.addAll(List.of(settings));
    return new TestService(
        RunningService.start(
            new ServeOptions(data, wallets), Path.of(Configuration.DEFAULT_FILE), all));
  }

  static KeyPair newKeyPair() {
    KeyPairGenerator generator = CryptoProvider.jdk().keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  /** Registers a client with {@link #KEYS}, reachable from this machine, that may do everything. */
  public TestClient register() {
    return register("ledger-operator", "127.0.0.1", "::1");
  }

  /** Registers a client with a role and a whitelist; each time with a key of its own but once. */
  public TestClient register(String role, String... whitelist) {
    boolean first = service.part(ClientStore.class).list().isEmpty();
    KeyPair keys = first ? KEYS : newKeyPair();
    Client client =
        service
            .part(ClientStore.class)
            .add(
                new NewClient(
                    "Test",
                    List.of(whitelist),
                    List.of(role),
                    (RSAPublicKey) keys.getPublic(),
                    null));
    return new TestClient(port(), client.clientId(), keys.getPrivate());
  }

  /**
   * Registers a client that may do everything and rotate its own key as well; the service was
   * started with {@link #ROTATING}.
   */
  public TestClient registerRotating() {
    return register("rotator", "127.0.0.1", "::1");
  }

  /** A client that was registered by other means. */
  public TestClient client(String clientId, PrivateKey privateKey) {
    return new TestClient(port(), clientId, privateKey);
  }

  public <T> T part(Class<T> type) {
    return service.part(type);
  }

  public String url() {
    return service.localUrl();
  }

  public int port() {
    return Integer.parseInt(url().substring(url().lastIndexOf(':') + 1));
  }

  /** Where the portal is, without a slash at its end. */
  public String portalUrl() {
    return service.portalUrl().orElseThrow();
  }

  /** A link that makes the first administrator. */
  public String firstLink() {
    return service.firstLink().orElseThrow();
  }

  @Override
  public void close() {
    service.close();
  }
}
