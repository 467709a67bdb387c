package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Behind a trusted proxy and with public URLs: the address that counts, and the URL that is signed.
 */
class OriginTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static TestService service;
  private static TestClient partner;

  @BeforeAll
  static void start(@TempDir Path data) {
    service =
        TestService.start(
            data,
            3,
            "countersign.access.trusted-proxies=127.0.0.1,::1,10.0.0.0/8",
            "countersign.access.date=optional",
            "countersign.errors.signature-base=false",
            "countersign.public-urls=https://api.example.com,https://partners.example.com/prefix/,"
                + "http://plain.example.com:8081,http://local.example.com:80");
    partner = service.register("ledger-viewer", "203.0.113.0/24", "2001:db8::/32");
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  private static TestRequest get(String url) {
    return partner.signed("GET", WALLETS).withUrl(url + WALLETS);
  }

  private static RawRequest from(String forwardedFor) {
    return get("https://api.example.com")
        .request()
        .with("Host", "api.example.com")
        .with("X-Forwarded-For", forwardedFor);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "203.0.113.7",
        "203.0.113.7, 10.1.2.3",
        "203.0.113.7, 10.1.2.3, 127.0.0.1",
        "198.51.100.1, 203.0.113.7",
        "nonsense, 203.0.113.7",
        "203.0.113.7,10.1.2.3",
        "2001:db8::7",
        "::ffff:203.0.113.7",
        "203.0.113.7:51234",
        "[2001:db8::7]:443",
        "[2001:db8::7]",
        ", 203.0.113.7",
      })
  void forwardedFor_lastUntrustedIsListed_isLetIn(String chain) {
    RawResponse response = from(chain).send();

    assertThat(response.status()).as(response.body()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "198.51.100.1",
        "203.0.113.7, 198.51.100.1",
        "203.0.113.7, 198.51.100.1, 10.1.2.3",
        "10.1.2.3",
        "2001:db9::7",
        "",
        ",",
      })
  void forwardedFor_lastUntrustedIsNotListed_is403(String chain) {
    assertThat(from(chain).send().reason()).isEqualTo("address_not_allowed");
  }

  @Test
  void forwardedFor_missing_isTheProxyItself() {
    assertThat(from("").without("X-Forwarded-For").send().reason())
        .isEqualTo("address_not_allowed");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "203.0.113.7,",
        "unknown",
        "localhost",
        "203.0.113.999",
        "203.0.113.07",
        "fe80::1%eth0",
        "203.0.113.7, nonsense, 10.1.2.3",
      })
  void forwardedFor_malformed_is400(String chain) {
    RawResponse response = from(chain).send();

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.reason()).isEqualTo("request_malformed");
  }

  @Test
  void forwardedFor_overTwoLines_isOneChain() {
    String text =
        from("203.0.113.7")
            .text()
            .replace(
                "X-Forwarded-For: 203.0.113.7\r\n",
                "X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-For: 198.51.100.1\r\n");

    assertThat(RawRequest.send(service.port(), text).reason()).isEqualTo("address_not_allowed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"gopher", "", "https,", "http, https"})
  void forwardedProto_withPublicUrls_isNotRead(String scheme) {
    assertThat(from("203.0.113.7").with("X-Forwarded-Proto", scheme).send().status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "https://api.example.com, api.example.com",
    "https://api.example.com:443, api.example.com:443",
    "https://API.Example.COM, API.Example.COM",
    "https://partners.example.com/prefix, partners.example.com",
    "https://partners.example.com:443/prefix, partners.example.com:443",
    "http://plain.example.com:8081, plain.example.com:8081",
    "http://local.example.com, local.example.com",
    "http://local.example.com:80, local.example.com:80",
  })
  void publicUrl_asTheCallerSpelledIt_isWhatIsSigned(String url, String host) {
    RawResponse response =
        get(url).request().with("Host", host).with("X-Forwarded-For", "203.0.113.7").send();

    assertThat(response.status()).as(response.body()).isEqualTo(200);
    assertThat(response.header("link")).contains("<" + url + WALLETS);
  }

  @ParameterizedTest
  @CsvSource({
    "https://api.example.com, api.example.com:443",
    "https://api.example.com:443, api.example.com",
    "http://api.example.com, api.example.com",
    "https://api.example.com, API.example.com",
    "https://partners.example.com, partners.example.com",
    "https://partners.example.com/Prefix, partners.example.com",
  })
  void publicUrl_spelledOtherwise_isNotWhatWasSigned(String url, String host) {
    RawResponse response =
        get(url).request().with("Host", host).with("X-Forwarded-For", "203.0.113.7").send();

    assertThat(response.reason()).isEqualTo("signature_mismatch");
    assertThat(response.json().has("signatureBase")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "example.com",
        "api.example.com.",
        "api.example.com:80",
        "api.example.com:",
        "plain.example.com",
        "evil.example",
        "127.0.0.1",
        "[::1]",
      })
  void host_unknown_is421(String host) {
    RawResponse response = from("203.0.113.7").with("Host", host).send();

    assertThat(response.status()).as(response.body()).isEqualTo(421);
    assertThat(response.reason()).isEqualTo("host_unknown");
  }

  @Test
  void date_optionalAndNotCovered_isTakenWithAnyDateOrNone() {
    RawRequest request =
        get("https://api.example.com")
            .without("date")
            .request()
            .with("Host", "api.example.com")
            .with("X-Forwarded-For", "203.0.113.7");

    assertThat(request.send().status()).isEqualTo(200);
    assertThat(request.with("Date", "Mon, 01 Jan 2024 00:00:00 GMT").send().status())
        .isEqualTo(200);
    assertThat(request.with("Date", "nonsense").send().status()).isEqualTo(200);
  }

  @Test
  void date_optional_isNowhereAskedFor() {
    RawResponse refused =
        from("203.0.113.7")
            .with("Signature-Input", "sig=();created=1;keyid=\"a\";alg=\"rsa-v1_5-sha256\"")
            .send();
    String components = "(\"@method\" \"@target-uri\")";
    assertThat(refused.reason()).isEqualTo("components_wrong");
    assertThat(refused.json().path("expected").asString()).isEqualTo(components);
    assertThat(refused.json().path("detail").asString()).contains("must cover " + components);
    assertThat(refused.header("accept-signature")).startsWith("sig=" + components);
  }

  @Test
  void date_optionalAndCovered_isStillChecked() {
    assertThat(from("203.0.113.7").send().status()).isEqualTo(200);
    assertThat(from("203.0.113.7").with("date", "nonsense").send().reason())
        .isEqualTo("date_malformed");
    assertThat(from("203.0.113.7").without("date").send().reason()).isEqualTo("date_missing");
  }
}
