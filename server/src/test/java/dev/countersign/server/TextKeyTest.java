package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** A record with a text key can be read at its Location, or it is not created. */
class TextKeyTest {
  private static final String TAGS = "/lab/v1/tags";

  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(@TempDir Path data) {
    try (Database database = Database.open(StoreSettings.embedded(data))) {
      database.write(sql -> sql.sql("CREATE TABLE tags (code TEXT NOT NULL PRIMARY KEY)").update());
    }
    service =
        TestService.start(
            data,
            0,
            "countersign.listings[0].path=" + TAGS,
            "countersign.listings[0].table=tags",
            "countersign.listings[0].key=code",
            "countersign.listings[0].fields.code.type=text",
            "countersign.listings[0].fields.code.max=255",
            "countersign.listings[0].create=true",
            "countersign.roles.tagger=lab:tags:read,lab:tags:create");
    client = service.register("tagger", "127.0.0.1", "::1");
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "plain",
        "a b",
        " ",
        "a;b=c",
        "..;",
        "...",
        "%",
        "%2F",
        "?a=b&c#d",
        ":@!$'()*+,",
        "\"<>^`{|}",
        "[1]",
        "\t\r\n",
        "größe 😀",
        "\uFEFF\u202E"
      })
  void create_oddKey_isReadWhereItsLocationSays(String code) {
    RawResponse made = create(code);
    assertThat(made.status()).as(made.body()).isEqualTo(201);
    String target = made.header("location").replaceFirst("http://[^/]*", "");
    RawResponse read = client.get(target).send();
    assertThat(read.status()).as(target + " " + read.body()).isEqualTo(200);
    assertThat(read.json().path("code").asString()).isEqualTo(code);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", ".", "..", "/", "a/b", "a\\b"})
  void create_keyThatFitsNoUrl_isRefused(String code) {
    RawResponse refused = create(code);
    assertThat(refused.status()).as(refused.body()).isEqualTo(422);
    assertThat(refused.reason()).isEqualTo("body_invalid");
    assertThat(refused.json().path("errors").path(0).asString())
        .startsWith("code must fit into a URL: not empty, not . or .., without / or \\, was text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a", "😀"})
  void create_longestKey_isReadWhereItsLocationSays(String character) {
    create_oddKey_isReadWhereItsLocationSays(character.repeat(255));
    assertThat(create(character.repeat(256)).status()).isEqualTo(422);
  }

  private static RawResponse create(String code) {
    return client
        .post(TAGS, JsonMapper.shared().createObjectNode().put("code", code).toString())
        .send();
  }
}
