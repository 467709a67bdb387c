package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** No request makes the header of a response longer than the engine can send. */
@SharedService(wallets = 7)
class LongHeaderTest {
  private static final String WALLETS = "/ledger/v1/wallets";

  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  @Test
  void query_asLongAsTheEngineTakes_isNever500() {
    List<String> queries =
        List.of(
            "size=" + "0".repeat(3_000) + "20",
            "page=" + "0".repeat(13_000),
            "offset=" + "%30".repeat(4_000),
            "&".repeat(13_000),
            "sort=name&".repeat(1_300),
            "sort=" + "%6e%61%6d%65".repeat(1_000),
            "sort=" + "name,".repeat(2_600));
    for (String query : queries) {
      assertThat(client.get(WALLETS + "?" + query).send().status())
          .as(query.substring(0, 12))
          .isIn(200, 400);
    }
  }

  @Test
  void host_asLongAsTheEngineTakes_costsTheLinksAlone() {
    RawResponse page = toALongHost("GET", "");
    assertThat(page.status()).as(page.body()).isEqualTo(200);
    assertThat(page.json().path("content").size()).isEqualTo(7);
    assertThat(page.header("link")).isEmpty();
    RawResponse made = toALongHost("POST", "{\"name\":\"Till\",\"currencyCode\":\"EUR\"}");
    assertThat(made.status()).as(made.body()).isEqualTo(201);
  }

  private static RawResponse toALongHost(String method, String body) {
    return client.signed(method, WALLETS, body).at("http://" + "a".repeat(10_000)).send();
  }
}
