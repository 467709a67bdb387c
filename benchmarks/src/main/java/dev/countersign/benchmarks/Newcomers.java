package dev.countersign.benchmarks;

import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Measures how long clients that have not called before wait for their first page. */
public final class Newcomers {
  private static final String TARGET = "/ledger/v1/wallets?page=0&size=20";

  private Newcomers() {}

  /**
   * Lets all clients call at once. A client that receives status 503 calls again after one second,
   * as the header {@code Retry-After} asks, until it has its page. Prints how many clients were
   * served, and the longest wait.
   *
   * @param args the service's URL, the number of seconds after which a client gives up, {@code
   *     together} if all clients call from 127.0.0.1 or {@code apart} if each calls from its own
   *     /24, and the clientId and the file of the private key of each client
   */
  public static void main(String[] args) throws Exception {
    if (args.length < 5 || args.length % 2 == 0) {
      throw new IllegalArgumentException(
          "give URL, seconds, together or apart, and the clientId and private key file of each");
    }
    Duration patience = Duration.ofSeconds(Long.parseLong(args[1]));
    boolean together = args[2].equals("together");
    List<String> clients = Arrays.asList(args).subList(3, args.length);
    List<Future<Optional<Duration>>> waits = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < clients.size(); i += 2) {
        MessageSigner signer =
            PresignedRequests.signer(clients.get(i), Path.of(clients.get(i + 1)));
        String address = together ? "127.0.0.1" : "127.0." + (i / 2 + 1) + ".1";
        waits.add(threads.submit(() -> waitForPage(args[0], signer, address, patience)));
      }
    }
    print(waits);
  }

  /** Returns how long the client waited; empty if it gave up. */
  private static Optional<Duration> waitForPage(
      String url, MessageSigner signer, String address, Duration patience)
      throws IOException, InterruptedException {
    Instant began = Instant.now();
    try (HttpClient http =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .localAddress(InetAddress.getByName(address))
            .build()) {
      while (Duration.between(began, Instant.now()).compareTo(patience) < 0) {
        int status = http.send(signed(url, signer), BodyHandlers.discarding()).statusCode();
        if (status == 200) {
          return Optional.of(Duration.between(began, Instant.now()));
        }
        if (status != 503) {
          throw new IllegalStateException("the service answered with " + status);
        }
        Thread.sleep(Duration.ofSeconds(1));
      }
    }
    return Optional.empty();
  }

  private static HttpRequest signed(String url, MessageSigner signer) {
    HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(url + TARGET));
    SignableRequest.of("GET", url + TARGET, Instant.now())
        .signedHeaders(signer)
        .forEach(
            (name, value) -> {
              if (!name.equalsIgnoreCase("Host")) { // the client writes it
                request.header(name, value);
              }
            });
    return request.build();
  }

  private static void print(List<Future<Optional<Duration>>> waits)
      throws ExecutionException, InterruptedException {
    int served = 0;
    Duration longest = Duration.ZERO;
    for (Future<Optional<Duration>> each : waits) {
      Optional<Duration> wait = each.get();
      if (wait.isPresent()) {
        served++;
        longest = wait.get().compareTo(longest) > 0 ? wait.get() : longest;
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%d of %d served, the last after %.1f s%n",
        served,
        waits.size(),
        longest.toMillis() / 1e3);
  }
}
