package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordReaderTest {
  @TempDir static Path directory;
  private static RecordReader wallets;
  private static RecordReader samples;
  private static CallerScope scope;

  @BeforeAll
  static void openStore() {
    try (Database database = TestStore.SQLITE.open(directory)) {
      String create = Definitions.samplesTable(false);
      database.write(sql -> sql.sql(create).update());
      List<Listing> all =
          Definitions.check(List.of(Definitions.wallets(), Definitions.samples()), database).all();
      wallets = new RecordReader(all.get(0).fields());
      samples = new RecordReader(all.get(1).fields());
      scope = Calls.scope(all.get(0));
    }
  }

  @Test
  void read_wallet_takesDefaults() {
    assertThat(values(wallets, "{\"currencyCode\":\"EUR\",\"name\":\"Till 😀\"}"))
        .isEqualTo(Map.of("name", "Till 😀", "currencyCode", "EUR", "status", "ACTIVE"));
  }

  @Test
  void read_everyType_isRead() {
    String body =
        """
        {"id": -0, "label": "", "amount": 1.50e1, "active": false,
         "happened": "2026-11-20T20:35:30+02:00", "link": "1F0E8C9A-3B5D-4C7E-9F21-6A8B0C2D4E6F"}
        """;
    assertThat(values(samples, body))
        .isEqualTo(
            Map.of(
                "id",
                0L,
                "label",
                "",
                "amount",
                new BigDecimal("1.50e1"),
                "active",
                false,
                "happened",
                Instant.parse("2026-11-20T18:35:30Z"),
                "link",
                UUID.fromString("1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f")));
  }

  @Test
  void read_nullWhereTheColumnTakesIt_isNullAndLeftOutIsLeftOut() {
    Map<String, Object> expected = new HashMap<>();
    expected.put("id", 1L);
    expected.put("label", null);
    assertThat(values(samples, "{\"id\":1,\"label\":null}")).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          []                               | the body must be one JSON object, was an array
          "x"                              | the body must be one JSON object, was text of 1 char
          null                             | the body must be one JSON object, was null
          `  `                             | the body must be one JSON object, was empty
          {                                | not well-formed JSON; see line 1, column
          {"id":1} {"id":2}                | the body must contain nothing after its object
          {"id":1},                        | not well-formed JSON
          {"id":1,}                        | not well-formed JSON
          {'id':1}                         | not well-formed JSON
          {id:1}                           | not well-formed JSON
          {"id":01}                        | not well-formed JSON
          {"id":NaN}                       | not well-formed JSON
          {"id":1/**/}                     | not well-formed JSON
          {"id":1,"id":1}                  | id occurs twice
          {"id":1,"i\\u0064":1}            | id occurs twice
          {"id":1,"size":{"a":[1]}}        | 'size' is unknown; the members are id, label, amount
          {"id":null}                      | id must be a 64-bit integer, was null
          {"id":"1"}                       | id must be a 64-bit integer, was text of 1
          {"id":1.0}                       | was a number with a fraction or an exponent
          {"id":9223372036854775808}       | id must be a 64-bit integer, was an integer
          {"id":[1]}                       | id must be a 64-bit integer, was an array
          {"id":1,"label":7}               | label must be text without U+0000
          {"id":1,"label":{}}              | was an object
          {"id":1,"label":"a\\u0000"}      | label must be text without U+0000
          {"id":1,"label":"\\ud800"}       | lone surrogates, was text of 1
          {"id":1,"amount":"1"}            | amount must be a number of at most 1,000 significant
          {"id":1,"amount":12345678901234567890.5} | amount must be a number that double precision or
          {"id":1,"amount":1e999999}       | amount must be a number
          {"id":1,"amount":1e1001}         | amount must be a number of at most 1,000
          {"id":1,"active":1}              | active must be true or false, was an integer
          {"id":1,"active":"true"}         | active must be true or false, was text
          {"id":1,"happened":"2026-11-20"} | happened must be an RFC 3339 timestamp
          {"id":1,"happened":"2026-11-20T18:35:30"}       | happened must be an RFC 3339
          {"id":1,"happened":"2026-11-20T18:35:30.0001Z"} | happened must have at most 3 digits
          {"id":1,"happened":"2026-11-20T18:35:30.0000001Z"} | happened must be an RFC 3339
          {"id":1,"happened":"2026-02-30T18:35:30Z"}      | happened must be an RFC 3339
          {"id":1,"happened":"2026-11-20T18:35Z"}         | happened must be an RFC 3339
          {"id":1,"happened":"2026-11-20T18:35:30+01"}    | happened must be an RFC 3339
          {"id":1,"happened":"2026-11-20T18:35:30+01:00:30"} | happened must be an RFC 3339
          {"id":1,"link":"1f0e8c9a3b5d4c7e9f216a8b0c2d4e6f"} | link must be a UUID
          """)
  void read_wrongSample_isRefused(String body, String problem) {
    assertThat(refusal(samples, body.getBytes(StandardCharsets.UTF_8)))
        .anySatisfy(error -> assertThat(error).contains(problem));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"name":"n"}                                          | currencyCode is missing; it must match [A-Z0-9]{3,12}
          {"name":"n","currencyCode":"eur"}                     | must match [A-Z0-9]{3,12}, was text of 3
          {"name":"n","currencyCode":"EUR\\n"}                  | currencyCode must match
          {"name":"n","currencyCode":"EUR","status":"OPEN"}     | status must be one of ACTIVE, FROZEN
          {"name":"n","currencyCode":"EUR","status":null}       | status must be text
          {"name":"n","currencyCode":"EUR","id":"x"}            | id is generated by the service
          {"name":"n","currencyCode":"EUR","createdAt":null}    | createdAt is generated
          {"Name":"n","currencyCode":"EUR"}                     | 'Name' is unknown
          """)
  void read_wrongWallet_isRefused(String body, String problem) {
    assertThat(refusal(wallets, body.getBytes(StandardCharsets.UTF_8)))
        .anySatisfy(error -> assertThat(error).contains(problem));
  }

  @Test
  void read_textAsLongAsAllowed_countsCodePoints() {
    String longest = "😀".repeat(120);
    assertThat(values(wallets, wallet(longest))).containsEntry("name", longest);
    assertThat(refusal(wallets, wallet(longest + "x").getBytes(StandardCharsets.UTF_8)))
        .containsExactly("name must be at most 120 characters, was text of 121 characters");
  }

  @Test
  void read_decimalThatTheColumnWouldRound_isRefused(@TempDir Path other) {
    try (Database database = TestStore.POSTGRESQL.open(other)) {
      String create = Definitions.samplesTable(true).replace("NUMERIC", "NUMERIC(10, 2)");
      database.write(sql -> sql.sql(create).update());
      Listing listing =
          Definitions.check(List.of(Definitions.samples()), database).all().getFirst();
      RecordReader reader = new RecordReader(listing.fields());
      assertThat(values(reader, "{\"id\":1,\"amount\":1.230}")).containsKey("amount");
      assertThat(refusal(reader, "{\"id\":1,\"amount\":1.239}".getBytes(StandardCharsets.UTF_8)))
          .singleElement()
          .asString()
          .startsWith("amount must have at most 2 digits after the point");
      assertThat(refusal(reader, "{\"amount\":1}".getBytes(StandardCharsets.UTF_8)))
          .containsExactly("id is missing; it must be a 64-bit integer");
    }
  }

  @Test
  void read_severalMistakes_areAllNamed() {
    String body = "{\"name\":7,\"status\":\"OPEN\",\"colour\":\"red\",\"id\":1}";
    assertThat(refusal(wallets, body.getBytes(StandardCharsets.UTF_8))).hasSize(5);
  }

  @Test
  void read_manyUnknownMembers_areNamedToALimit() {
    List<String> members = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      members.add("\"m" + i + "\":0");
    }
    String body = "{" + String.join(",", members) + "}";
    assertThat(refusal(wallets, body.getBytes(StandardCharsets.UTF_8))).hasSize(50);
  }

  @Test
  void read_valueOfTheCaller_isNotRepeated() {
    byte[] body = wallet("n").replace("EUR", "hush!").getBytes(StandardCharsets.UTF_8);
    assertThat(refusal(wallets, body)).noneMatch(error -> error.contains("hush"));
  }

  @Test
  void read_bytesThatAreNoUtf8_areRefused() {
    byte[] body = wallet("n?").getBytes(StandardCharsets.UTF_8);
    for (byte[] wrong : List.of(new byte[] {(byte) 0xFF}, new byte[] {(byte) 0xC0, (byte) 0x80})) {
      byte[] broken = body.clone();
      System.arraycopy(wrong, 0, broken, 10, wrong.length);
      assertThat(refusal(wallets, broken)).containsExactly("the body is not UTF-8");
    }
    byte[] utf16 = wallet("n").getBytes(StandardCharsets.UTF_16LE);
    assertThat(refusal(wallets, utf16)).singleElement().asString().contains("not well-formed");
  }

  @Test
  void read_emptyOrDeepOrHuge_isRefused() {
    assertThat(refusal(wallets, new byte[0]))
        .containsExactly("the body must be one JSON object, was empty");
    byte[] deep = ("{\"name\":" + "[".repeat(100_000)).getBytes(StandardCharsets.UTF_8);
    assertThat(refusal(wallets, deep)).singleElement().asString().contains("nested too deeply");
    byte[] huge = ("{\"id\":" + "9".repeat(100_000) + "}").getBytes(StandardCharsets.UTF_8);
    assertThat(refusal(samples, huge)).singleElement().asString().contains("too long");
  }

  private static String wallet(String name) {
    return "{\"name\":\"" + name + "\",\"currencyCode\":\"EUR\"}";
  }

  private static Map<String, Object> values(RecordReader reader, String body) {
    Map<String, Object> values = new HashMap<>();
    reader
        .read(body.getBytes(StandardCharsets.UTF_8), scope)
        .forEach((field, value) -> values.put(field.name(), value));
    return values;
  }

  @SuppressWarnings("unchecked")
  private static List<String> refusal(RecordReader reader, byte[] body) {
    DeniedException denied =
        catchThrowableOfType(DeniedException.class, () -> reader.read(body, scope));
    assertThat(denied).as(new String(body, StandardCharsets.UTF_8)).isNotNull();
    assertThat(denied.denial().reason()).isEqualTo(Reason.BODY_INVALID);
    List<String> errors = (List<String>) denied.denial().members().get("errors");
    assertThat(denied.denial().detail()).isEqualTo(String.join("; ", errors));
    return errors;
  }
}
