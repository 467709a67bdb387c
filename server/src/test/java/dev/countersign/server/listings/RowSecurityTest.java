package dev.countersign.server.listings;

import static dev.countersign.server.listings.ListingBench.customers;
import static dev.countersign.server.listings.ListingBench.everyone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.listings.Listing.RowSecurity;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.RowLevelSecurity;
import dev.countersign.server.listings.totals.TotalsMode;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The operator's own policies of row-level security beside the scope. */
class RowSecurityTest {
  /** The policy of docs/security.md. */
  private static final String POLICY =
      """
      CREATE POLICY own ON public.invoices FOR %s TO PUBLIC %s (
        nullif(current_setting('countersign.everything_customerId', true), '') = 'true'
        OR customer_id = ANY (ARRAY(
          SELECT jsonb_array_elements_text(
            nullif(current_setting('countersign.attribute_customerId', true), '')::jsonb))))""";

  @TempDir Path directory;
  private final TestStore store = TestStore.POSTGRESQL;
  private String user;

  @BeforeEach
  void createTable() throws SQLException {
    user = "guarded" + Integer.toHexString(directory.hashCode());
    store.empty(directory);
    run(
        "CREATE ROLE " + user + " LOGIN",
        "CREATE SCHEMA countersign AUTHORIZATION " + user,
        "CREATE TABLE public.invoices (id int PRIMARY KEY, customer_id text)",
        "INSERT INTO public.invoices VALUES"
            + " (1, 'acme'), (2, 'acme'), (3, 'globex'), (4, 'it''s'), (5, NULL)",
        "GRANT SELECT, INSERT ON public.invoices TO " + user,
        "ALTER TABLE public.invoices ENABLE ROW LEVEL SECURITY");
  }

  @Test
  void policyThatIsWider_leavesTheScope() throws Exception {
    run("CREATE POLICY all_rows ON public.invoices USING (true)");
    try (Database database = open()) {
      ListingBench invoices = invoices(database, Map.of("customerId", "customerId"));
      assertThat(invoices.ids(customers("acme"), "")).isEqualTo("1 2 of 2");
      assertThat(invoices.ids(everyone(), "")).isEqualTo("1 2 3 4 5 of 5");
      assertThat(invoices.refusal(customers("acme"), "GET", "/3", "").reason())
          .isEqualTo(Reason.NOT_FOUND);
    }
  }

  @Test
  void policyThatIsNarrower_decides_totalsToo() throws Exception {
    run("CREATE POLICY late ON public.invoices USING (id > 1)");
    try (Database database = open()) {
      ListingBench invoices = invoices(database, Map.of("customerId", "customerId"));
      assertThat(invoices.ids(customers("acme"), "")).isEqualTo("2 of 1");
      assertThat(invoices.ids(everyone(), "")).isEqualTo("2 3 4 5 of 4");
      assertThat(invoices.refusal(customers("acme"), "GET", "/1", "").reason())
          .isEqualTo(Reason.NOT_FOUND);
      Denial denial = invoices.refusal(customers("acme"), "POST", "", "{\"id\":-1}");
      assertThat(denial.reason()).isEqualTo(Reason.SCOPE_VIOLATION);
      assertThat(denial.check()).isEqualTo(Check.AUTHORIZATION);
    }
  }

  @Test
  void policyOfTheDocuments_recognizesTheClientWithoutAScope() throws Exception {
    run(
        String.format(Locale.ROOT, POLICY, "SELECT", "USING"),
        String.format(Locale.ROOT, POLICY.replace("own", "new"), "INSERT", "WITH CHECK"));
    try (Database database = open()) {
      ListingBench invoices = invoices(database, Map.of());
      assertThat(invoices.ids(customers("acme"), "")).isEqualTo("1 2 of 2");
      assertThat(invoices.ids(customers("it's", "globex"), "")).isEqualTo("3 4 of 2");
      assertThat(invoices.ids(everyone(), "")).isEqualTo("1 2 3 4 5 of 5");
      assertThat(invoices.ids(Map.of(), "")).isEqualTo("of 0");
      assertThat(invoices.post(customers("acme"), "{\"id\":6,\"customerId\":\"acme\"}").getStatus())
          .isEqualTo(201);
      assertThat(
              invoices
                  .refusal(customers("acme"), "POST", "", "{\"id\":7,\"customerId\":\"globex\"}")
                  .reason())
          .isEqualTo(Reason.SCOPE_VIOLATION);
      // The settings end with the transaction, and the next one may use the same connection.
      assertThat(new TableProbe(invoices.listing, database).total()).isZero();
    }
  }

  @Test
  void policyByClientId_recognizesTheClient() throws Exception {
    run(
        "CREATE POLICY partner ON public.invoices USING"
            + " (current_setting('countersign.client_id', true) = 'partner' AND id = 3)");
    try (Database database = open()) {
      assertThat(invoices(database, Map.of()).ids(Map.of(), "")).isEqualTo("3 of 1");
    }
  }

  @Test
  void policyByClientId_keptTotals_areNeverSharedBetweenClients() throws Exception {
    run(
        "CREATE POLICY partner ON public.invoices USING (customer_id ="
            + " current_setting('countersign.client_id', true))");
    run("INSERT INTO public.invoices VALUES (6, 'globex'), (7, 'globex')");
    ListingProperties kept =
        definition(Map.of()).totals(new TotalsMode(Duration.ofMinutes(1))).build();
    try (Database database = open()) {
      ListingBench invoices = new ListingBench(database, kept);
      assertThat(invoices.ids("acme", "?size=1")).isEqualTo("1 of 2");
      assertThat(invoices.ids("globex", "?size=1")).isEqualTo("3 of 3");
      run("INSERT INTO public.invoices VALUES (8, 'acme')");
      assertThat(invoices.ids("acme", "?size=1")).as("a total that was kept").isEqualTo("1 of 2");
    }
  }

  /** A policy sees the statement that reads the rows. */
  @Test
  void pageFarFromTheStart_isReadByKeysFromTheNearerEnd() throws Exception {
    run(
        "INSERT INTO public.invoices SELECT n, 'acme' FROM generate_series(10, 3009) n",
        "CREATE FUNCTION public.observed(pattern text) RETURNS boolean LANGUAGE plpgsql VOLATILE AS"
            + " $$ BEGIN IF current_query() NOT LIKE '%SELECT pg_catalog.count(%'"
            + " AND current_query() NOT LIKE pattern THEN RAISE 'read'; END IF; RETURN true; END $$");
    try (Database database = open()) {
      ListingBench invoices = invoices(database, Map.of());
      run(
          "CREATE POLICY observed ON public.invoices USING (public.observed('%countersign page%'))");
      assertThat(invoices.ids(Map.of(), "?size=2&offset=1000")).isEqualTo("1005 1006 of 3005");
      assertThat(invoices.refusal(Map.of(), "GET", "?size=2&offset=10", "").reason())
          .as("a page near the start")
          .isEqualTo(Reason.INTERNAL_ERROR);
      run(
          "DROP POLICY observed ON public.invoices",
          "CREATE POLICY observed ON public.invoices"
              + " USING (public.observed('%countersign page% DESC LIMIT %'))");
      assertThat(invoices.ids(Map.of(), "?size=2&offset=2900")).isEqualTo("2905 2906 of 3005");
      assertThat(invoices.refusal(Map.of(), "GET", "?size=2&offset=1000", "").reason())
          .as("nearer to the start")
          .isEqualTo(Reason.INTERNAL_ERROR);
    }
  }

  @Test
  void description_saysWhetherPoliciesApply() throws Exception {
    try (Database database = open()) {
      assertThat(described(database, definition(Map.of()).build())).isEqualTo(RowSecurity.APPLIES);
      assertThat(described(database, required())).isEqualTo(RowSecurity.REQUIRED);
      run("ALTER TABLE public.invoices DISABLE ROW LEVEL SECURITY");
      assertThat(described(database, definition(Map.of()).build())).isEqualTo(RowSecurity.NONE);
    }
  }

  private static RowSecurity described(Database database, ListingProperties definition) {
    return new ListingBench(database, definition).listing.rowSecurity();
  }

  @Test
  void required_withoutPolicies_preventsTheStart() throws Exception {
    try (Database database = open()) {
      ListingBench.check(database, required());
      run("ALTER TABLE public.invoices DISABLE ROW LEVEL SECURITY");
      assertThatThrownBy(() -> ListingBench.check(database, required()))
          .isInstanceOf(ListingException.class)
          .hasMessage(
              "listing /billing/v1/invoices: row-level-security is required, but no policies apply"
                  + " to the service's user on public.invoices: run ALTER TABLE"
                  + " \"public\".\"invoices\" ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY;"
                  + " and serve as a user that is not a superuser and has no BYPASSRLS");
    }
    try (Database bypassing = store.open(directory)) {
      run("ALTER TABLE public.invoices ENABLE ROW LEVEL SECURITY");
      assertThatThrownBy(() -> ListingBench.check(bypassing, required()))
          .hasMessageContaining("no policies apply to the service's user");
    }
  }

  @Test
  void required_onSqlite_preventsTheStart(@TempDir Path other) throws Exception {
    try (Database database = TestStore.SQLITE.open(other)) {
      TestStore.SQLITE.run(
          other, "CREATE TABLE invoices (id integer NOT NULL PRIMARY KEY, customer_id text)");
      assertThatThrownBy(() -> ListingBench.check(database, required()))
          .hasMessageEndingWith(
              "on invoices: this database has none; use PostgreSQL, or remove row-level-security");
    }
  }

  private static ListingProperties required() {
    return definition(Map.of()).rowLevelSecurity(RowLevelSecurity.REQUIRED).build();
  }

  private static ListingBench invoices(Database database, Map<String, String> scope) {
    return new ListingBench(database, definition(scope).create(true).build());
  }

  private static ListingProperties.Builder definition(Map<String, String> scope) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put(
        "customerId",
        new FieldProperties("customer_id", "text", null, null, List.of(), null, false, null));
    return ListingProperties.at("/billing/v1/invoices")
        .table("invoices")
        .key("id")
        .fields(fields)
        .scope(scope);
  }

  private Database open() {
    return Database.open(
        new StoreSettings(
            directory, store.settings(directory).url(), user, null, StoreSettings.SCHEMA));
  }

  private void run(String... statements) throws SQLException {
    store.run(directory, statements);
  }
}
