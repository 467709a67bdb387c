package dev.countersign.server.access.network;

import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublicUrlsTest {
  @ParameterizedTest
  @CsvSource({
    "https://admin:s3cret@api.example.com, https://…",
    "https://s3cret@api.example.com/prefix, https://…",
    "https://admin:12/s3cret@api.example.com?a, https://…",
    "https://api.example.com?token=s3cret, https://api.example.com?…",
    "https://api.example.com/?to=a@s3cret, https://…",
    "https://api.example.com/#s3cret, https://api.example.com/#…",
    "ftp://admin:s3cret@api.example.com, ftp://…",
    "mailto:admin:s3cret@api.example.com, mailto:…",
    "//admin:s3cret@api.example.com, //…",
    "ftp://api.example.com/prefix, ftp://api.example.com/prefix",
  })
  void of_urlNotAllowed_isShownWithoutSecrets(String url, String shown) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PublicUrls.of(List.of(URI.create(url))))
        .withMessage(
            "public-urls: "
                + shown
                + " must be http(s)://host[:port][/prefix] without user, query or fragment");
  }
}
