package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of openssl and curl alone, with a service that requires Date and one that does not. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OpensslCurlIT {
  private static final JsonMapper JSON = JsonMapper.shared();

  private Served strict;
  private Served relaxed;
  private OpensslPartner opensslPartner;
  private OpensslPartner relaxedPartner;

  @BeforeAll
  void serve(@TempDir Path folder) throws IOException, InterruptedException {
    Command.require("openssl", "curl");
    Path release = Release.copyTo(folder.resolve("countersign"));
    Path relaxedYaml = folder.resolve("relaxed.yaml");
    Files.writeString(relaxedYaml, "countersign:\n  access:\n    date: optional\n");
    Path data = folder.resolve("strict");
    Path relaxedData = folder.resolve("relaxed");
    strict = Served.start(release, "serve", "--port", "0", "--demo", "--data", data.toString());
    relaxed =
        Served.start(
            release,
            "serve",
            "--port",
            "0",
            "--demo",
            "--data",
            relaxedData.toString(),
            "--config",
            relaxedYaml.toString());
    opensslPartner = OpensslPartner.register(release, data, "ledger-operator");
    relaxedPartner = OpensslPartner.register(release, relaxedData, "ledger-operator");
    opensslPartner.awaitKnownTo(strict);
    relaxedPartner.awaitKnownTo(relaxed);
  }

  @AfterAll
  void stop() {
    for (Served served : new Served[] {strict, relaxed}) {
      if (served != null) {
        served.close();
      }
    }
  }

  @Test
  void list_withPageSizeAndSort_givesThatPage() throws Exception {
    String out =
        opensslPartner
            .calls(strict, "list", "page=1&size=5&sort=currencyCode,asc")
            .run()
            .succeeded()
            .out();
    JsonNode page = JSON.readTree(out);
    assertThat(page.get("content").size()).isEqualTo(5);
    assertThat(page.get("number").asInt()).isEqualTo(1);
    assertThat(page.get("totalElements").asInt()).isGreaterThanOrEqualTo(250);
    assertThat(page.get("sort").get("sorted").asBoolean()).isTrue();
  }

  @Test
  void list_withoutParameters_givesTwenty() throws Exception {
    JsonNode page = JSON.readTree(opensslPartner.calls(strict, "list").run().succeeded().out());
    assertThat(page.get("content").size()).isEqualTo(20);
    assertThat(page.get("first").asBoolean()).isTrue();
  }

  @Test
  void create_wallet_isListed() throws Exception {
    String body = "{\"name\": \"Träume & more\", \"currencyCode\": \"EUR\"}";
    JsonNode wallet =
        JSON.readTree(opensslPartner.calls(strict, "create", body).run().succeeded().out());
    assertThat(wallet.get("name").asString()).isEqualTo("Träume & more");
    String all = "size=100&sort=createdAt,desc";
    assertThat(opensslPartner.calls(strict, "list", all).run().succeeded().out())
        .contains(wallet.get("id").asString());
  }

  @Test
  void create_secondTimeSigned_isAnotherWallet() throws Exception {
    String body = "{\"name\": \"Twice\", \"currencyCode\": \"CHF\"}";
    String first = opensslPartner.calls(strict, "create", body).run().succeeded().out();
    Thread.sleep(1_100); // another second, another signature
    String second = opensslPartner.calls(strict, "create", body).run().succeeded().out();
    assertThat(JSON.readTree(first).get("id")).isNotEqualTo(JSON.readTree(second).get("id"));
  }

  @Test
  void list_withoutDate_isRefusedWhereDateIsRequired() throws Exception {
    Command.Outcome refused = opensslPartner.calls(strict, "list").with("WITHOUT_DATE", "1").run();
    assertThat(refused.exit()).isEqualTo(22); // curl: the server answered with an error
    assertThat(JSON.readTree(refused.out()).get("reason").asString()).isEqualTo("components_wrong");
  }

  @Test
  void withoutDate_whereDateIsOptional_listsAndCreates() throws Exception {
    JsonNode page =
        JSON.readTree(
            relaxedPartner
                .calls(relaxed, "list", "size=3")
                .with("WITHOUT_DATE", "1")
                .run()
                .succeeded()
                .out());
    assertThat(page.get("content").size()).isEqualTo(3);
    String body = "{\"name\": \"No date\", \"currencyCode\": \"USD\"}";
    relaxedPartner.calls(relaxed, "create", body).with("WITHOUT_DATE", "1").run().succeeded();
  }

  @Test
  void withDate_whereDateIsOptional_listsToo() throws Exception {
    relaxedPartner.calls(relaxed, "list", "size=1").run().succeeded();
  }

  @Test
  void create_wrongCurrency_saysSoAndFails() throws Exception {
    Command.Outcome refused =
        opensslPartner
            .calls(strict, "create", "{\"name\": \"X\", \"currencyCode\": \"eur\"}")
            .run();
    assertThat(refused.exit()).isEqualTo(22);
    assertThat(JSON.readTree(refused.out()).get("reason").asString()).isEqualTo("body_invalid");
  }

  @Test
  void script_withoutItsVariables_saysWhichIsMissing() throws Exception {
    Path script = Release.directory().resolve("docs/examples/openssl-curl.sh");
    Command.Outcome refused = Command.in(script.getParent(), "sh", script.toString(), "list").run();
    assertThat(refused.exit()).isNotZero();
    assertThat(refused.err()).contains("BASE_URL");
  }
}
