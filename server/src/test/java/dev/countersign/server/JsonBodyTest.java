package dev.countersign.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signed bodies that are not the required JSON: the response is 422, and nothing is stored. */
@SharedService(wallets = 0)
class JsonBodyTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  private static void assertInvalid(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(422);
    assertThat(response.reason()).isEqualTo("body_invalid");
    assertThat(response.json().path("errors").size()).isPositive();
    assertThat(response.body().length()).isLessThan(8_000);
    assertThat(client.get(WALLETS).send().json().path("totalElements").asInt()).isZero();
  }

  static Stream<String> bodies() {
    return Stream.of(
        "{}",
        "{\"name\":\"A\"}",
        "{\"currencyCode\":\"EUR\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\",\"colour\":\"red\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\",\"id\":\"1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\",\"createdAt\":\"2026-11-20T00:00:00Z\"}",
        "{\"name\":\"A\",\"name\":\"B\",\"currencyCode\":\"EUR\"}",
        "{\"name\":\"A\",\"n\\u0061me\":\"B\",\"currencyCode\":\"EUR\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\",\"x\":1,\"x\":2}",
        "{\"name\":1,\"currencyCode\":\"EUR\"}",
        "{\"name\":true,\"currencyCode\":\"EUR\"}",
        "{\"name\":null,\"currencyCode\":\"EUR\"}",
        "{\"name\":[\"A\"],\"currencyCode\":\"EUR\"}",
        "{\"name\":{\"a\":\"A\"},\"currencyCode\":\"EUR\"}",
        "{\"name\":\"A\",\"currencyCode\":978}",
        "{\"name\":\"A\",\"currencyCode\":\"eur\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EU\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\\n\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\",\"status\":\"GONE\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\",\"status\":\"active\"}",
        "{\"name\":\"" + "a".repeat(121) + "\",\"currencyCode\":\"EUR\"}",
        "{\"name\":\"a\\u0000b\",\"currencyCode\":\"EUR\"}",
        "{\"name\":\"a\\ud800b\",\"currencyCode\":\"EUR\"}",
        "{\"name\":\"a\\udc00\\ud800b\",\"currencyCode\":\"EUR\"}",
        "{\"name\":\"a\u0001b\",\"currencyCode\":\"EUR\"}",
        "{\"name\":\"a\\x\",\"currencyCode\":\"EUR\"}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\"",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\",}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\"}}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\"}{}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\"} trailing",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\"},",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\"}\u0000",
        "{'name':'A','currencyCode':'EUR'}",
        "{name:\"A\",currencyCode:\"EUR\"}",
        "{\"name\":\"A\",/* c */\"currencyCode\":\"EUR\"}",
        "{\"name\":\"A\",\"currencyCode\":NaN}",
        "{\"name\":\"A\",\"currencyCode\":\"EUR\",\"n\":01}",
        "\uFEFF{\"name\":\"A\",\"currencyCode\":\"EUR\"}",
        "[]",
        "[{\"name\":\"A\",\"currencyCode\":\"EUR\"}]",
        "null",
        "true",
        "1",
        "\"text\"",
        " ",
        "\n",
        "<name>A</name>",
        "name=A&currencyCode=EUR",
        "[".repeat(10_000),
        "{\"a\":".repeat(10_000),
        "{\"x\":" + "[".repeat(10_000) + "]".repeat(10_000) + "}",
        "{\"x\":" + "9".repeat(100_000) + "}",
        "{\"x\":1e999999999}",
        "{\"x\":1.0E-2147483649}",
        "{\"" + "a".repeat(100_000) + "\":1}",
        "{\"name\":\"" + "\\u0041".repeat(20_000) + "\"}",
        Stream.iterate(0, i -> i + 1)
            .limit(5_000)
            .map(i -> "\"a" + i + "\":" + i)
            .collect(Collectors.joining(",", "{", "}")));
  }

  @ParameterizedTest
  @MethodSource("bodies")
  void body_thatIsNoWallet_isRefusedAndNothingStored(String body) {
    assertInvalid(client.post(WALLETS, body).send());
  }

  /**
   * In hexadecimal: an overlong slash, lone surrogates, UTF-16 with and without a byte order mark.
   */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "7b226e616d65223a22ff227d",
        "7b226e616d65223a22c0af227d",
        "7b226e616d65223a22eda080227d",
        "7b226e616d65223a22e282227d",
        "7b226e616d65223a22f4908080227d",
        "7b007d00",
        "fffe7b007d00",
        "feff007b007d",
        "00",
        "80",
      })
  void body_notUtf8_isRefusedAndNothingStored(String hex) throws IOException {
    byte[] body = HexFormat.of().parseHex(hex);
    StringBuilder head = new StringBuilder("POST " + WALLETS + " HTTP/1.1\r\n");
    SignableRequest.of("POST", service.url() + WALLETS, Instant.now())
        .withBody(body, CryptoProvider.jdk())
        .signedHeaders(client.signer())
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Host: localhost:").append(service.port());
    head.append("\r\nContent-Type: application/json\r\nContent-Length: ");
    head.append(body.length).append("\r\n\r\n");
    try (RawConnection connection = new RawConnection(service.port())) {
      connection.send(head.toString().getBytes(ISO_8859_1)).send(body);

      assertInvalid(connection.read());
    }
  }

  @Test
  void problems_several_areAllToldAndNoValueIs() {
    String body = "{\"name\":7,\"currencyCode\":\"secret-value\",\"colour\":\"red\"}";

    RawResponse response = client.post(WALLETS, body).send();

    assertInvalid(response);
    assertThat(response.json().path("errors").size()).isEqualTo(3);
    assertThat(response.body()).doesNotContain("secret-value");
  }

  @Test
  void create_withParameters_isRefused() {
    assertThat(
            client
                .post(WALLETS + "?dryRun=true", "{\"name\":\"A\",\"currencyCode\":\"EUR\"}")
                .send()
                .reason())
        .isEqualTo("parameter_unknown");
  }
}
