package dev.countersign.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.countersign.cli.terminal.Environment;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.cli.terminal.InterruptibleInput;
import dev.countersign.cli.terminal.Interruption;
import dev.countersign.cli.terminal.SystemTerminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Runs the most common commands with a temporary key. They call a small service that this class
 * starts on the loopback interface. Java keeps the loaded classes in an archive (JEP 350), and
 * commands that use the archive start faster. The launcher tells Java which archive to use.
 */
final class CdsTraining {
  private static final String PATH = "/ledger/v1/wallets";
  private static final Pattern SIZE = Pattern.compile("[?&]size=(\\d+)");
  private static final String PAGE =
      """
      {"content":[{"id":"1","name":"Travel","currencyCode":"EUR"}],"pageable":{"offset":0,\
      "pageNumber":0,"pageSize":SIZE,"paged":true,"unpaged":false,"sort":{"empty":true,\
      "sorted":false,"unsorted":true}},"sort":{"empty":true,"sorted":false,"unsorted":true},\
      "totalElements":1,"totalPages":1,"number":0,"size":SIZE,"numberOfElements":1,"first":true,\
      "last":true,"empty":false}\
      """;

  private final Path folder;
  private final String baseUrl;
  private final Interruption interruption;

  private CdsTraining(Path folder, String baseUrl, Interruption interruption) {
    this.folder = folder;
    this.baseUrl = baseUrl;
    this.interruption = interruption;
  }

  /** Throws an exception if a command fails, because an archive of half the classes is useless. */
  public static void main(String[] args) throws IOException {
    Interruption interruption = Interruption.watch();
    Path folder = Files.createTempDirectory("countersign-rehearsal");
    HttpServer service =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    service.createContext("/", CdsTraining::answer);
    service.start();
    try {
      String address = InetAddress.getLoopbackAddress().getHostAddress();
      String baseUrl = "http://" + address + ":" + service.getAddress().getPort();
      new CdsTraining(folder, baseUrl, interruption).runCommands();
    } finally {
      interruption.markEnded();
      service.stop(0);
      delete(folder);
    }
  }

  private static void answer(HttpExchange exchange) throws IOException {
    Matcher size = SIZE.matcher(exchange.getRequestURI().toString());
    byte[] page = PAGE.replace("SIZE", size.find() ? size.group(1) : "20").getBytes(UTF_8);
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, page.length);
    exchange.getResponseBody().write(page);
    exchange.close();
  }

  private void runCommands() {
    run("--version");
    run("--help");
    run("call", "--help");
    run("list", "--help");
    String key = folder.resolve("rehearsal").toString();
    run("keys", "generate", "--out", key);
    run("keys", "inspect", key + ".key");
    run(ExitCode.USAGE, "list", "--no-such-option");
    for (List<String> words :
        List.of(
            List.of("sign", "GET", PATH),
            List.of("call", "GET", PATH),
            List.of("call", "POST", PATH, "-d", "{\"name\":\"Travel\",\"currencyCode\":\"EUR\"}"),
            List.of("list", PATH, "--all", "--format", "json"),
            List.of("list", PATH, "--format", "table"))) {
      Stream<String> connection =
          Stream.of("--base-url", baseUrl, "--client-id", "cl-rehearsal", "--key", key + ".key");
      run(Stream.concat(words.stream(), connection).toArray(String[]::new));
    }
  }

  private void run(String... words) {
    run(ExitCode.OK, words);
  }

  private void run(ExitCode expected, String... words) {
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    Environment environment =
        new Environment(
            Map.of("COUNTERSIGN_CONFIG_FILE", folder.resolve("config").toString()),
            () -> folder,
            Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC),
            new InterruptibleInput(InputStream.nullInputStream()),
            OutputStream.nullOutputStream(),
            err,
            new SystemTerminal(),
            interruption);
    int exit = Countersign.run(environment, words);
    if (exit != expected.code()) {
      throw new IllegalStateException(
          String.join(" ", words) + " ended with exit code " + exit + ": " + err.toString(UTF_8));
    }
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
