package dev.countersign.sdk;

import dev.countersign.client.rotation.KeyRotation;
import dev.countersign.client.rotation.RotationException;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A process that rotates a key each time it is told to, and can be killed while it does. */
final class RotatingProcess implements AutoCloseable {
  private static final Duration OVERLAP = Duration.ofMinutes(10);
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private boolean ready;

  private RotatingProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "rotating-process");
    reader.setDaemon(true);
    reader.start();
  }

  static RotatingProcess start(String baseUri, String clientId, Path keyFile) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        List.of(
            java,
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-cp",
            classPath(),
            RotatingProcess.class.getName(),
            baseUri,
            clientId,
            keyFile.toString());
    return new RotatingProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Without the native provider, which takes longer to load than a key takes to make. */
  private static String classPath() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .filter(entry -> !entry.contains("AmazonCorretto"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Arguments: base URI, clientId, key file; each line of the input is a rotation. */
  public static void main(String[] args) throws IOException {
    KeyRotation rotation =
        KeyRotation.of(URI.create(args[0]), args[1], Path.of(args[2])).withOverlap(OVERLAP);
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    while (input.readLine() != null) {
      try {
        System.out.println("rotated " + rotation.rotate().fingerprint());
      } catch (RotationException e) {
        System.out.println(e.getMessage());
      }
    }
  }

  /** Waits until it can be told to rotate, so that no rotation waits for a JVM to start. */
  RotatingProcess awaitReady() throws InterruptedException {
    if (!ready) {
      String line = answer();
      if (!line.equals("ready")) {
        throw new IllegalStateException("the rotating process said: " + line);
      }
      ready = true;
    }
    return this;
  }

  void rotate() throws IOException {
    process.getOutputStream().write('\n');
    process.getOutputStream().flush();
  }

  String answer() throws InterruptedException {
    String line = said.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    return line == null ? "nothing within " + PATIENCE : line;
  }

  /** Ends it as {@code kill -9} does, wherever it is. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      while (line != null) {
        said.add(line);
        line = lines.readLine();
      }
    } catch (IOException e) {
      said.add("ended: " + e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
