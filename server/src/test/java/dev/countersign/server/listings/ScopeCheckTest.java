package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.listings.Listing.SortReport;
import dev.countersign.server.listings.ListingProperties.Builder;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The messages of the start about scopes and filters. */
@ExtendWith(OutputCaptureExtension.class)
class ScopeCheckTest {
  private static final String INVOICES =
      "CREATE TABLE invoices (id text NOT NULL PRIMARY KEY, customer_id text, branch integer,"
          + " number text, made integer, sort text)";

  private enum Outcome {
    QUIET,
    WARNED
  }

  @TempDir Path directory;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "customer | customerId | scope customer: there is no such field: add it to fields",
        "customerId | customer | scope customerId: there is no attribute customer: add it under"
            + " countersign.attributes",
        "customerId | owner | scope customerId: the field is of type text and the attribute owner"
            + " of type uuid: give both the same type",
        "branch | customerId | scope branch: the field is of type integer and the attribute"
            + " customerId of type text: give both the same type",
      })
  void scope_thatDoesNotFit_isNamed(String field, String attribute, String problem)
      throws Exception {
    refused(invoices().scope(Map.of(field, attribute)), problem);
  }

  @Test
  void scope_ofAGeneratedField_refusesCreation() throws Exception {
    Map<String, FieldProperties> fields = new LinkedHashMap<>(fields());
    fields.put(
        "branch", new FieldProperties("id2", "integer", null, null, List.of(), null, true, null));
    TestStore.SQLITE.run(
        directory,
        "CREATE TABLE invoices (id text NOT NULL PRIMARY KEY, customer_id text,"
            + " id2 integer DEFAULT 7, number text, made integer, sort text)");
    try (Database database = TestStore.SQLITE.open(directory)) {
      assertThatThrownBy(
              () ->
                  ListingBench.check(
                      database,
                      invoices()
                          .fields(fields)
                          .create(true)
                          .scope(Map.of("branch", "branch"))
                          .build()))
          .hasMessage(
              "listing /billing/v1/invoices: scope branch: the field is generated, so a new record"
                  + " could be outside the scope of its client: set create: false, or remove"
                  + " generated");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "unknown | filterable must contain only field names, was unknown",
        "sort | filterable must not contain sort, because requests have a parameter with this name:"
            + " rename the field",
        "number,number | filterable contains number twice",
      })
  void filterable_thatCannotBe_isNamed(String names, String problem) throws Exception {
    refused(invoices().filterable(List.of(names.split(","))), problem);
  }

  private void refused(Builder definition, String problem) throws Exception {
    TestStore.SQLITE.run(directory, INVOICES);
    try (Database database = TestStore.SQLITE.open(directory)) {
      assertThatThrownBy(() -> ListingBench.check(database, definition.build()))
          .isInstanceOf(ListingException.class)
          .hasMessage("listing /billing/v1/invoices: " + problem);
    }
  }

  @ParameterizedTest
  @EnumSource
  void uniqueIndex_overTheRecordsOfAll_isWarnedOf(TestStore store, CapturedOutput output)
      throws Exception {
    store.run(
        directory,
        INVOICES,
        "CREATE UNIQUE INDEX by_number ON invoices (number)",
        "CREATE UNIQUE INDEX by_customer ON invoices (customer_id, number)",
        "CREATE UNIQUE INDEX by_made ON invoices (made)",
        "CREATE UNIQUE INDEX by_lower ON invoices (lower(number))");
    try (Database database = store.open(directory)) {
      ListingBench.check(
          database, invoices().create(true).scope(Map.of("customerId", "customerId")).build());
      assertThat(output.toString().lines().filter(line -> line.contains("is unique over")))
          .hasSize(3)
          .anySatisfy(
              line ->
                  assertThat(line)
                      .contains(
                          "WARN",
                          "listing /billing/v1/invoices: by_number is unique over the records of all"
                              + " clients",
                          "which values of number others have; make it begin with"
                              + " customer_id"))
          .anySatisfy(line -> assertThat(line).contains("values of id others have"))
          .anySatisfy(line -> assertThat(line).contains("by_lower is unique over"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // With the scope in any place, records of different clients are in no conflict.
        "QUIET | UNIQUE INDEX one ON invoices (number, customer_id)",
        "QUIET | UNIQUE INDEX one ON invoices (lower(number), customer_id)",
        "QUIET | UNIQUE INDEX one ON invoices (number, customer_id) WHERE branch = 1",
        "WARNED | UNIQUE INDEX one ON invoices (number) WHERE branch = 1",
        "WARNED | UNIQUE INDEX one ON invoices (number, lower(customer_id))",
        "WARNED | UNIQUE INDEX one ON invoices (number, branch)",
        // The database makes the value, or NULL is equal to no other.
        "QUIET | UNIQUE INDEX one ON invoices (number, made)",
        "QUIET | UNIQUE INDEX one ON invoices (number, random)",
        "WARNED | UNIQUE INDEX one ON invoices (number, fixed)",
        "WARNED | UNIQUE INDEX one ON invoices (computed)",
        "WARNED | UNIQUE INDEX one ON invoices (number, computed)",
      })
  void uniqueIndex_ofEachKind_isWarnedOfIfItTellsOfOthers(
      Outcome outcome, String index, CapturedOutput output) throws Exception {
    for (TestStore store : TestStore.values()) {
      requireOutcome(outcome, store, Set.of("customerId"), "CREATE " + index, output);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "WARNED, 'number, customer_id'",
    "WARNED, 'branch, number'",
    "QUIET, 'branch, number, customer_id'",
  })
  void uniqueIndex_ofSeveralScopeColumns_mustContainAll(
      Outcome outcome, String columns, CapturedOutput output) throws Exception {
    for (TestStore store : TestStore.values()) {
      requireOutcome(
          outcome,
          store,
          Set.of("customerId", "branch"),
          "CREATE UNIQUE INDEX one ON invoices (" + columns + ")",
          output);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "QUIET | COLLATE BINARY",
        "WARNED | COLLATE NOCASE",
        "WARNED | COLLATE RTRIM",
      })
  void uniqueIndex_ofACollationOfSqlite_mustCompareBytes(
      Outcome outcome, String collation, CapturedOutput output) throws Exception {
    requireOutcome(
        outcome,
        TestStore.SQLITE,
        Set.of("customerId"),
        "CREATE UNIQUE INDEX one ON invoices (number COLLATE NOCASE, customer_id "
            + collation
            + ")",
        output);
    if (outcome == Outcome.WARNED) {
      assertThat(output)
          .contains(
              "listing /billing/v1/invoices: one does not compare its columns byte for byte, so a"
                  + " client that creates records can find out which values of number, customer_id"
                  + " others have; recreate the index so that it distinguishes all values of"
                  + " customer_id");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WARNED | CREATE UNIQUE INDEX one ON invoices (number, customer_id COLLATE public.loose)",
        "QUIET | CREATE UNIQUE INDEX one ON invoices (number COLLATE public.loose, customer_id)",
        "QUIET | CREATE UNIQUE INDEX one ON invoices (number, customer_id text_pattern_ops)",
        "WARNED | CREATE UNIQUE INDEX one ON invoices (number) INCLUDE (customer_id)",
        "QUIET | ALTER TABLE invoices ADD CONSTRAINT one"
            + " EXCLUDE USING btree (number WITH =, customer_id WITH =)",
        "WARNED | ALTER TABLE invoices ADD CONSTRAINT one EXCLUDE USING btree (number WITH =)",
        "WARNED | ALTER TABLE invoices ADD CONSTRAINT one EXCLUDE USING hash"
            + " ((lower(customer_id)) WITH =)",
      })
  void uniqueIndex_ofPostgresql_isWarnedOfIfItTellsOfOthers(
      Outcome outcome, String statement, CapturedOutput output) throws Exception {
    requireOutcome(outcome, TestStore.POSTGRESQL, Set.of("customerId"), statement, output);
  }

  private void requireOutcome(
      Outcome outcome, TestStore store, Set<String> scope, String statement, CapturedOutput output)
      throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    long before = warningsOfOne(output);
    try (Database database = store.open(directory)) {
      if (postgresql) {
        store.run(
            directory,
            "CREATE COLLATION public.loose"
                + " (provider = icu, locale = 'und-u-ks-level1', deterministic = false)");
      }
      store.run(
          directory,
          "CREATE TABLE invoices (id text NOT NULL PRIMARY KEY, customer_id text, branch integer,"
              + " number text, made integer, sort text, fixed text DEFAULT 'f(x)',"
              + " random text DEFAULT "
              + (postgresql ? "gen_random_uuid()" : "(hex(randomblob(8)))")
              + ", computed text GENERATED ALWAYS AS (lower(number)) STORED"
              + ")",
          statement);
      ListingBench.check(
          database,
          invoices()
              .create(true)
              .scope(scope.stream().collect(Collectors.toMap(field -> field, field -> field)))
              .build());
    }
    assertThat(warningsOfOne(output) - before)
        .as("%s on %s", statement, store)
        .isEqualTo(outcome == Outcome.WARNED ? 1 : 0);
  }

  private static long warningsOfOne(CapturedOutput output) {
    return output.toString().lines().filter(line -> line.contains("/invoices: one ")).count();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "WARNED | FOREIGN KEY (number) REFERENCES wallets2 (id)",
        "WARNED | FOREIGN KEY (number) REFERENCES invoices (id)",
        "WARNED | FOREIGN KEY (NUMBER) REFERENCES Shouted (ID)",
        "QUIET | FOREIGN KEY (customer_id, number) REFERENCES wallets2 (customer_id, id)",
        // Not a table with records of clients.
        "QUIET | FOREIGN KEY (number) REFERENCES currencies (code)",
        // A client cannot choose its own scope, nor what the database makes.
        "QUIET | FOREIGN KEY (customer_id) REFERENCES customers (customer_id)",
        "QUIET | FOREIGN KEY (made) REFERENCES wallets2 (number)",
      })
  void foreignKey_isWarnedOfIfItTellsOfOthers(
      Outcome outcome, String foreignKey, CapturedOutput output) throws Exception {
    for (TestStore store : TestStore.values()) {
      try (Database database = store.open(directory)) {
        createTarget(store);
        store.run(directory, INVOICES.replaceFirst("[)]$", ", " + foreignKey + ")"));
        long before = warningsOfReferences(output);
        ListingBench.check(
            database, invoices().create(true).scope(Map.of("customerId", "customerId")).build());
        assertThat(warningsOfReferences(output) - before)
            .as("%s on %s", foreignKey, store)
            .isEqualTo(outcome == Outcome.WARNED ? 1 : 0);
        if (outcome == Outcome.WARNED) {
          assertThat(output)
              .contains(
                  "the foreign key of number does not contain the scope",
                  "others have; make the foreign key begin with customer_id");
        }
      }
    }
  }

  private void createTarget(TestStore store) throws Exception {
    store.run(
        directory,
        "CREATE TABLE wallets2 (id text PRIMARY KEY, customer_id text, number integer UNIQUE,"
            + " UNIQUE (customer_id, id))",
        "CREATE TABLE Shouted (ID text PRIMARY KEY, CUSTOMER_ID text)",
        "CREATE TABLE customers (customer_id text PRIMARY KEY)",
        "CREATE TABLE currencies (code text PRIMARY KEY)");
  }

  private static long warningsOfReferences(CapturedOutput output) {
    return output
        .toString()
        .lines()
        .filter(
            line ->
                line.contains("WARN")
                    && line.contains("listing /billing/v1/invoices: the foreign key of "))
        .count();
  }

  /** The table has no such column, but another listing says whose its records are. */
  @ParameterizedTest
  @EnumSource
  void foreignKey_toTheTableOfAListingWithAScope_isWarnedOf(TestStore store, CapturedOutput output)
      throws Exception {
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE accounts (id text NOT NULL PRIMARY KEY, owner text)",
          INVOICES.replaceFirst("[)]$", ", FOREIGN KEY (number) REFERENCES accounts (id))"));
      Builder accounts =
          at("/billing/v1/accounts")
              .table("accounts")
              .fields(Map.of("key", keyed("id"), "owner", text("owner")))
              .key("key");
      Builder invoices = invoices().create(true).scope(Map.of("customerId", "customerId"));
      ListingBench.check(database, List.of(invoices.build(), accounts.build()));
      assertThat(warningsOfReferences(output)).isZero();
      ListingBench.check(
          database,
          List.of(invoices.build(), accounts.scope(Map.of("owner", "customerId")).build()));
      assertThat(warningsOfReferences(output)).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void uniqueIndex_ofAListingWithoutScopeOrCreation_isNotWarnedOf(
      TestStore store, CapturedOutput output) throws Exception {
    store.run(directory, INVOICES);
    try (Database database = store.open(directory)) {
      ListingBench.check(database, invoices().create(true).build());
      ListingBench.check(database, invoices().scope(Map.of("customerId", "customerId")).build());
      assertThat(output).doesNotContain("is unique over");
    }
  }

  @ParameterizedTest
  @EnumSource
  void listing_withoutTheScopeOfAnother_isWarnedOf(TestStore store, CapturedOutput output)
      throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    store.run(directory, INVOICES, "CREATE VIEW all_invoices AS SELECT * FROM invoices");
    String sameTable = postgresql ? "public.invoices" : "INVOICES";
    try (Database database = store.open(directory)) {
      ListingCatalog catalog =
          ListingBench.check(
              database,
              List.of(
                  invoices().scope(Map.of("customerId", "customerId", "branch", "branch")).build(),
                  at("/billing/v1/all").table(sameTable).build(),
                  at("/billing/v1/some")
                      .table(postgresql ? "\"public\".\"invoices\"" : "\"invoices\"")
                      .fields(Map.of("key", keyed("id"), "owner", text("customer_id")))
                      .key("key")
                      .scope(Map.of("owner", "customerId"))
                      .build(),
                  at("/billing/v1/branches").scope(Map.of("number", "customerId")).build(),
                  at("/billing/v1/viewed").table("all_invoices").unique(Unique.ASSUMED).build()));

      assertThat(warningsOfScopes(output))
          .containsExactlyInAnyOrder(
              "/billing/v1/all /billing/v1/invoices branch, customerId",
              "/billing/v1/all /billing/v1/some customerId",
              "/billing/v1/all /billing/v1/branches customerId",
              "/billing/v1/some /billing/v1/invoices branch");
      assertThat(catalog.narrowerThan(catalog.all().get(2)))
          .containsExactly(
              new ListingCatalog.NarrowerListing("/billing/v1/invoices", List.of("branch")));
    }
  }

  @Test
  void listing_ofAnotherTableWithTheSameName_isNotWarnedOf(CapturedOutput output) throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    store.run(
        directory,
        INVOICES,
        "CREATE SCHEMA sales",
        INVOICES.replace("invoices", "sales.invoices"),
        INVOICES.replace("invoices", "\"Invoices\""));
    try (Database database = store.open(directory)) {
      ListingBench.check(
          database,
          List.of(
              invoices().scope(Map.of("customerId", "customerId")).build(),
              at("/billing/v1/sales").table("sales.invoices").build(),
              at("/billing/v1/cased").table("\"Invoices\"").build()));
      assertThat(warningsOfScopes(output)).isEmpty();
    }
  }

  /** The listing, the narrower one and the attributes of each warning. */
  private static List<String> warningsOfScopes(CapturedOutput output) {
    Pattern warning =
        Pattern.compile(
            "listing (\\S+) shows records of \\S+ that listing (\\S+) hides, because only the latter"
                + " compares them with the attribute ([^:]+):");
    return warning
        .matcher(output.toString())
        .results()
        .map(found -> found.group(1) + " " + found.group(2) + " " + found.group(3))
        .toList();
  }

  private static Builder at(String path) {
    return ListingProperties.at(path).table("invoices").key("id").fields(fields());
  }

  private static FieldProperties keyed(String column) {
    return new FieldProperties(column, "text", 40, null, List.of(), null, false, null);
  }

  @ParameterizedTest
  @EnumSource
  void sort_ofAScopedListing_needsAnIndexThatBeginsWithTheScope(TestStore store) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    store.run(directory, INVOICES, "CREATE INDEX by_number ON invoices (number, id)");
    try (Database database = store.open(directory)) {
      Listing invoices =
          ListingBench.check(
                  database,
                  invoices()
                      .sortable(List.of("number", "customerId"))
                      .scope(Map.of("customerId", "customerId"))
                      .build())
              .all()
              .getFirst();
      List<SortReport> before = invoices.sorts(database);
      assertThat(before).extracting(SortReport::isServed).containsOnly(false);
      assertThat(before)
          .filteredOn(sort -> sort.field().equals("number"))
          .extracting(SortReport::statement)
          .containsExactly(
              postgresql
                  ? "CREATE INDEX CONCURRENTLY ON \"public\".\"invoices\" (\"customer_id\","
                      + " \"number\" COLLATE \"C\" NULLS FIRST, \"id\" COLLATE \"C\");"
                  : "CREATE INDEX \"invoices_by_customer_id_number\" ON \"invoices\""
                      + " (\"customer_id\", \"number\" COLLATE BINARY, \"id\" COLLATE BINARY);");
      // The sorts by the key and by the field of the scope need the same index.
      for (String statement :
          before.stream().map(SortReport::statement).collect(Collectors.toSet())) {
        store.run(directory, statement);
      }
      assertThat(invoices.sorts(database)).extracting(SortReport::isServed).containsOnly(true);
      store.run(
          directory,
          "INSERT INTO invoices (id, customer_id) VALUES ('1', 'a'), ('2', 'a'), ('3', 'b')");
      if (postgresql) {
        store.run(directory, "ANALYZE invoices");
      }
      assertThat(invoices.sorts(database)).extracting(SortReport::isServed).containsOnly(true);
    }
  }

  private static Builder invoices() {
    return at("/billing/v1/invoices");
  }

  private static Map<String, FieldProperties> fields() {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", new FieldProperties(null, "text", 40, null, List.of(), null, false, null));
    fields.put("customerId", text("customer_id"));
    fields.put("branch", FieldProperties.of("integer"));
    fields.put("number", text(null));
    fields.put("sort", text(null));
    return fields;
  }

  private static FieldProperties text(String column) {
    return new FieldProperties(column, "text", null, null, List.of(), null, false, null);
  }
}
