package dev.countersign.benchmarks.springdata;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

class SpringDataListsTest {
  @TempDir private Path folder;

  @Test
  void pageAndWindow_ofOneCustomer_haveTheSameRows() throws Exception {
    String jdbcUrl = "jdbc:sqlite:" + folder.resolve("payments.db");
    try (Connection connection = DriverManager.getConnection(jdbcUrl);
        Statement statement = connection.createStatement()) {
      for (String table : new String[] {"small", "medium", "large"}) {
        statement.execute(
            "CREATE TABLE "
                + table
                + " (id INTEGER PRIMARY KEY, number TEXT, customer_id TEXT, status TEXT,"
                + " reference TEXT, amount NUMERIC, booked_at TIMESTAMP)");
        statement.execute(
            "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9)"
                + " INSERT INTO "
                + table
                + " SELECT i, 'P' || (i / 2), 'c' || (i % 2), 'S', NULL, i / 4.0,"
                + " '2026-01-05 10:00:0' || i || '.000' FROM n");
      }
    }
    try (ConfigurableApplicationContext service =
        SpringApplication.run(
            SpringDataLists.class,
            "--spring.datasource.url=" + jdbcUrl,
            "--server.address=127.0.0.1",
            "--server.port=0")) {
      int port = ((WebServerApplicationContext) service).getWebServer().getPort();
      String listUrl = "http://127.0.0.1:" + port + "/large/";
      String query = "?customer=c1&size=2&sort=number,asc&sort=id,asc";
      String page = get(listUrl + "page" + query + "&page=1");
      assertThat(page).contains("\"id\":5,", "\"id\":7,", "\"totalElements\":5");
      assertThat(page).contains("\"amount\":1.25,\"bookedAt\":\"2026-01-05T10:00:05Z\"");
      String rowsJson = page.substring(0, page.indexOf(']'));
      assertThat(get(listUrl + "window" + query + "&number=P1&id=3")).startsWith(rowsJson);
      assertThat(get(listUrl + "window" + query)).contains("\"id\":1,", "\"id\":3,");
      assertThat(get(listUrl + "page" + query + "&status=T")).contains("\"totalElements\":0");
      assertThat(get(listUrl + "window" + query + "&status=T")).contains("\"content\":[]");
      assertThat(get(listUrl + "window" + query + "&status=S")).contains("\"id\":1,", "\"id\":3,");
    }
  }

  private static String get(String url) throws Exception {
    HttpResponse<String> response =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create(url)).build(),
                HttpResponse.BodyHandlers.ofString());
    assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
    return response.body();
  }
}
