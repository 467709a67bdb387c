package dev.countersign.release.faults;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;

/** A node of the release, whose clock can be shifted. */
final class Node extends Program {
  private final String host;
  private final int port;
  private final Path folder;
  private final Path clock;
  private final String command;
  private final Map<String, String> environment;
  private volatile long frozenUntil = System.nanoTime();

  /**
   * Prepares a node.
   *
   * @param work the folder with {@code clock_shift.so}, the library that shifts a clock
   * @param command the guide's command that starts a node
   */
  Node(Programs programs, int number, Path work, String command) throws IOException {
    super(programs, "node-" + number);
    this.host = "127.0.0.2" + number;
    // The portal of each node listens on the next port of 127.0.0.1.
    this.port = 8080 + 10 * (number - 1);
    this.folder = Files.createDirectories(work.resolve(name()));
    this.clock = folder.resolve("clock");
    this.command = command;
    setClock(Duration.ZERO);
    environment = new HashMap<>();
    environment.put("SERVER_ADDRESS", host);
    environment.put("SERVER_PORT", String.valueOf(port));
    environment.put("LD_PRELOAD", work.resolve("clock_shift.so").toString());
    environment.put("CLOCK_SHIFT", clock.toString());
    environment.put("COUNTERSIGN_CONFIG", folder.resolve("countersign.yaml").toString());
  }

  String authority() {
    return host + ":" + port;
  }

  URI url() {
    return URI.create("http://" + authority());
  }

  /** Writes the configuration, which applies from the next start. */
  void configure(String yaml) throws IOException {
    Files.writeString(folder.resolve("countersign.yaml"), yaml);
  }

  /** Starts the node and waits until it is ready. */
  void start() throws IOException, InterruptedException {
    String script =
        String.format(
            Locale.ROOT,
            "cd '%s'; exec %s",
            folder,
            command.strip().replace("/var/lib/countersign", "./data"));
    start(environment, this::probeReadiness, "sh", "-ec", script);
  }

  void awaitReady() throws InterruptedException {
    Programs.await(name() + " to be ready", this::probeReadiness);
  }

  /** Asks the node whether it is ready; no answer within 4 s means no. */
  boolean probeReadiness() {
    return probeReadiness(url());
  }

  /** Asks a node, or the balancer. */
  static boolean probeReadiness(URI url) {
    try {
      HttpURLConnection connection =
          (HttpURLConnection) url.resolve("/actuator/health/readiness").toURL().openConnection();
      connection.setConnectTimeout(2_000);
      connection.setReadTimeout(2_000);
      try {
        return connection.getResponseCode() == 200;
      } finally {
        connection.disconnect();
      }
    } catch (IOException notYet) {
      return false;
    }
  }

  @Override
  void freeze() throws IOException, InterruptedException {
    frozenUntil = Long.MAX_VALUE;
    super.freeze();
  }

  @Override
  void thaw() throws IOException, InterruptedException {
    super.thaw();
    frozenUntil = System.nanoTime();
  }

  /** Returns whether the node was frozen at a time of {@link System#nanoTime} or later. */
  boolean wasFrozenSince(long time) {
    long until = frozenUntil;
    return until == Long.MAX_VALUE || until - time > 0;
  }

  /** Sets how far the node's clock is ahead. */
  void setClock(Duration ahead) throws IOException {
    byte[] nanoseconds =
        ByteBuffer.allocate(Long.BYTES)
            .order(ByteOrder.nativeOrder())
            .putLong(ahead.toNanos())
            .array();
    // The node has mapped this file, so it must not be replaced.
    try (RandomAccessFile file = new RandomAccessFile(clock.toFile(), "rw")) {
      file.write(nanoseconds);
    }
  }
}
