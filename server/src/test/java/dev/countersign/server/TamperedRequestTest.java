package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.Base64;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that was changed after signing does not verify. */
@SharedService
class TamperedRequestTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  private static void assertMismatch(RawResponse response) {
    assertThat(response.status()).as(response.body()).isEqualTo(401);
    assertThat(response.reason()).isEqualTo("signature_mismatch");
  }

  @Test
  void signature_anyBitFlipped_isRefused() throws IOException {
    RawRequest good = client.get(WALLETS + "?size=1");
    String encoded = good.header("Signature").replaceAll("sig=:(.*):", "$1");
    byte[] signature = Base64.getDecoder().decode(encoded);
    for (int octet = 0; octet < signature.length; octet++) {
      try (RawConnection connection = new RawConnection(service.port())) {
        for (int bit = 0; bit < 8; bit++) {
          byte[] flipped = signature.clone();
          flipped[octet] ^= (byte) (1 << bit);
          String text = Base64.getEncoder().encodeToString(flipped);
          connection.send(good.with("Signature", "sig=:" + text + ":").text());
          assertMismatch(connection.read());
        }
      }
    }
    assertThat(good.send().status()).isEqualTo(200);
  }

  @Test
  void signature_shorterOrLonger_isRefused() {
    RawRequest good = client.get(WALLETS);
    String encoded = good.header("Signature").replaceAll("sig=:(.*):", "$1");
    byte[] signature = Base64.getDecoder().decode(encoded);
    assertThat(good.with("Signature", "sig=::").send().reason()).isEqualTo("signature_malformed");
    for (int length : new int[] {1, 128, 255, 257, 512, 4096}) {
      String other = Base64.getEncoder().encodeToString(Arrays.copyOf(signature, length));
      assertMismatch(good.with("Signature", "sig=:" + other + ":").send());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "POST", "DELETE", "get", "OPTIONS"})
  void method_changed_isRefused(String method) {
    RawResponse response = client.get(WALLETS).withMethod(method).send();

    assertThat(response.status()).isEqualTo(401);
    assertThat(response.body().isEmpty() || response.reason().equals("signature_mismatch"))
        .isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/ledger/v1/Wallets?size=2&page=1",
        "/LEDGER/v1/wallets?size=2&page=1",
        "/ledger/v1/wallets/?size=2&page=1",
        "//ledger/v1/wallets?size=2&page=1",
        "/ledger//v1/wallets?size=2&page=1",
        "/ledger/v1/./wallets?size=2&page=1",
        "/ledger/v1/x/../wallets?size=2&page=1",
        "/ledger/v1/wallets;x?size=2&page=1",
        "/ledger/v1/wallet%73?size=2&page=1",
        "/ledger/v1/wallets?page=1&size=2",
        "/ledger/v1/wallets?size=2&page=2",
        "/ledger/v1/wallets?size=2&page=%31",
        "/ledger/v1/wallets?size=2&page=1&",
        "/ledger/v1/wallets?size=2&&page=1",
        "/ledger/v1/wallets?size=2&page=1&sort=name",
        "/ledger/v1/wallets?size=2",
        "/ledger/v1/wallets?SIZE=2&page=1",
        "/ledger/v1/wallets",
        "/ledger/v1/wallets?",
        "/",
      })
  void target_changed_isRefused(String target) {
    assertMismatch(client.get(WALLETS + "?size=2&page=1").withTarget(target).send());
  }

  @Test
  void target_questionMarkAdded_isRefused() {
    assertMismatch(client.get(WALLETS).withTarget(WALLETS + "?").send());
  }

  /** Byte for byte means that these are accepted if they are what was signed. */
  @ParameterizedTest
  @ValueSource(strings = {"?", "?size=%31", "?size=1&", "?&&size=1", "?sort=name%2Cdesc"})
  void target_spelledOddlyAndSigned_isTaken(String query) {
    RawResponse response = client.get(WALLETS + query).send();

    assertThat(response.status()).as(response.body()).isEqualTo(200);
  }

  /** RFC 9112 section 3.2.2: the absolute form names the same URL. */
  @Test
  void target_inAbsoluteForm_isTheSameUrl() {
    RawRequest good = client.get(WALLETS + "?size=1");

    assertThat(good.withTarget(service.url() + good.target()).send().status()).isEqualTo(200);
  }

  @Test
  void host_changed_isRefused() {
    assertMismatch(client.get(WALLETS).with("Host", "127.0.0.1:" + service.port()).send());
  }

  @Test
  void host_inUpperCase_isAnotherUrl() {
    assertMismatch(client.get(WALLETS).with("Host", "LOCALHOST:" + service.port()).send());
  }

  @Test
  void date_changedWithinItsSecond_isRefused() {
    TestRequest signed = client.signed("GET", WALLETS);
    String oneDigitMore = signed.field("date").replace(", ", ",  ");
    RawResponse response = signed.request().with("date", oneDigitMore).send();

    assertThat(response.status()).isEqualTo(401);
  }

  @Test
  void date_movedByOneSecond_isRefused() {
    TestRequest signed = client.signed("GET", WALLETS);
    String other = signed.createdIn(1).field("date");
    String later = other.equals(signed.field("date")) ? signed.createdIn(-1).field("date") : other;
    RawResponse response = signed.request().with("date", later).send();

    assertThat(response.status()).isEqualTo(401);
    assertThat(response.reason()).isIn("signature_mismatch", "date_mismatch");
  }

  @Test
  void body_changed_isRefused() {
    RawRequest good = client.post(WALLETS, "{\"name\":\"A\",\"currencyCode\":\"EUR\"}");

    RawResponse response = good.withBody(good.body().replace("EUR", "USD")).send();

    assertThat(response.status()).isEqualTo(401);
    assertThat(response.reason()).isEqualTo("digest_mismatch");
  }

  @Test
  void body_changedWithItsDigest_isRefused() {
    RawRequest good = client.post(WALLETS, "{\"name\":\"A\",\"currencyCode\":\"EUR\"}");
    String other = good.body().replace("EUR", "USD");

    assertMismatch(
        good.withBody(other).with("Content-Digest", TestRequest.contentDigest(other)).send());
  }

  @Test
  void body_addedToAGet_isRefused() {
    RawResponse response = client.get(WALLETS).withBody("{}").send();

    assertThat(response.reason()).isEqualTo("digest_missing");
  }

  @Test
  void key_ofAnotherClient_isRefused() {
    TestClient other = service.register();

    assertMismatch(client.as(other.clientId()).get(WALLETS).send());
  }
}
