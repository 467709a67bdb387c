package dev.countersign.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaseUrlTest {
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
    assertThat(new BaseUrl(URI.create(url)).isOpen()).isEqualTo(open);
  }
}
