package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@SharedService(wallets = 7)
class PageParametersTest {
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  private static RawResponse list(String query) {
    return client.get("/ledger/v1/wallets" + query).send();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "size=0",
        "size=101",
        "size=-1",
        "size=+5",
        "size=",
        "size",
        "size=ten",
        "size=1.0",
        "size=1e1",
        "size=0x10",
        "size=%20" + "5",
        "size=5%20",
        "size=5+",
        "size=2147483648",
        "size=9223372036854775808",
        "size=99999999999999999999999999",
        "size=%D9%A5",
        "size=5&size=5",
        "size=5&%73ize=5",
        "size=%00",
        "page=-1",
        "page=",
        "page=first",
        "page=9223372036854775807",
        "page=9223372036854775808",
        "page=0&page=1",
        "page=x&offset=0",
        "page=-1&offset=0",
        "offset=-1",
        "offset=",
        "offset=9223372036854775808",
        "offset=1&offset=1",
        "offset=NaN",
        "sort=",
        "sort=,",
        "sort=,desc",
        "sort=name,",
        "sort=name,down",
        "sort=name,asc,desc",
        "sort=unknown",
        "sort=id%3B--",
        "sort=status",
        "sort=currency_code",
        "sort=name%27",
        "sort=name,asc&sort=name,desc",
        "sort=NAME",
        "sort=%FF",
      })
  void parameter_ofAWrongKind_isRefusedNamingIt(String query) {
    RawResponse response = list("?" + query);

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.reason()).isEqualTo("parameter_invalid");
    String detail = response.json().path("detail").asString();
    String name = query.replace("%73", "s").replaceAll("=.*", "");
    assertThat(detail).contains(name);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"pagesize=5", "Size=5", "limit=5", "size%3D5", "%ff=1", "=5", "size[]=5", "a"})
  void parameter_unknown_isRefused(String query) {
    String encoded = query.replace("[]", "%5B%5D");
    RawResponse response = list("?" + encoded);

    assertThat(response.status()).as(response.body()).isEqualTo(400);
    assertThat(response.reason()).isIn("parameter_unknown", "parameter_invalid");
  }

  @Test
  void parameter_manyUnknown_areAnsweredShortly() {
    assertThat(list("?" + "a=1&".repeat(2000)).body().length()).isLessThan(2000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                        | 7 | 0 | true  | true",
        "?size=3                 | 3 | 0 | true  | false",
        "?size=3&page=2          | 1 | 2 | false | true",
        "?size=3&page=1          | 3 | 1 | false | false",
        "?size=3&offset=5        | 2 | 1 | false | true",
        "?size=3&offset=5&page=9 | 2 | 1 | false | true",
        "?size=3&page=1000000    | 0 | 1000000 | false | true",
        "?size=100               | 7 | 0 | true  | true",
        "?size=007               | 7 | 0 | true  | true",
        "?sort=name,DESC         | 7 | 0 | true  | true",
        "?sort=name%2Cdesc       | 7 | 0 | true  | true",
        "?sort=currencyCode&sort=name,desc | 7 | 0 | true | true",
      })
  void page_asked_isThatPage(String query, int elements, int number, boolean first, boolean last) {
    RawResponse response = list(query == null ? "" : query);

    assertThat(response.status()).as(response.body()).isEqualTo(200);
    assertThat(response.json().path("content").size()).isEqualTo(elements);
    assertThat(response.json().path("numberOfElements").asInt()).isEqualTo(elements);
    assertThat(response.json().path("number").asInt()).isEqualTo(number);
    assertThat(response.json().path("first").asBoolean()).isEqualTo(first);
    assertThat(response.json().path("last").asBoolean()).isEqualTo(last);
    assertThat(response.json().path("totalElements").asInt()).isEqualTo(7);
  }

  @Test
  void one_withParameters_isRefused() {
    String id = list("?size=1").json().path("content").path(0).path("id").asString();

    assertThat(client.get("/ledger/v1/wallets/" + id + "?size=1").send().reason())
        .isEqualTo("parameter_unknown");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"1", "..%3B", "%20", "00000000-0000-0000-0000-00000000000g", "x'--", "%C3%A9"})
  void one_unknownKey_is404(String key) {
    RawResponse response = client.get("/ledger/v1/wallets/" + key).send();

    assertThat(response.status()).as(response.body()).isEqualTo(404);
    assertThat(response.reason()).isEqualTo("not_found");
  }
}
