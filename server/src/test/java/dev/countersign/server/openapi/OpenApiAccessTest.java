package dev.countersign.server.openapi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.RawRequest;
import dev.countersign.server.RawResponse;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.http.OpenPaths;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/** Checks who can read the document, and how. */
class OpenApiAccessTest {
  private static final String PATH = "/openapi.yaml";

  @TempDir private Path data;

  @Test
  void open_isForEverybodyAndForReadingAlone() {
    try (TestService service = TestService.shared()) {
      RawResponse document = unsigned(service, "GET", PATH);
      assertThat(document.status()).isEqualTo(200);
      assertThat(document.header("content-type")).isEqualTo("application/yaml");
      assertThat(document.header("cache-control")).isEqualTo("no-store");
      assertThat(document.header("x-request-id")).isNotEmpty();
      assertThat(document.body()).startsWith("openapi: \"3.1.0\"\n");

      RawResponse head = unsigned(service, "HEAD", PATH);
      assertThat(head.status()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(head.header("content-length")).isEqualTo(document.header("content-length"));

      assertThat(unsigned(service, "GET", PATH + "?x=1").status()).isEqualTo(200);
      assertThat(unsigned(service, "POST", PATH).reason()).isEqualTo("signature_missing");
      assertThat(unsigned(service, "GET", PATH + "/").reason()).isEqualTo("signature_missing");
      assertThat(unsigned(service, "GET", "//openapi.yaml").reason())
          .isEqualTo("signature_missing");
      assertThat(unsigned(service, "GET", "/openapi.yaml;x").reason())
          .isEqualTo("signature_missing");
      assertThat(unsigned(service, "GET", "/openapi%2Eyaml").reason())
          .isEqualTo("signature_missing");

      TestClient client = service.register();
      assertThat(client.get(PATH).send().status()).isEqualTo(200);
      RawResponse put = client.signed("PUT", PATH).send();
      assertThat(put.status()).isEqualTo(405);
      assertThat(put.header("allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void signed_isForEveryClient() {
    try (TestService service = TestService.start(data, 0, "countersign.openapi=signed")) {
      assertThat(unsigned(service, "GET", PATH).reason()).isEqualTo("signature_missing");
      assertThat(unsigned(service, "HEAD", PATH).status()).isEqualTo(401);
      assertThat(service.part(OpenPaths.class).paths()).isEmpty();

      TestClient viewer = service.register("ledger-viewer", "127.0.0.1", "::1");
      assertThat(viewer.get(PATH).send().body()).startsWith("openapi: \"3.1.0\"\n");
    }
  }

  @Test
  void anyOtherValue_stopsTheStart() {
    assertThatThrownBy(() -> TestService.start(data, 0, "countersign.openapi=off").close())
        .hasMessage("countersign.openapi must be open or signed, was off");
  }

  @Test
  @Tag("full")
  void server_isThePublicUrlThatTheReaderUsed() {
    try (TestService service =
        TestService.start(
            data,
            0,
            "countersign.public-urls=https://api.example.com/partners,http://localhost",
            "countersign.access.date=optional",
            "countersign.pagination.pageable=omit")) {
      assertThat(servers(service, "localhost")).isEqualTo("[{url=http://localhost}]");
      assertThat(servers(service, "API.example.com:443"))
          .isEqualTo("[{url=https://api.example.com/partners}]");
      assertThat(servers(service, "10.0.0.1"))
          .isEqualTo("[{url=/, description=The server that sent this document.}]");

      Map<String, Object> document = document(service, "localhost");
      assertThat(SchemaCheck.resolve(document, "#/components/parameters/Date").toString())
          .contains("required=false");
      assertThat(SchemaCheck.resolve(document, "#/components/schemas/PageEnvelope").toString())
          .doesNotContain("ageable");
      Map<?, ?> rotation =
          (Map<?, ?>)
              ((Map<?, ?>) ((Map<?, ?>) document.get("paths")).get("/integrations/v1/keys"))
                  .get("post");
      assertThat(rotation.get("parameters").toString())
          .as("sig-next covers Date with every setting")
          .contains("{name=Date, in=header, required=true")
          .doesNotContain("parameters/Date");
    }
  }

  @Test
  void version_isThatOfTheInterface() {
    try (TestService service = TestService.shared()) {
      assertThat(document(service, "localhost").get("info").toString()).contains("version=1,");
    }
  }

  private static String servers(TestService service, String host) {
    return document(service, host).get("servers").toString();
  }

  private static Map<String, Object> document(TestService service, String host) {
    String request = "GET " + PATH + " HTTP/1.1\r\nHost: " + host + "\r\n\r\n";
    return new Yaml().load(RawRequest.send(service.port(), request).body());
  }

  private static RawResponse unsigned(TestService service, String method, String target) {
    return RawRequest.send(
        service.port(), method + " " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
  }
}
