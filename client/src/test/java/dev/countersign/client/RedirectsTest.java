package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The target of a Location: a URL of the same origin, or none. */
class RedirectsTest {

  private static Optional<URI> target(String from, String location) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(from)).build();
    HttpHeaders headers = HttpHeaders.of(Map.of("location", List.of(location)), (n, v) -> true);
    return Redirects.next(request, 302, headers).map(HttpRequest::uri);
  }

  /** RFC 3986 section 5.2.3: an authority without a path is not part of a name. */
  @ParameterizedTest
  @CsvSource({
    "http://api.example, b, http://api.example/b",
    "http://api.example, .evil.example/b, http://api.example/.evil.example/b",
    "http://api.example:8, 0/b, http://api.example:8/0/b",
    "http://api.example?q=1, b, http://api.example/b",
    "http://api.example/a/, b, http://api.example/a/b",
    "http://api.example/a, HTTP://API.example:80/b, HTTP://API.example:80/b"
  })
  void next_insideTheOrigin_isTheAddressThere(String from, String location, String expected) {
    assertThat(target(from, location)).contains(URI.create(expected));
  }

  @ParameterizedTest
  @CsvSource({
    "http://api.example, //api.example.evil/",
    "http://api.example, http://api.example:8/",
    "http://api.example, https://api.example/",
    "http://api.example/, http:b",
    "http://api.example/, mailto:a@b"
  })
  void next_elsewhere_isNowhere(String from, String location) {
    assertThat(target(from, location)).isEmpty();
  }
}
