package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Database;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Walking all pages returns each wallet once, in the order of a naive reference. */
class LedgerWalkTest {
  private static final String WALLETS = "/ledger/v1/wallets";
  private static final Pattern NEXT = Pattern.compile("<([^>]*)>; rel=\"next\"");
  private static final List<String> PROPERTIES = List.of("name", "currencyCode", "createdAt");

  /**
   * Ties, and names whose order by code points differs from their order by UTF-16 or by language.
   */
  private static final List<String> NAMES =
      List.of("a", "B", "b", "Ä", "ä", "é", "\uFB00", "\uD83D\uDE00", "same", "same", "same", "1");

  /** A few in the quick run. */
  private static final int[] SIZES =
      Boolean.getBoolean("countersign.full") ? new int[] {13, 50, 100} : new int[] {50};

  /** In pages of one wallet, a walk has many steps. */
  private static final Step[] SINGLE_STEPS =
      Boolean.getBoolean("countersign.full") ? Step.values() : new Step[] {Step.LINK};

  /** The properties of a wallet that matter for sorting. */
  private record Wallet(String id, String name, String currencyCode, String createdAt) {
    static Wallet of(JsonNode json) {
      return new Wallet(
          json.path("id").asString(),
          json.path("name").asString(),
          json.path("currencyCode").asString(),
          json.path("createdAt").asString());
    }

    String value(String property) {
      return switch (property) {
        case "name" -> name;
        case "currencyCode" -> currencyCode;
        default -> createdAt;
      };
    }
  }

  @Test
  @SharedService
  void allPages_everySortAndSize_areTheReference(TestService service, TestClient client) {
    service.fillWallets(120);
    walkAll(service, client);
  }

  @Test
  @Tag("full")
  void allPages_onPostgresql_areTheReference() {
    TestService service = SharedNodes.first();
    service.fillWallets(120);
    walkAll(service, service.register());
  }

  private static void walkAll(TestService service, TestClient client) {
    fill(service.part(Database.class));
    List<Wallet> all = walk(client, "", 100, Step.PAGE);
    assertThat(all).hasSize(120 + 2 * NAMES.size());

    for (List<String> sort : sorts()) {
      String query = String.join("", sort.stream().map(order -> "&sort=" + order).toList());
      List<Wallet> expected = all.stream().sorted(reference(sort)).toList();
      for (Step step : Step.values()) {
        for (int size : SIZES) {
          assertThat(walk(client, query, size, step))
              .as("%s, size %s, by %s", sort, size, step)
              .isEqualTo(expected);
        }
      }
    }
    List<Wallet> expected = all.stream().sorted(reference(List.of("currencyCode,desc"))).toList();
    for (Step step : SINGLE_STEPS) {
      assertThat(walk(client, "&sort=currencyCode,desc", 1, step)).isEqualTo(expected);
    }
  }

  private static void fill(Database database) {
    Instant same = Instant.parse("2026-02-01T00:00:00.500Z");
    for (int i = 0; i < 2 * NAMES.size(); i++) {
      String name = NAMES.get(i % NAMES.size());
      Object id = database.dialect().bind(new UUID(0x4000L + i * 7919L, 0x8000000000000000L + i));
      Object created = database.dialect().bind(i < NAMES.size() ? same : same.plusMillis(i % 3));
      database.write(
          sql ->
              sql.sql("INSERT INTO wallets VALUES (?, ?, 'EUR', 'ACTIVE', ?)")
                  .param(id)
                  .param(name)
                  .param(created)
                  .update());
    }
  }

  /**
   * No sorting, each property in both directions and in its default direction, and every pair of
   * two in both directions.
   */
  private static List<List<String>> sorts() {
    List<List<String>> sorts = new ArrayList<>();
    sorts.add(List.of());
    for (String first : PROPERTIES) {
      sorts.add(List.of(first));
      for (String direction : List.of(",asc", ",desc")) {
        sorts.add(List.of(first + direction));
        for (String second : PROPERTIES) {
          if (!second.equals(first)) {
            sorts.add(List.of(first + direction, second));
            sorts.add(List.of(first + direction, second + ",DESC"));
          }
        }
      }
    }
    return sorts;
  }

  private static Comparator<Wallet> reference(List<String> sort) {
    Comparator<Wallet> all = (a, b) -> 0;
    for (String order : sort) {
      String property = order.replaceAll(",.*", "");
      Comparator<Wallet> one =
          (a, b) ->
              Arrays.compare(
                  a.value(property).codePoints().toArray(),
                  b.value(property).codePoints().toArray());
      all =
          all.thenComparing(
              order.toLowerCase(Locale.ROOT).endsWith(",desc") ? one.reversed() : one);
    }
    boolean descending =
        !sort.isEmpty() && sort.getLast().toLowerCase(Locale.ROOT).endsWith(",desc");
    Comparator<Wallet> byKey = Comparator.comparing(Wallet::id);
    return all.thenComparing(descending ? byKey.reversed() : byKey);
  }

  private enum Step {
    PAGE,
    OFFSET,
    LINK
  }

  private static List<Wallet> walk(TestClient client, String sort, int size, Step step) {
    List<Wallet> wallets = new ArrayList<>();
    boolean last = false;
    String next = WALLETS + "?size=" + size + sort;
    for (int page = 0; !last; page++) {
      String target =
          switch (step) {
            case PAGE -> WALLETS + "?page=" + page + "&size=" + size + sort;
            case OFFSET -> WALLETS + "?offset=" + wallets.size() + "&size=" + size + sort;
            case LINK -> next;
          };
      RawResponse answer = client.get(target).send();
      assertThat(answer.status()).as(answer.body()).isEqualTo(200);
      JsonNode json = answer.json();
      json.path("content").forEach(wallet -> wallets.add(Wallet.of(wallet)));
      last = json.path("last").asBoolean();
      Matcher link = NEXT.matcher(answer.header("link"));
      assertThat(link.find()).as("a next page").isEqualTo(!last);
      next = last ? "" : link.group(1).replaceFirst("http://[^/]*", "");
    }
    return wallets;
  }
}
