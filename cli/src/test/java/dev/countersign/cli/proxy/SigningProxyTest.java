package dev.countersign.cli.proxy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.countersign.cli.DeafPort;
import dev.countersign.cli.SharedRotatingService;
import dev.countersign.client.RequestSigner;
import dev.countersign.client.keys.KeySource;
import dev.countersign.protocol.BaseUrl;
import dev.countersign.server.RawRequest;
import dev.countersign.server.RawResponse;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SharedRotatingService
class SigningProxyTest {
  private static final String WALLETS = "/ledger/v1/wallets";

  private final BlockingQueue<String> log = new LinkedBlockingQueue<>();
  private TestService service;
  private RequestSigner signer;
  private SigningProxy proxy;

  @BeforeEach
  void open(TestService service, TestClient client) throws IOException {
    this.service = service;
    signer = RequestSigner.of(client.clientId(), KeySource.of(client.privateKey()));
    proxy = to(URI.create(service.url()));
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  private SigningProxy to(URI target) throws IOException {
    return SigningProxy.start(0, new BaseUrl(target), signer, Clock.systemUTC(), log::add);
  }

  @Test
  void get_unsigned_isSignedAndAnswered() throws InterruptedException {
    RawResponse answer = send("GET", WALLETS + "?size=2&sort=name,desc", "", "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.json().path("content").size()).isEqualTo(2);
    assertThat(answer.json().path("totalElements").asInt()).isGreaterThanOrEqualTo(25);
    assertThat(answer.header("x-request-id")).isNotEmpty();
    assertThat(logged()).matches("GET /ledger/v1/wallets\\?size=2&sort=name,desc 200 [0-9]+ ms");
  }

  @Test
  void post_withBody_isSignedWithItsDigest() {
    String body = "{\"name\":\"Größe\",\n\"currencyCode\":\"EUR\"}";
    RawResponse answer = send("POST", WALLETS, "Content-Type: application/json\r\n", body);
    assertThat(answer.status()).isEqualTo(201);
    assertThat(answer.body()).contains("Größe");
  }

  @Test
  void head_isAnsweredWithoutABody() {
    RawResponse answer = send("HEAD", WALLETS, "", "");
    assertThat(answer.status()).isEqualTo(200);
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void refusal_ofTheService_comesThroughAsItIs() {
    RawResponse answer = send("GET", WALLETS + "?pagesize=1", "", "");
    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.reason()).isEqualTo("parameter_unknown");
  }

  @Test
  void headers_thatAreMadeHere_areDroppedFromTheCaller() {
    String stale =
        "Date: Fri, 20 Nov 2020 19:02:55 GMT\r\nSignature: sig=:AAAA:\r\n"
            + "Signature-Input: sig=();created=1\r\nContent-Digest: sha-256=:AAAA:\r\n"
            + "Connection: keep-alive, X-Hop\r\nX-Hop: 1\r\nCookie: a=b\r\nTE: trailers\r\n";
    assertThat(send("GET", WALLETS, stale, "").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "evil.example, 403",
    "localhost.evil.example, 403",
    "localhost:1, 403",
    "'', 403",
    "127.0.0.1, 200",
    "LOCALHOST, 200",
    "[::1], 200",
  })
  void host_thatIsNotLoopback_isRefused(String host, int status) {
    RawResponse answer =
        RawRequest.send(proxy.port(), "GET " + WALLETS + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n");
    assertThat(answer.status()).isEqualTo(status);
    if (status == 403) {
      assertThat(answer.reason()).isEqualTo("caller_refused");
      assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
    }
  }

  @Test
  void host_missingOrTwice_isRefused() {
    assertThat(RawRequest.send(proxy.port(), "GET / HTTP/1.1\r\n\r\n").status()).isEqualTo(403);
    assertThat(send("GET", WALLETS, "Host: localhost\r\n", "").status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: https://evil.example",
        "Origin: null",
        "Origin: http://localhost:1",
        "Origin: https://localhost:PORT",
        "Referer: https://evil.example/page",
        "Referer: http://localhost:PORT.evil.example/",
        "Referer: http://localhost:1/",
        "Sec-Fetch-Site: cross-site",
        "Sec-Fetch-Site: same-site",
        "Sec-Fetch-Site: ",
      })
  void request_causedByAnotherPage_isRefused(String header) throws InterruptedException {
    String line = header.replace("PORT", String.valueOf(proxy.port())) + "\r\n";
    RawResponse answer = send("GET", WALLETS, line, "");
    assertThat(answer.status()).isEqualTo(403);
    assertThat(answer.json().path("detail").asString("")).contains("web page");
    assertThat(logged()).contains(" 403 caller_refused ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Origin: http://localhost:PORT",
        "Referer: http://localhost:PORT/page",
        "Sec-Fetch-Site: none",
        "Sec-Fetch-Site: same-origin",
      })
  void request_ofItsOwnOrigin_isTaken(String header) {
    String line = header.replace("PORT", String.valueOf(proxy.port())) + "\r\n";
    assertThat(send("GET", WALLETS, line, "").status()).isEqualTo(200);
  }

  @Test
  void target_inAbsoluteFormOrConnect_isRefused() {
    RawResponse absolute = send("GET", "http://localhost:" + proxy.port() + WALLETS, "", "");
    assertThat(absolute.status()).isEqualTo(403);
    assertThat(absolute.json().path("detail").asString("")).contains("not a forward proxy");
    assertThat(send("CONNECT", "localhost:443", "", "").status()).isNotEqualTo(200);
  }

  @Test
  void target_withTwoSlashes_staysAtTheService() {
    assertThat(send("GET", "//evil.example/x", "", "").status()).isIn(401, 404);
  }

  @Test
  void service_thatIsGone_isABadGateway() throws IOException {
    try (DeafPort port = DeafPort.open()) {
      proxy.close();
      proxy = to(URI.create(port.url()));

      RawResponse answer = send("GET", "/x", "", "");

      assertThat(answer.status()).isEqualTo(502);
      assertThat(answer.reason()).isEqualTo("connection_failed");
    }
  }

  /** Answers one request with a part of a body, and then does something else with its socket. */
  private static void answerInPart(ServerSocket server, Then then) {
    Thread.ofVirtual()
        .start(
            () -> {
              try (Socket socket = server.accept()) {
                socket.getInputStream().read(new byte[4096]);
                socket
                    .getOutputStream()
                    .write(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"
                            .getBytes(UTF_8));
                then.accept(socket);
              } catch (IOException closed) {
                return;
              }
            });
  }

  @FunctionalInterface
  private interface Then {
    void accept(Socket socket) throws IOException;
  }

  @Test
  void answer_thatIsCutOff_isNotPassedOnAsWhole() throws IOException, InterruptedException {
    try (ServerSocket half = new ServerSocket(0, 5, InetAddress.getByName("localhost"))) {
      answerInPart(half, Socket::close);
      proxy.close();
      proxy = to(URI.create("http://localhost:" + half.getLocalPort()));
      RawResponse answer = send("GET", "/x", "", "");
      assertThat(answer.body()).doesNotEndWith("0\r\n\r\n");
      assertThat(logged()).contains(" cut off ");
    }
  }

  @Test
  void answer_thatStalls_isCutOff() throws IOException, InterruptedException {
    try (ServerSocket stalling = new ServerSocket(0, 5, InetAddress.getByName("localhost"))) {
      // Sends nothing more, and returns when the proxy closes the connection.
      answerInPart(stalling, socket -> socket.getInputStream().readAllBytes());
      proxy.close();
      BaseUrl target = new BaseUrl(URI.create("http://localhost:" + stalling.getLocalPort()));
      proxy =
          SigningProxy.start(
              0,
              ForwardedRequest.to(target, signer).withReadTimeout(Duration.ofMillis(1)),
              Clock.systemUTC(),
              log::add);
      RawResponse answer = send("GET", "/x", "", "");
      assertThat(answer.body()).doesNotEndWith("0\r\n\r\n");
      assertThat(logged()).contains(" cut off ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "http://localhost:PORT/base/x?a=b, /x?a=b",
    "HTTP://LOCALHOST:PORT/base/x, /x",
    "//localhost:PORT/base/x, /x",
    "/base/x#top, /x#top",
    "/base/a%2Fb, /a%2Fb",
    "http://localhost:PORT/base/../admin, http://localhost:PORT/base/../admin",
    "http://localhost:PORT/base/x?a=/../b, /x?a=/../b",
    "/base/, /",
    "/base, /base",
    "/basement, /basement",
    "/base//evil.example/x, /base//evil.example/x",
    "x?a=b, x?a=b",
    "http://localhost:PORT/other, http://localhost:PORT/other",
    "https://localhost:PORT/base/x, https://localhost:PORT/base/x",
    "http://user@localhost:PORT/base/x, http://user@localhost:PORT/base/x",
    "http://other.example/base/x, http://other.example/base/x",
    "mailto:a@other.example, mailto:a@other.example",
    "/base/a b, /base/a b",
  })
  void location_belowTheTarget_leadsThroughTheProxy(String location, String passed)
      throws IOException {
    HttpServer moving =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String port = String.valueOf(moving.getAddress().getPort());
    moving.createContext(
        "/base/",
        exchange -> {
          exchange.getResponseHeaders().set("location", location.replace("PORT", port));
          exchange
              .getResponseHeaders()
              .set("link", "<" + location.replace("PORT", port) + ">; rel=\"next\", <>; rel=x");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    moving.start();
    try {
      proxy.close();
      proxy = to(URI.create("http://localhost:" + port + "/base"));
      var answer = send("GET", "/moved", "", "");
      assertThat(answer.header("location")).isEqualTo(passed.replace("PORT", port));
      assertThat(answer.header("link"))
          .isEqualTo("<" + passed.replace("PORT", port) + ">; rel=\"next\", <>; rel=x");
    } finally {
      moving.stop(0);
    }
  }

  @Test
  void answers_ofEveryShape_passAsTheyAre() throws IOException {
    HttpServer shapes =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    shapes.createContext(
        "/base/empty",
        exchange -> {
          exchange.sendResponseHeaders(204, -1);
          exchange.close();
        });
    shapes.createContext(
        "/base/moved",
        exchange -> {
          exchange.getResponseHeaders().set("Location", "/elsewhere");
          exchange.getResponseHeaders().set("set-cookie", "a=b");
          exchange.sendResponseHeaders(302, -1);
          exchange.close();
        });
    shapes.start();
    try {
      proxy.close();
      proxy = to(URI.create("http://localhost:" + shapes.getAddress().getPort() + "/base/"));
      assertThat(send("GET", "/empty", "", "").status()).isEqualTo(204);
      RawResponse moved = send("GET", "/moved", "", "");
      assertThat(moved.status()).isEqualTo(302);
      assertThat(moved.header("location")).isEqualTo("/elsewhere");
      assertThat(moved.headers()).doesNotContainKey("set-cookie");
    } finally {
      shapes.stop(0);
    }
  }

  @Test
  void addresses_areThoseOfThisMachineAlone() throws IOException {
    assertThat(proxy.addresses())
        .isNotEmpty()
        .allMatch(address -> address.getAddress().isLoopbackAddress());
    for (NetworkInterface network : NetworkInterface.networkInterfaces().toList()) {
      for (InetAddress address : network.inetAddresses().toList()) {
        if (!address.isLoopbackAddress()) {
          assertThatThrownBy(() -> new Socket(address, proxy.port()).close())
              .isInstanceOf(IOException.class);
        }
      }
    }
  }

  @Test
  void port_thatIsTaken_isAnError() throws IOException {
    assertThatThrownBy(
            () ->
                SigningProxy.start(
                        proxy.port(),
                        new BaseUrl(URI.create(service.url())),
                        signer,
                        Clock.systemUTC(),
                        log::add)
                    .close())
        .isInstanceOf(IOException.class);
  }

  /** Returns the only line of the log, which may be written after the response. */
  private String logged() throws InterruptedException {
    return Waits.forElement(log);
  }

  private RawResponse send(String method, String target, String headers, String body) {
    int length = body.getBytes(UTF_8).length;
    return RawRequest.send(
        proxy.port(),
        method
            + " "
            + target
            + " HTTP/1.1\r\nHost: localhost:"
            + proxy.port()
            + "\r\n"
            + headers
            + (length > 0 ? "Content-Length: " + length + "\r\n" : "")
            + "\r\n"
            + body);
  }
}
