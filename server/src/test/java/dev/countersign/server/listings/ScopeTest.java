package dev.countersign.server.listings;

import static dev.countersign.server.listings.ListingBench.customers;
import static dev.countersign.server.listings.ListingBench.everyone;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.LogCapture;
import dev.countersign.server.access.TestCaller;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;
import org.springframework.mock.web.MockHttpServletResponse;

class ScopeTest {
  private static final Map<String, AttributeValue> NONE = Map.of();

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void list_twoClients_eachSeesItsOwn(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench invoices = invoices(database, store);
      assertThat(invoices.ids(customers("acme"), "")).isEqualTo("1 2 3 of 3");
      assertThat(invoices.ids(customers("globex"), "")).isEqualTo("4 5 of 2");
      assertThat(invoices.ids(customers("acme", "globex"), "?sort=id,desc"))
          .isEqualTo("5 4 3 2 1 of 5");
      assertThat(invoices.ids(everyone(), "")).isEqualTo("1 2 3 4 5 6 of 6");
      assertThat(invoices.ids(customers("nobody"), "")).isEqualTo("of 0");
      assertThat(invoices.get(customers("acme"), "?size=2").getHeader("Link"))
          .contains("page=1>; rel=\"next\"", "page=1>; rel=\"last\"");
      assertThat(
              invoices
                  .answer(invoices.request(customers("acme"), "HEAD", "?size=2", ""))
                  .getHeader("Link"))
          .contains("page=1>; rel=\"last\"");
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_recordOfAnother_isRefusedLikeAnUnknownOne(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench invoices = invoices(database, store);
      assertThat(invoices.get(customers("acme"), "/1").getStatus()).isEqualTo(200);
      assertThat(invoices.get(everyone(), "/6").getStatus()).isEqualTo(200);
      for (String method : List.of("GET", "HEAD")) {
        Denial unknown = invoices.refusal(customers("acme"), method, "/99", "");
        assertThat(unknown.reason()).isEqualTo(Reason.NOT_FOUND);
        assertThat(invoices.refusal(customers("acme"), method, "/4", "")).isEqualTo(unknown);
        assertThat(invoices.refusal(customers("acme"), method, "/6", "")).isEqualTo(unknown);
      }
    }
  }

  /**
   * The time of the response must not tell them apart either; {@code benchmarks/scope} tests it.
   */
  @ParameterizedTest
  @EnumSource
  void one_recordOfAnother_isSearchedByTheStatementOfAnUnknownOne(TestStore store)
      throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench invoices = invoices(database, store);
      List<String> unknown =
          statements(() -> invoices.refusal(customers("acme"), "GET", "/99", ""));
      assertThat(unknown).filteredOn(line -> line.contains("SELECT")).hasSize(1);
      assertThat(statements(() -> invoices.refusal(customers("acme"), "GET", "/44", "")))
          .isEqualTo(unknown);
      assertThat(statements(() -> invoices.refusal(customers("acme"), "GET", "/4", "")))
          .isEqualTo(unknown);
    }
  }

  /** Returns the statements that run, and the number of each parameter. */
  private static List<String> statements(Runnable work) {
    Logger jdbc = (Logger) LoggerFactory.getLogger("org.springframework.jdbc.core");
    jdbc.setLevel(Level.TRACE);
    try (LogCapture log = LogCapture.of(jdbc.getName())) {
      work.run();
      return log.linesOfThisThread().stream()
          .map(line -> line.replaceAll("parameter value \\[.*", ""))
          .toList();
    } finally {
      jdbc.setLevel(null);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyOperation_ofAClientWithoutTheAttribute_isRefusedByTheAuthorization(TestStore store)
      throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench invoices = invoices(database, store);
      for (Denial denial :
          List.of(
              invoices.refusal(NONE, "GET", "?size=bad", ""),
              invoices.refusal(NONE, "GET", "/1", ""),
              invoices.refusal(NONE, "HEAD", "/1", ""),
              invoices.refusal(NONE, "POST", "", "{\"id\":9}"))) {
        assertThat(denial.reason()).isEqualTo(Reason.SCOPE_MISSING);
        assertThat(denial.check()).isEqualTo(Check.AUTHORIZATION);
        assertThat(denial.detail()).contains("no attribute customerId;");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void list_customersThatTheCollationTakesForEqual_areKeptApart(TestStore store) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      if (postgresql) {
        store.run(
            directory,
            "CREATE COLLATION public.loose"
                + " (provider = icu, locale = 'und-u-ks-level1', deterministic = false)");
      }
      String collation = postgresql ? "COLLATE public.loose" : "COLLATE NOCASE";
      List<String> names = List.of("acme", "ACME", "äcme", "acme ", " acme", "acme\u0301");
      ListingBench invoices = invoices(database, store, "text " + collation, names);
      for (int id = 0; id < names.size(); id++) {
        assertThat(invoices.ids(customers(names.get(id)), "")).isEqualTo(id + " of 1");
        assertThat(
                invoices.refusal(customers(names.get(id)), "GET", "/" + (id + 1) % 6, "").reason())
            .isEqualTo(Reason.NOT_FOUND);
      }
      assertThat(invoices.ids(customers("acme", "ACME"), "")).isEqualTo("0 1 of 2");
      assertThat(invoices.ids(customers("Acme", "ÄCME", "acme  "), "")).isEqualTo("of 0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void list_blanksAtTheEndOfAChar_areNotPartOfTheValue(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench invoices = invoices(database, store, "char(6)", List.of("acme", "acme "));
      boolean pads = store == TestStore.POSTGRESQL;
      assertThat(invoices.ids(customers("acme"), "")).isEqualTo(pads ? "0 1 of 2" : "0 of 1");
      assertThat(invoices.ids(customers("acme "), "")).isEqualTo(pads ? "of 0" : "1 of 1");
      assertThat(invoices.ids(customers("acme ", "x"), "")).isEqualTo(pads ? "of 0" : "1 of 1");
      assertThat(
              invoices
                  .refusal(customers("acme"), "POST", "", "{\"id\":9,\"customerId\":\"acme \"}")
                  .reason())
          .isEqualTo(pads ? Reason.BODY_INVALID : Reason.SCOPE_VIOLATION);
    }
  }

  @ParameterizedTest
  @EnumSource
  void list_severalScopes_mustAllHold(TestStore store) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    UUID one = UUID.fromString("1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f");
    UUID two = UUID.fromString("2f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f");
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE notes (id integer NOT NULL PRIMARY KEY, branch "
              + (postgresql ? "smallint" : "integer")
              + ", owner "
              + (postgresql ? "uuid" : "text")
              + ")",
          String.format(
              Locale.ROOT,
              "INSERT INTO notes VALUES (1, 1, '%s'), (2, 1, '%s'), (3, 2, '%s'), (4, 1, NULL)",
              one,
              two,
              one));
      Map<String, FieldProperties> fields = new LinkedHashMap<>();
      fields.put("id", FieldProperties.of("integer"));
      fields.put("branch", FieldProperties.of("integer"));
      fields.put("owner", FieldProperties.of("uuid"));
      ListingBench notes =
          new ListingBench(
              database,
              ListingProperties.at("/lab/v1/notes")
                  .table("notes")
                  .key("id")
                  .fields(fields)
                  .scope(Map.of("branch", "branch", "owner", "owner"))
                  .build());
      assertThat(notes.ids(both(List.of(1L), List.of(one)), "")).isEqualTo("1 of 1");
      assertThat(notes.ids(both(List.of(1L, 2L), List.of(one)), "")).isEqualTo("1 3 of 2");
      assertThat(notes.ids(both(List.of(1L), List.of(one, two)), "")).isEqualTo("1 2 of 2");
      assertThat(notes.ids(both(List.of(Long.MAX_VALUE), List.of(two)), "")).isEqualTo("of 0");
      assertThat(
              notes.ids(
                  Map.of(
                      "branch",
                      new AttributeValue.Values(List.of(1L)),
                      "owner",
                      new AttributeValue.Everything()),
                  ""))
          .isEqualTo("1 2 4 of 3");
      assertThat(
              notes
                  .refusal(Map.of("branch", new AttributeValue.Everything()), "GET", "", "")
                  .detail())
          .contains("no attribute owner;");
    }
  }

  private static Map<String, AttributeValue> both(List<Object> branches, List<Object> owners) {
    return Map.of(
        "branch", new AttributeValue.Values(branches), "owner", new AttributeValue.Values(owners));
  }

  @ParameterizedTest
  @EnumSource
  void list_ofAThousandHostileValues_findsExactlyThem(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      List<String> names = List.of("'; DROP TABLE invoices; --", "%", "\\", "{a,b}", "\"", "😀");
      ListingBench invoices = invoices(database, store, "text", names);
      Object[] values =
          IntStream.range(0, 1000)
              .mapToObj(n -> n < names.size() ? names.get(n) : "x'\"\\%{}," + n)
              .toArray();
      assertThat(invoices.ids(customers(values), "")).isEqualTo("0 1 2 3 4 5 of 6");
      assertThat(invoices.ids(customers("_"), "")).isEqualTo("of 0");
      assertThat(invoices.ids(customers("%"), "")).isEqualTo("1 of 1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void post_scope_isFilledInAndChecked(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench invoices = invoices(database, store);
      assertThat(invoices.post(customers("acme"), "{\"id\":10}").getContentAsString())
          .isEqualTo("{\"id\":10,\"customerId\":\"acme\"}");
      assertThat(
              invoices.post(customers("acme"), "{\"id\":11,\"customerId\":\"acme\"}").getStatus())
          .isEqualTo(201);
      assertThat(
              invoices
                  .post(customers("acme", "globex"), "{\"id\":12,\"customerId\":\"globex\"}")
                  .getStatus())
          .isEqualTo(201);
      assertThat(invoices.post(everyone(), "{\"id\":13,\"customerId\":null}").getStatus())
          .isEqualTo(201);
      for (String outside : List.of("\"globex\"", "\"ACME\"", "\"acme \"", "null")) {
        Denial denial =
            invoices.refusal(
                customers("acme", "initech"),
                "POST",
                "",
                "{\"id\":14,\"customerId\":" + outside + "}");
        assertThat(denial.reason()).isEqualTo(Reason.SCOPE_VIOLATION);
        assertThat(denial.check()).isEqualTo(Check.AUTHORIZATION);
        assertThat(denial.detail())
            .isEqualTo(
                "customerId must be one of the client's own values; correct it, or ask the operator"
                    + " to add the value");
      }
      for (Map<String, AttributeValue> several : List.of(customers("acme", "globex"), everyone())) {
        Denial denial = invoices.refusal(several, "POST", "", "{\"id\":14}");
        assertThat(denial.reason()).isEqualTo(Reason.BODY_INVALID);
        assertThat(denial.detail())
            .isEqualTo(
                "customerId is missing; the client may use several values, so give one of them");
      }
      assertThat(invoices.ids(everyone(), "?offset=6")).isEqualTo("10 11 12 13 of 10");
    }
  }

  // A trigger of SQLite cannot change the row that is inserted.
  @Test
  void post_recordThatATriggerMovesOutside_isNotStored() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      ListingBench invoices = invoices(database, store);
      store.run(
          directory,
          "CREATE FUNCTION public.moved() RETURNS trigger LANGUAGE plpgsql AS"
              + " $$ BEGIN new.customer_id := 'globex'; RETURN new; END $$",
          "CREATE TRIGGER moved BEFORE INSERT ON public.invoices"
              + " FOR EACH ROW EXECUTE FUNCTION public.moved()");
      Denial denial = invoices.refusal(customers("acme"), "POST", "", "{\"id\":10}");
      assertThat(denial.reason()).isEqualTo(Reason.SCOPE_VIOLATION);
      assertThat(denial.check()).isEqualTo(Check.AUTHORIZATION);
      assertThat(invoices.ids(everyone(), "?offset=6")).isEqualTo("of 6");
    }
  }

  @ParameterizedTest
  @EnumSource
  void post_storedAnswer_isGivenUnderItsScopeOnly(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench invoices = invoices(database, store);
      assertThat(invoices.answer(keyed(invoices, customers("acme", "globex"))).getStatus())
          .isEqualTo(201);
      MockHttpServletResponse again = invoices.answer(keyed(invoices, customers("globex", "acme")));
      assertThat(again.getHeader("Idempotency-Replayed")).isEqualTo("true");
      for (Map<String, AttributeValue> changed :
          List.of(customers("acme"), customers("acme", "globex", "initech"), everyone())) {
        Denial denial = invoices.refusal(keyed(invoices, changed));
        assertThat(denial.reason()).isEqualTo(Reason.SCOPE_VIOLATION);
        assertThat(denial.check()).isEqualTo(Check.AUTHORIZATION);
        assertThat(denial.detail()).contains("attributes have changed");
      }
      assertThat(invoices.ids(everyone(), "?offset=6")).isEqualTo("10 of 7");
    }
  }

  private static TestCaller.Call keyed(ListingBench invoices, Map<String, AttributeValue> client) {
    return Calls.signed(
        "POST",
        invoices.listing.path(),
        "{\"id\":10,\"customerId\":\"acme\"}",
        client,
        Map.of("Idempotency-Key", "the-key"),
        invoices.listing.createPermission().toString());
  }

  /** Invoices 1 to 3 of acme, 4 and 5 of globex, and 6 of nobody. */
  private ListingBench invoices(Database database, TestStore store) throws Exception {
    ListingBench invoices =
        invoices(database, store, "text", List.of("x", "acme", "acme", "acme", "globex", "globex"));
    store.run(
        directory, "DELETE FROM invoices WHERE id = 0", "INSERT INTO invoices VALUES (6, NULL)");
    return invoices;
  }

  private ListingBench invoices(
      Database database, TestStore store, String type, List<String> customers) throws Exception {
    String rows =
        IntStream.range(0, customers.size())
            .mapToObj(id -> "(" + id + ", '" + customers.get(id).replace("'", "''") + "')")
            .collect(Collectors.joining(", "));
    store.run(
        directory,
        "CREATE TABLE invoices (id integer NOT NULL PRIMARY KEY, customer_id " + type + ")",
        "INSERT INTO invoices VALUES " + rows);
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put(
        "customerId",
        new FieldProperties("customer_id", "text", null, null, List.of(), null, false, null));
    return new ListingBench(
        database,
        ListingProperties.at("/billing/v1/invoices")
            .table("invoices")
            .key("id")
            .fields(fields)
            .sortable(List.of("id", "customerId"))
            .scope(Map.of("customerId", "customerId"))
            .create(true)
            .build());
  }
}
