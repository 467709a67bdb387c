package dev.countersign.signatures.httpclient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.countersign.signatures.contract.NaiveRequest;
import dev.countersign.signatures.contract.WireMessage;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The signed URI is the URI that a server builds from HttpClient's request. */
class SentUriTest {

  @ParameterizedTest
  @CsvSource({
    "'', /",
    "?a, /?a",
    "/a#fragment, /a",
    "/a?b#, /a?b",
    "/\u00e9?\u00e9=\u00e9, /%C3%A9?%C3%A9=%C3%A9",
    "/e\u0301, /%C3%A9",
    "/\u20ac\ud83d\ude00, /%E2%82%AC%F0%9F%98%80",
    "/%e9\u00e9%2f, /%e9%C3%A9%2f",
  })
  void targetUri_inWhateverSpelling_isAsOnTheWire(String given, String target) throws Exception {
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest request = HttpClients.request(server.url() + given).build();
      HttpClients.PLAIN.send(request, BodyHandlers.discarding());

      assertThat(new NaiveRequest("http", server.request()).requestTarget()).isEqualTo(target);
      assertThat(HttpClientRequest.of(request).targetUri()).isEqualTo(server.url() + target);
      assertThat(SentUri.of(request.uri())).hasToString(server.url() + target);
    }
  }

  /** Sent to a proxy, because the hosts do not exist. */
  @ParameterizedTest
  @CsvSource({
    "http://api.example/a, http://api.example/a",
    "http://API.Example/a, http://API.Example/a",
    "http://api.example:8080/a, http://api.example:8080/a",
    "http://[2001:DB8::1]/a, http://[2001:DB8::1]/a",
    "http://[::1]:8080/a, http://[::1]:8080/a",
    "http://api.example:80/a, http://api.example/a",
    "http://api.example:/a, http://api.example/a",
    "http://api.example:08080/a, http://api.example:8080/a",
    "http://user:secret@api.example/a, http://api.example/a",
    "HTTP://api.example/a, http://api.example/a",
    "http://api.example/a?, http://api.example/a",
  })
  void of_anyAuthority_isAsInTheHost(String given, String sent) throws Exception {
    URI uri = SentUri.of(URI.create(given));

    assertThat(uri).hasToString(sent);
    assertThat(hostSentFor(uri)).isEqualTo(uri.getRawAuthority());
    assertThat(hostSentFor(URI.create(given))).isEqualTo(uri.getRawAuthority());
  }

  private static String hostSentFor(URI uri) throws Exception {
    try (RawServer proxy = RawServer.answering(RawServer.OK)) {
      HttpClient client =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_1_1)
              .proxy(ProxySelector.of(new InetSocketAddress("localhost", proxy.port())))
              .build();
      client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding());
      WireMessage request = proxy.request();
      return request.values("host").get(0);
    }
  }

  /** HTTP/1.1 and HTTP/2 differ for these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://api.example:80/a",
        "https://api.example:443/a",
        "https://api.example:/a",
        "https://api.example:08443/a",
        "https://user:secret@api.example/a",
        "HTTPS://api.example/a",
        "https://api.example/a?",
      })
  void targetUri_sentInTwoWays_isRefusedWithTheOneToUse(String given) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(given)).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpClientRequest.of(request).targetUri())
        .withMessageEndingWith("use " + SentUri.of(request.uri()))
        .withMessageNotContaining("secret");
  }

  @Test
  void targetUri_optionsWithoutPath_isRefused() {
    HttpRequest.Builder options =
        HttpRequest.newBuilder().method("OPTIONS", BodyPublishers.noBody());
    HttpRequest server = options.uri(URI.create("https://api.example")).build();
    HttpRequest path = options.uri(URI.create("https://api.example/")).build();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> HttpClientRequest.of(server).targetUri())
        .withMessageEndingWith("use https://api.example/");
    assertThat(HttpClientRequest.of(path).targetUri()).isEqualTo("https://api.example/");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a", "ftp://api.example/", "mailto:a@b.example", "https:///a"})
  void of_noHttpUri_isRefused(String uri) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> SentUri.of(URI.create(uri)))
        .withMessageContaining("http(s)://");
  }
}
