package dev.countersign.server;

import dev.countersign.server.access.NodeFitness;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.app.RunningService;
import dev.countersign.server.app.ServeOptions;
import dev.countersign.server.clients.ClientRegistry;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.NewClient;
import dev.countersign.server.config.Configuration;
import dev.countersign.server.demo.WalletSeed;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.MigratedFiles;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.awaitility.Awaitility;

/**
 * A real service on a free port of this machine, started like {@code serve}. There are three kinds:
 *
 * <ul>
 *   <li>Shared: a test that does not start, stop or empty anything uses the service of all tests
 *       with the same settings, by {@link SharedService} or {@link #shared(String...)}.
 *   <li>Its own: {@link #start} starts one that the test may change, break and stop.
 *   <li>Nodes: {@link SharedNodes} are two on one database of PostgreSQL, and {@link #startNode}
 *       starts more.
 * </ul>
 *
 * <p>A test of the settings that {@link #start} adds uses {@link #startAsConfigured}, and a test of
 * the options of {@code serve} the constructor.
 *
 * <p>A test that needs another process, such as one that is killed, starts a {@link
 * CommandProcess}.
 */
public final class TestService implements AutoCloseable {
  /** The fastest provider of this machine, which the service uses too. */
  public static final CryptoProvider CRYPTO = CryptoProvider.best(said -> {});

  /** A setting that saves most tests the portal's own web server. */
  private static final String PORTAL_BESIDE_API = "countersign.portal.port=api";

  /** A key pair for clients that are not registered with {@link #register}. */
  public static final KeyPair KEYS = newKeyPair();

  /**
   * A setting under which clients may rotate their own keys; its roles replace the built-in ones.
   */
  public static final String ROTATING =
      "countersign.roles.rotator=ledger:wallets:read,ledger:wallets:create,integrations:keys:create";

  /** A role that may only read, next to {@link #ROTATING}. */
  public static final String READING = "countersign.roles.reader=ledger:wallets:read";

  /** A setting under which the tests are a proxy that the service trusts. */
  public static final String PROXIED =
      "countersign.access.trusted-proxies=127.0.0.1,::1,203.0.113.0/24";

  private final RunningService service;
  private final boolean shared;

  TestService(RunningService service) {
    this(service, false);
  }

  private TestService(RunningService service, boolean shared) {
    this.service = service;
    this.shared = shared;
  }

  /**
   * The service with these settings that the tests of this JVM share, for cases where {@link
   * SharedService} cannot name them: because they are known only at run time, or a test needs a
   * second service.
   */
  public static TestService shared(String... settings) {
    return SharedServices.get(settings);
  }

  /**
   * Starts a service.
   *
   * @param wallets how many wallets to put into an empty database
   * @param settings such as {@code countersign.access.date=optional}
   */
  public static TestService start(Path data, int wallets, String... settings) {
    List<String> all = new ArrayList<>(List.of("logging.level.countersign=warn"));
    all.addAll(List.of(settings));
    return startAsConfigured(data, wallets, withDefaults(data, all));
  }

  /**
   * Starts a node on a database that other nodes may share.
   *
   * @param data the node's own directory
   * @param database a database of PostgreSQL; with SQLite, the node uses the file in its directory
   */
  public static TestService startNode(
      Path data, StoreSettings database, int wallets, String... settings) {
    List<String> all = new ArrayList<>(settingsOf(database));
    all.addAll(List.of(settings));
    return start(data, wallets, all.toArray(String[]::new));
  }

  /** The settings of a node on this database. */
  static List<String> settingsOf(StoreSettings database) {
    return database.url() == null
        ? List.of()
        : List.of(
            "spring.datasource.url=" + database.url(),
            "spring.datasource.username=" + database.user());
  }

  /** Starts a service with exactly these settings. */
  static TestService startAsConfigured(Path data, int wallets, List<String> settings) {
    return new TestService(run(data, wallets, settings));
  }

  /** Starts a service that {@link #close} does not stop. */
  static TestService startShared(Path data, List<String> settings) {
    return new TestService(run(data, 0, withDefaults(data, settings)), true);
  }

  /**
   * Returns the settings with those of most tests. On SQLite, the tables of an empty data directory
   * need no migration. The portal shares the port of the API, which is a free one, unless the
   * settings say something about the port of either.
   */
  private static List<String> withDefaults(Path data, List<String> settings) {
    if (!isOnPostgresql(settings)) {
      MigratedFiles.copyTo(data);
    }
    List<String> all = new ArrayList<>(settings);
    if (settings.stream().noneMatch(each -> each.startsWith("server.port="))) {
      all.add("server.port=0");
    }
    if (settings.stream()
        .noneMatch(each -> each.matches("countersign\\.portal\\.(port|address)=.*"))) {
      all.add(PORTAL_BESIDE_API);
    }
    return all;
  }

  private static RunningService run(Path data, int wallets, List<String> settings) {
    return RunningService.start(
        new ServeOptions(data, wallets), Path.of(Configuration.DEFAULT_FILE), settings);
  }

  static boolean isOnPostgresql(Collection<String> settings) {
    return settings.stream().anyMatch(setting -> setting.contains("jdbc:postgresql"));
  }

  /** Another key pair, made by the fastest provider of this machine. */
  public static KeyPair newKeyPair() {
    KeyPairGenerator generator = CRYPTO.keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  /**
   * Registers a client that may do everything and can call from this machine. With {@link
   * #ROTATING} this includes rotating its own key.
   */
  public TestClient register() {
    return register(newKeyPair());
  }

  /** Registers a client as {@link #register()} does, with this key pair. */
  public TestClient register(KeyPair keys) {
    boolean rotating = service.part(Roles.class).names().contains("rotator");
    return register(keys, rotating ? "rotator" : "ledger-operator", "127.0.0.1", "::1");
  }

  /** Registers a client with a role, a whitelist and its own key. */
  public TestClient register(String role, String... whitelist) {
    return register(newKeyPair(), role, whitelist);
  }

  private TestClient register(KeyPair keys, String role, String... whitelist) {
    NewClient client =
        new NewClient(
            "Test", List.of(whitelist), List.of(role), (RSAPublicKey) keys.getPublic(), null);
    String clientId = service.part(ClientStore.class).add(client).clientId();
    // The store waits only 2 s until the registry has read the client.
    ClientRegistry registry = service.part(ClientRegistry.class);
    if (registry.find(clientId).isEmpty()) {
      Awaitility.await().until(() -> registry.find(clientId).isPresent());
    }
    return new TestClient(port(), clientId, keys.getPrivate());
  }

  /**
   * Waits until the access path knows all changes of clients made up to now. The store and {@link
   * ClientRegistry#refresh} wait only 2 s for that. On PostgreSQL this takes up to a second.
   */
  public void awaitClients() {
    NodeFitness fitness = service.part(NodeFitness.class);
    long start = fitness.now();
    Awaitility.await()
        .pollDelay(Duration.ZERO)
        .until(
            () -> {
              service.part(ClientRegistry.class).refresh();
              return fitness.asOf() - start >= 0;
            });
  }

  /**
   * Registers a client as {@link #register} does, on a service that was started with {@link
   * #ROTATING}.
   */
  public TestClient registerRotating() {
    return register("rotator", "127.0.0.1", "::1");
  }

  /** A client that was registered in another way. */
  public TestClient client(String clientId, PrivateKey privateKey) {
    return new TestClient(port(), clientId, privateKey);
  }

  /** Empties the table of wallets and fills it with demo wallets. */
  public void fillWallets(int count) {
    Database database = part(Database.class);
    database.write(sql -> sql.sql("DELETE FROM wallets").update());
    new WalletSeed(database).fill(count);
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

  /** The URL of the portal, without a trailing slash. */
  public String portalUrl() {
    return service.portalUrl().orElseThrow();
  }

  int metricsPort() {
    return service.metricsPort().orElseThrow();
  }

  /** A link that creates the first administrator. */
  public String firstLink() {
    return service.firstLink().orElseThrow();
  }

  boolean hasFirstLink() {
    return service.firstLink().isPresent();
  }

  /** Stops the service, unless it is shared. */
  @Override
  public void close() {
    if (!shared) {
      stop();
    }
  }

  void stop() {
    service.close();
  }
}
