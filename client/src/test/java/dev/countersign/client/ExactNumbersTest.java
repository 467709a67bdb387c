package dev.countersign.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Amounts of money arrive with all their digits. */
class ExactNumbersTest {
  private static final String LONG = "12345678901234567.89";
  private static final String INVOICES =
      String.format(
          Locale.ROOT,
          "[{\"amount\": %s, \"more\": 1.10}, {\"amount\": 1.10, \"more\": 2.00}]",
          LONG);

  record Invoice(BigDecimal amount, Object more) {}

  private static Invoice invoice(String amount, String more) {
    return new Invoice(new BigDecimal(amount), new BigDecimal(more));
  }

  private static CountersignClient client(SignedServer server) {
    return new RecordedWaits().client(server.uri()).build();
  }

  private static SignedServer invoices() throws Exception {
    return SignedServer.replying(Reply.json(INVOICES));
  }

  private static SignedServer pageOfInvoices() throws Exception {
    String page = TestRows.upTo(2).page(0, 100).without("content").toString();
    String whole = page.substring(0, page.length() - 1) + ",\"content\":" + INVOICES + "}";
    return SignedServer.replying(Reply.json(whole));
  }

  @Test
  void get_typed_keepsAllDigits() throws Exception {
    try (SignedServer server = invoices()) {
      assertThat(client(server).get("/a", new TypeReference<List<Invoice>>() {}))
          .containsExactly(invoice(LONG, "1.10"), invoice("1.10", "2.00"));
    }
  }

  @Test
  void get_tree_keepsAllDigits() throws Exception {
    try (SignedServer server = invoices()) {
      JsonNode tree = client(server).get("/a", JsonNode.class);

      assertThat(tree.path(0).path("amount").decimalValue()).isEqualTo(new BigDecimal(LONG));
      assertThat(tree.path(1).path("more")).hasToString("2.00");
    }
  }

  @Test
  void get_tree_readsTheLongestDecimalOfAFilter() throws Exception {
    String number = "0." + "0".repeat(999) + "1".repeat(1_000);
    try (SignedServer server = SignedServer.replying(Reply.json("{\"a\": " + number + "}"))) {
      assertThat(client(server).get("/a", JsonNode.class).path("a").decimalValue())
          .isEqualTo(new BigDecimal(number));
    }
  }

  @Test
  void get_map_keepsAllDigits() throws Exception {
    try (SignedServer server = SignedServer.replying(Reply.json("{\"a\": " + LONG + "}"))) {
      assertThat(client(server).get("/a", new TypeReference<Map<String, Object>>() {}))
          .containsEntry("a", new BigDecimal(LONG));
    }
  }

  @Test
  void list_typed_keepsAllDigits() throws Exception {
    try (SignedServer server = pageOfInvoices()) {
      assertThat(client(server).list("/a", Invoice.class).items())
          .containsExactly(invoice(LONG, "1.10"), invoice("1.10", "2.00"));
    }
  }

  @Test
  void list_ownMapper_keepsAllDigits() throws Exception {
    try (SignedServer server = pageOfInvoices()) {
      CountersignClient own =
          new RecordedWaits().client(server.uri()).withJsonMapper(JsonMapper.shared()).build();

      assertThat(own.list("/a", Invoice.class).stream().map(Invoice::amount))
          .containsExactly(new BigDecimal(LONG), new BigDecimal("1.10"));
    }
  }

  @Test
  void list_trees_keepAllDigits() throws Exception {
    try (SignedServer server = pageOfInvoices()) {
      assertThat(client(server).list("/a").stream().map(row -> row.path("amount").toString()))
          .containsExactly(LONG, "1.10");
    }
  }

  /** A JSON tree is also an Iterable and an Object, but not of the requested type. */
  @Test
  void get_typeThatATreeHappensToBe_isMadeOfItsOwn() throws Exception {
    try (SignedServer server = invoices()) {
      Iterable<Invoice> read = client(server).get("/a", new TypeReference<Iterable<Invoice>>() {});

      assertThat(read).first().isEqualTo(invoice(LONG, "1.10"));
      assertThat(client(server).get("/a", Object.class)).isNotInstanceOf(JsonNode.class);
    }
  }

  @Test
  void get_treeOfOneKind_isNoOther() throws Exception {
    try (SignedServer server = invoices()) {
      assertThat(client(server).get("/a", ArrayNode.class)).hasSize(2);
      assertThat(
              catchThrowableOfType(
                      CountersignException.class, () -> client(server).get("/a", ObjectNode.class))
                  .reason())
          .isEqualTo("answer_malformed");
    }
  }
}
