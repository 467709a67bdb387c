package dev.countersign.client.rotation;

import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A process that rotates a key on request, and can be killed meanwhile. */
final class RotatingProcess implements AutoCloseable {
  private static final String THROUGH = "through";
  private static final Duration OVERLAP = Duration.ofMinutes(10);

  /** Longer than other waits, because a Java process starts in between and generates a key. */
  private static final Duration LIMIT = Waits.LIMIT.multipliedBy(3);

  private final Process process;
  private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
  private boolean ready;

  private RotatingProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "rotating-process");
    reader.setDaemon(true);
    reader.start();
  }

  /** Starts a process that uses the system's clock. */
  static RotatingProcess start(URI base, String clientId, Path keyFile) throws IOException {
    return start(List.of(base.toString(), clientId, keyFile.toString()));
  }

  /** Starts a process whose clock stands still. */
  static RotatingProcess startAt(Instant now, URI base, String clientId, Path keyFile)
      throws IOException {
    return start(List.of(base.toString(), clientId, keyFile.toString(), now.toString()));
  }

  private static RotatingProcess start(List<String> args) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    ProcessBuilder builder =
        new ProcessBuilder(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath());
    builder.command().addAll(TestLocale.options());
    builder.command().add(RotatingProcess.class.getName());
    builder.command().addAll(args);
    return new RotatingProcess(builder.redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Omits the native provider, which takes longer to load than a key takes to generate. */
  private static String classPath() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .filter(entry -> !entry.contains("AmazonCorretto"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /**
   * Arguments: base URI, clientId, key file, and the time if the clock stands still. Each line of
   * the input starts a rotation: {@code through}, or the step at which to wait for the end.
   */
  public static void main(String[] args) throws IOException {
    Clock clock =
        args.length < 4 ? Clock.systemUTC() : Clock.fixed(Instant.parse(args[3]), ZoneOffset.UTC);
    KeyRotation rotation =
        KeyRotation.of(URI.create(args[0]), args[1], Path.of(args[2]))
            .withPassphrase(KeyFolder.WORDS::toCharArray)
            .withClock(clock)
            .withOverlap(OVERLAP);
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    System.out.println("ready");
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      System.out.println(rotate(line, rotation));
    }
  }

  private static String rotate(String line, KeyRotation rotation) {
    try {
      return "rotated "
          + (line.equals(THROUGH) ? rotation : rotation.withListener(step -> wait(step, line)))
              .rotate()
              .fingerprint();
    } catch (RotationException e) {
      return e.getMessage();
    }
  }

  private static void wait(RotationStep step, String wanted) {
    if (step.name().equals(wanted)) {
      System.out.println("at " + step);
      try {
        Thread.sleep(Long.MAX_VALUE);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** Waits until it accepts requests to rotate, so that no rotation waits for a JVM to start. */
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

  /** Starts a rotation. */
  void rotate() throws IOException {
    tell(THROUGH);
  }

  /** Rotates the key up to a step, and waits until that step is reached. */
  void rotateTo(RotationStep step) throws IOException, InterruptedException {
    awaitReady();
    tell(step.name());
    String line = answer();
    if (!line.equals("at " + step)) {
      throw new IllegalStateException("the rotating process said: " + line);
    }
  }

  private void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  String answer() throws InterruptedException {
    String line = said.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
    return line == null ? "nothing within " + LIMIT : line;
  }

  /** Kills it as {@code kill -9} does, wherever it is. */
  void kill() throws InterruptedException {
    Waits.forExit(process.destroyForcibly());
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
    try {
      kill();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
