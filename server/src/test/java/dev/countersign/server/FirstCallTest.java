package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

@SharedService
class FirstCallTest {

  @Test
  void list_signed_isTheFirstPage(TestService service, TestClient client) {
    service.fillWallets(30);

    RawResponse response = client.get("/ledger/v1/wallets").send();

    assertThat(response.status()).as(response.body()).isEqualTo(200);
    assertThat(response.json().path("content").size()).isEqualTo(20);
    assertThat(response.json().path("totalElements").asInt()).isEqualTo(30);
  }

  @Test
  void create_signed_isThere(TestService service, TestClient client) {
    RawResponse created =
        client.post("/ledger/v1/wallets", "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}").send();

    assertThat(created.status()).as(created.body()).isEqualTo(201);
    String path = "/ledger/v1/wallets/" + created.json().path("id").asString();
    assertThat(created.header("location")).isEqualTo(service.url() + path);
    assertThat(client.get(path).send().json()).isEqualTo(created.json());
  }

  @Test
  void list_unsigned_isRefusedWithWhatToSend(TestService service) {
    RawResponse refused =
        RawRequest.send(service.port(), "GET /ledger/v1/wallets HTTP/1.1\r\nHost: a\r\n\r\n");

    assertThat(refused.status()).isEqualTo(401);
    assertThat(refused.reason()).isEqualTo("signature_missing");
    assertThat(refused.header("accept-signature"))
        .isEqualTo(
            "sig=(\"@method\" \"@target-uri\" \"date\")"
                + ";created;keyid;alg=\"rsa-v1_5-sha256\"");
  }
}
