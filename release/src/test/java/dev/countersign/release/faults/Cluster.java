package dev.countersign.release.faults;

import dev.countersign.signatures.keys.RsaPublicKeys;
import dev.countersign.testing.CommitProxy;
import dev.countersign.testing.TcpProxy;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Three nodes behind HAProxy, on a primary with a synchronous standby, set up by the blocks of the
 * guide. Between each node and each database there is a proxy that can fail.
 *
 * <p>The first node reaches the databases through proxies that can also cut a commit, the second
 * directly, and the third through PgBouncer, whose target follows the primary as a virtual address
 * would. Hosts of the guide are addresses of the loopback network.
 */
final class Cluster implements AutoCloseable {
  /** The age that a node's knowledge of the clients may have. */
  static final Duration REGISTRY_LIMIT = Duration.ofSeconds(6);

  static final String PAYMENTS = "/ledger/v1/payments";
  private static final String PUBLIC_URL = "https://api.example.com";
  private static final String BALANCER = "127.0.0.31:8080";
  private static final String BOUNCER = "127.0.0.13";
  private static final String BOTH = "db1.internal:5432,db2.internal:5432";
  private static final String DATA = "/var/lib/postgresql/15/main";

  private static final String BOUNCER_SETTINGS =
      """
      [databases]
      countersign = host=127.0.0.1 port=%d
      [pgbouncer]
      listen_addr = %s
      listen_port = 6432
      unix_socket_dir =
      auth_type = scram-sha-256
      auth_file = %s
      pool_mode = transaction
      default_pool_size = 30
      query_wait_timeout = 8
      server_connect_timeout = 3
      server_login_retry = 1
      """;

  private final Path work;
  private final Guide guide;
  private final Programs programs;
  private final List<Node> nodes = new ArrayList<>();
  private final List<TcpProxy> links = new ArrayList<>();
  private final List<CommitProxy> commits = new ArrayList<>();
  private final AtomicInteger clients = new AtomicInteger();
  private TcpProxy bouncerLink;
  private final Program bouncer;
  private volatile Postgres primary;
  private volatile Postgres standby;

  private Cluster(Path work, Path release, Path source) throws IOException {
    this.work = work;
    this.guide = Guide.read(source.resolve("docs/operating.md"));
    this.programs =
        new Programs(
            Files.createDirectories(work.resolve("logs")),
            Map.of(
                "PATH",
                release + ":" + System.getenv("PATH"),
                "JAVA_HOME",
                System.getProperty("java.home"),
                "COUNTERSIGN_JAVA_OPTS",
                "-Xmx256m -XX:+UseSerialGC",
                "COUNTERSIGN_ACCESS_REGISTRYLIMIT",
                REGISTRY_LIMIT.toSeconds() + "s",
                "PGPASSWORD",
                UUID.randomUUID().toString(),
                "SPRING_DATASOURCE_PASSWORD",
                UUID.randomUUID().toString(),
                "REPLICATION_PASSWORD",
                UUID.randomUUID().toString(),
                "COUNTERSIGN_CONFIG",
                work.resolve("operator.yaml").toString()));
    this.bouncer = new Program(programs, "pgbouncer");
    this.primary = postgres("db1", "127.0.0.11");
    this.standby = postgres("db2", "127.0.0.12");
  }

  private Postgres postgres(String name, String host) {
    return new Postgres(programs, work.resolve("databases"), name, host);
  }

  /**
   * Runs the guide from one node to three.
   *
   * @param work an empty folder, in which {@code databases} belongs to PostgreSQL's user
   * @param release the unpacked release
   * @param source the root of the source tree
   */
  static Cluster start(Path work, Path release, Path source)
      throws IOException, InterruptedException {
    Cluster cluster = new Cluster(work, release, source);
    try {
      cluster.startOneNode();
      cluster.addStandby();
      cluster.awaitSynchronous();
      cluster.startThreeNodes();
      cluster.startBalancer();
      cluster.awaitCalm();
      return cluster;
    } catch (IOException | InterruptedException | RuntimeException e) {
      cluster.close();
      throw e;
    }
  }

  private void startOneNode() throws IOException, InterruptedException {
    primary.create();
    configure(primary);
    primary.start();
    primary.run(guide.block("database"));
    for (int number = 1; number <= 3; number++) {
      nodes.add(new Node(programs, number, work, guide.block("node")));
    }
    nodes.getFirst().configure(inPlace(guide.block("one node")));
    nodes.getFirst().start();
  }

  private void configure(Postgres server) throws IOException {
    server.configure(
        guide.block("postgresql.conf"),
        Guide.replace(guide.block("pg_hba.conf"), "10.0.0.0/24", "127.0.0.0/8"));
  }

  private void startThreeNodes() throws IOException, InterruptedException {
    // HAProxy connects from this loopback address.
    String yaml = Guide.replace(guide.block("three nodes"), "10.0.0.5", "127.0.0.1");
    yaml = Guide.replace(yaml, PUBLIC_URL, publicUrl());
    Files.writeString(work.resolve("operator.yaml"), inPlace(yaml));
    for (Postgres database : List.of(primary, standby)) {
      CommitProxy commit = new CommitProxy(database.address());
      commits.add(commit);
      links.add(TcpProxy.to(commit.port()));
    }
    for (Postgres database : List.of(primary, standby)) {
      links.add(TcpProxy.to(database.address()));
    }
    bouncerLink = TcpProxy.to(primary.address());
    links.add(bouncerLink);
    startBouncer();
    nodes.get(0).configure(Guide.replace(yaml, BOTH, hosts(0, 1)));
    nodes.get(1).configure(Guide.replace(yaml, BOTH, hosts(2, 3)));
    nodes
        .get(2)
        .configure(
            Guide.replace(
                Guide.replace(yaml, BOTH, BOUNCER + ":6432"),
                "?targetServerType=primary",
                "?prepareThreshold=0"));
    nodes.getFirst().end("TERM");
    for (Node node : nodes) {
      node.start();
    }
    String listed = programs.shell(inPlace(guide.block("ready")));
    if (listed.lines().filter(line -> line.contains(" running ")).count() < 3) {
      throw new IllegalStateException("three nodes must be running, were: " + listed);
    }
  }

  private String hosts(int first, int second) {
    return String.format(
        Locale.ROOT,
        "127.0.0.1:%d,127.0.0.1:%d",
        links.get(first).port(),
        links.get(second).port());
  }

  /** Starts PgBouncer, which waits a shorter time for a connection than a node for an answer. */
  void startBouncer() throws IOException, InterruptedException {
    Path folder = work.resolve("databases");
    Path users = folder.resolve("users.txt");
    programs.shellOfDatabase(
        "umask 077; printf '\"countersign\" \"%s\"\\n' \"$SPRING_DATASOURCE_PASSWORD\" >'"
            + users
            + "'");
    Path file =
        Files.writeString(
            folder.resolve("pgbouncer.ini"),
            String.format(Locale.ROOT, BOUNCER_SETTINGS, bouncerLink.port(), BOUNCER, users));
    bouncer.start(Map.of(), () -> true, Programs.ofDatabase("pgbouncer", file.toString()));
  }

  void killBouncer() throws IOException, InterruptedException {
    bouncer.kill();
  }

  private void startBalancer() throws IOException, InterruptedException {
    String configuration =
        Guide.replace(
            guide.block("haproxy.cfg"),
            "bind :443 ssl crt /etc/haproxy/api.pem alpn h2,http/1.1",
            "bind " + BALANCER);
    configuration = Guide.replace(configuration, "Host api.example.com", "Host " + BALANCER);
    Path file = Files.writeString(work.resolve("haproxy.cfg"), inPlace(configuration));
    new Program(programs, "haproxy")
        .start(
            Map.of(),
            () -> Node.probeReadiness(balancer()),
            "haproxy",
            "-db",
            "-f",
            file.toString());
  }

  /** Returns a text of the guide with the addresses of this machine. */
  private String inPlace(String text) {
    String replaced =
        text.replace("db1.internal", "127.0.0.11").replace("db2.internal", "127.0.0.12");
    for (int i = 0; i < nodes.size(); i++) {
      replaced = replaced.replace("node-" + (i + 1) + ".internal:8080", nodes.get(i).authority());
    }
    return replaced;
  }

  /** Makes a server that has ended, or a new one, the synchronous standby of the primary. */
  void addStandby() throws IOException, InterruptedException {
    standby.empty();
    String copy = Guide.replace(guide.block("standby"), "db1.internal", primary.host());
    standby.run(Guide.replace(copy, DATA, standby.data().toString()));
    configure(standby);
    standby.start();
    waitForStandby();
  }

  /** Lets the primary wait for its standby before it acknowledges a commit. */
  void waitForStandby() throws IOException, InterruptedException {
    primary.run(guide.block("synchronous"));
  }

  /** Lets the primary acknowledge commits without its standby. */
  void workAlone() throws IOException, InterruptedException {
    primary.run(guide.block("alone"));
  }

  /** Makes the standby the primary, and leaves the old one without a role. */
  void promote() throws IOException, InterruptedException {
    String promoted = standby.run(guide.block("promote"));
    if (!promoted.endsWith("\nt\n")) {
      throw new IOException("the standby was not promoted: " + promoted);
    }
    Postgres old = primary;
    primary = standby;
    standby = old;
    bouncerLink.redirect(primary.address());
    bouncerLink.cut();
  }

  Postgres primary() {
    return primary;
  }

  Postgres standby() {
    return standby;
  }

  List<Node> nodes() {
    return nodes;
  }

  /** Returns the proxies between the nodes or PgBouncer and the databases. */
  List<TcpProxy> links() {
    return links;
  }

  /** Returns the proxies, for both databases, that can cut a commit of the first node. */
  List<CommitProxy> commits() {
    return commits;
  }

  /** Returns the URL that partners sign. */
  String publicUrl() {
    return "http://" + BALANCER;
  }

  URI balancer() {
    return URI.create(publicUrl());
  }

  /** Registers a client that may read and create payments. */
  Caller register() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    KeyPair key = generator.generateKeyPair();
    Path pem = work.resolve("client-" + clients.incrementAndGet() + ".pem");
    Files.writeString(pem, RsaPublicKeys.toPem(key.getPublic()));
    String added =
        programs.run(
            "countersign",
            "countersign",
            "clients",
            "add",
            "--name",
            pem.getFileName().toString(),
            "--public-key",
            pem.toString(),
            "--allow",
            "127.0.0.0/8",
            "--role",
            "payer");
    return new Caller(added.lines().findFirst().orElseThrow(), key.getPrivate(), publicUrl());
  }

  /** Disables a client; tries again while the database cannot be reached. */
  void disable(Caller client) throws InterruptedException {
    change("disable", client);
  }

  void enable(Caller client) throws InterruptedException {
    change("enable", client);
  }

  private void change(String command, Caller client) throws InterruptedException {
    Programs.await(
        command + " of a client, see " + programs.log("countersign"),
        () -> {
          try {
            programs.run("countersign", "countersign", "clients", command, client.clientId());
            return true;
          } catch (IOException notYet) {
            return false;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /** Waits until the standby is synchronous and all nodes are ready. */
  void awaitCalm() throws InterruptedException {
    awaitSynchronous();
    for (Node node : nodes) {
      node.awaitReady();
    }
  }

  private void awaitSynchronous() throws InterruptedException {
    Programs.await(
        "a synchronous standby",
        () -> {
          try {
            return primary.query("SELECT sync_state FROM pg_stat_replication").equals("sync");
          } catch (SQLException notYet) {
            return false;
          }
        });
  }

  @Override
  public void close() {
    programs.close();
    links.forEach(TcpProxy::close);
    for (CommitProxy commit : commits) {
      try {
        commit.close();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
