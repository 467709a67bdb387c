package dev.countersign.server.portal.clients;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.AttributeProperties;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.listings.ListingProperties;
import dev.countersign.server.listings.ListingProperties.Builder;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.portal.clients.ScopeMatches.Match;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ScopeMatchesTest {
  private static final UUID OWNER = UUID.fromString("0b5f7a1e-38c4-4c1f-9b35-1c2d3e4f5a6b");
  private static final List<String> TABLES =
      List.of(
          "CREATE TABLE invoices (id integer NOT NULL PRIMARY KEY, customer_id text, branch integer,"
              + " owner uuid)",
          "INSERT INTO invoices VALUES (1, 'cust-1003', 7, '" + OWNER + "')",
          "INSERT INTO invoices VALUES (2, 'cust-1003', 7, NULL)",
          "INSERT INTO invoices VALUES (3, 'CUST-1003', 8, NULL)",
          "INSERT INTO invoices VALUES (4, NULL, NULL, NULL)");

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void values_areCountedByteForByte(TestStore store) throws Exception {
    store.run(directory, TABLES.toArray(String[]::new));
    try (Database database = store.open(directory)) {
      Map<String, String> scope =
          Map.of("customerId", "customerId", "branch", "branch", "owner", "owner");
      ScopeMatches matches = matches(database, invoices().scope(scope));

      assertThat(found(matches, "customerId", "cust-1003"))
          .containsExactly(new Match("matches 2 of 4 records of invoices", false));
      assertThat(found(matches, "customerId", "cust-9999"))
          .containsExactly(new Match("matches 0 of 4 records of invoices", true));
      assertThat(found(matches, "customerId", "cust-1003, cust-1004"))
          .containsExactly(new Match("matches 0 of 4 records of invoices", true));
      assertThat(found(matches, "customerId", "cust-1003", "CUST-1003", "cust-9999"))
          .containsExactly(
              new Match("matches 3 of 4 records of invoices; no record has \"cust-9999\"", true));
      assertThat(found(matches, "customerId", "cust-1003", "a", "b", "c", "d", "e"))
          .containsExactly(
              new Match(
                  "matches 2 of 4 records of invoices; no record has \"a\", \"b\", \"c\" and 2"
                      + " more",
                  true));
      assertThat(found(matches, "branch", 7L))
          .containsExactly(new Match("matches 2 of 4 records of invoices", false));
      assertThat(found(matches, "owner", OWNER))
          .containsExactly(new Match("matches 1 of 4 records of invoices", false));
      assertThat(found(matches, "other", "x")).isEmpty();
    }
  }

  @ParameterizedTest
  @EnumSource
  void table_ofTwoListings_isReadOnce(TestStore store) throws Exception {
    store.run(directory, TABLES.toArray(String[]::new));
    try (Database database = store.open(directory)) {
      Map<String, String> scope = Map.of("customerId", "customerId");
      ListingCatalog catalog =
          check(
              database,
              invoices().scope(scope),
              at("/billing/v2/invoices").table("\"invoices\"").scope(scope));

      assertThat(found(new ScopeMatches(catalog, database), "customerId", "cust-1003"))
          .containsExactly(new Match("matches 2 of 4 records of invoices", false));
    }
  }

  @ParameterizedTest
  @EnumSource
  void table_ofMoreThan10000Rows_isUnknown(TestStore store) throws Exception {
    store.run(
        directory,
        TABLES.getFirst(),
        "INSERT INTO invoices (id, customer_id) WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL"
            + " SELECT i + 1 FROM n WHERE i < 10000) SELECT i, 'a' FROM n");
    try (Database database = store.open(directory)) {
      ScopeMatches matches =
          matches(database, invoices().scope(Map.of("customerId", "customerId")));
      assertThat(found(matches, "customerId", "a"))
          .containsExactly(new Match("matches 10,000 of 10,000 records of invoices", false));
      store.run(directory, "INSERT INTO invoices (id) VALUES (10001)");
      assertThat(found(matches, "customerId", "a"))
          .containsExactly(
              new Match(
                  "matches an unknown number of records of invoices: there are more than 10,000"
                      + " records",
                  false));
    }
  }

  @Test
  void table_thatIsSlow_isUnknownAndOnlyTheFirstIsWaitedFor() throws Exception {
    TestStore.POSTGRESQL.run(directory, TABLES.toArray(String[]::new));
    TestStore.POSTGRESQL.run(
        directory,
        "CREATE VIEW slow AS SELECT i.* FROM invoices i, (SELECT pg_sleep(5) OFFSET 0) s");
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      Map<String, String> scope = Map.of("customerId", "customerId");
      Builder slow = at("/billing/v1/slow").table("slow").unique(Unique.ASSUMED).scope(scope);
      ListingCatalog catalog = check(database, slow, invoices().scope(scope));

      assertThat(found(new ScopeMatches(catalog, database), "customerId", "cust-1003"))
          .containsExactly(
              new Match(
                  "matches an unknown number of records of slow: the database took too long",
                  false),
              new Match(
                  "matches an unknown number of records of invoices: the database took too long",
                  false));
    }
  }

  @Test
  void table_withPolicies_isUnknown() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = "matching" + Integer.toHexString(directory.hashCode());
    store.empty(directory);
    store.run(
        directory,
        "CREATE ROLE " + user + " LOGIN",
        "CREATE SCHEMA countersign AUTHORIZATION " + user,
        "CREATE TABLE public.invoices (id int PRIMARY KEY, customer_id text, branch int,"
            + " owner uuid)",
        "GRANT SELECT ON public.invoices TO " + user,
        "ALTER TABLE public.invoices ENABLE ROW LEVEL SECURITY");
    String url = store.settings(directory).url();
    try (Database database =
        Database.open(new StoreSettings(directory, url, user, null, StoreSettings.SCHEMA))) {
      ScopeMatches matches =
          matches(database, invoices().scope(Map.of("customerId", "customerId")));
      assertThat(found(matches, "customerId", "acme"))
          .containsExactly(
              new Match(
                  "matches an unknown number of records of invoices: row-level security decides"
                      + " which records there are",
                  false));
    }
  }

  private static ScopeMatches matches(Database database, Builder definition) {
    return new ScopeMatches(check(database, definition), database);
  }

  private static ListingCatalog check(Database database, Builder... definitions) {
    Map<String, AttributeProperties> attributes =
        Map.of(
            "customerId", new AttributeProperties("text", true),
            "branch", new AttributeProperties("integer", true),
            "owner", new AttributeProperties("uuid", true));
    return ListingCatalog.create(
        Stream.of(definitions).map(Builder::build).toList(),
        Attributes.parse(attributes),
        database);
  }

  /** The matches, with the names of tables without their schema. */
  private static List<Match> found(ScopeMatches matches, String attribute, Object... values) {
    return matches.of(attribute, new AttributeValue.Values(List.of(values))).stream()
        .map(match -> new Match(match.sentence().replace("public.", ""), match.isSuspicious()))
        .toList();
  }

  private static Builder invoices() {
    return at("/billing/v1/invoices");
  }

  private static Builder at(String path) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put(
        "customerId",
        new FieldProperties("customer_id", "text", null, null, List.of(), null, false, null));
    fields.put("branch", FieldProperties.of("integer"));
    fields.put("owner", FieldProperties.of("uuid"));
    return ListingProperties.at(path).table("invoices").key("id").fields(fields);
  }
}
