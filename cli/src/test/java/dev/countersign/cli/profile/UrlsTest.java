package dev.countersign.cli.profile;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlsTest {
  @ParameterizedTest
  @CsvSource({
    "http://api.example.com/x, true",
    "HTTP://127.0.0.1.example.com, true",
    "http://localhost.example.com, true",
    "https://api.example.com, false",
    "http://localhost:8080, false",
    "http://LOCALHOST, false",
    "http://127.0.0.1, false",
    "http://[::1]:8080, false",
  })
  void open_isHttpToAnotherMachine(String url, boolean open) {
    assertThat(Urls.isOpen(Urls.base(url))).isEqualTo(open);
  }
}
