package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.pagination.PageRequest;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.SortOrder;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.io.StringWriter;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** Listings of tables and views that were there before the service. */
class ExistingTablesTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource
  void page_ofATableMadeBeforeTheFirstStart_isServed(TestStore store) throws Exception {
    run(
        store,
        "CREATE TABLE clients_of_bank (id INTEGER PRIMARY KEY, \"full name\" VARCHAR(40) NOT NULL)",
        "INSERT INTO clients_of_bank VALUES (1, 'Ada'), (2, 'Bob')");
    try (Database database = store.open(directory)) {
      assertThat(page(database, listing("clients_of_bank", Unique.PROVEN, false)))
          .isEqualTo("[{\"id\":1,\"name\":\"Ada\"},{\"id\":2,\"name\":\"Bob\"}]");
    }
  }

  @ParameterizedTest
  @EnumSource
  void page_ofAQuotedName_isServed(TestStore store) throws Exception {
    run(
        store,
        "CREATE TABLE \"Odd \"\"name\"\".x\" (id INTEGER PRIMARY KEY, \"full name\" VARCHAR(9))",
        "INSERT INTO \"Odd \"\"name\"\".x\" VALUES (7, 'x')");
    try (Database database = store.open(directory)) {
      assertThat(page(database, listing("\"Odd \"\"name\"\".x\"", Unique.PROVEN, false)))
          .isEqualTo("[{\"id\":7,\"name\":\"x\"}]");
    }
  }

  @Test
  void page_ofATableInAnotherSchema_isServedByItsFullName() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    run(
        store,
        "CREATE SCHEMA ledger",
        "CREATE TABLE ledger.wallets (id int PRIMARY KEY, \"full name\" text)",
        "INSERT INTO ledger.wallets VALUES (1, 'in ledger')",
        "CREATE TABLE public.clients (id int PRIMARY KEY, \"full name\" text)",
        "INSERT INTO public.clients VALUES (2, 'in public')");
    try (Database database = store.open(directory)) {
      assertThat(page(database, listing("ledger.wallets", Unique.PROVEN, false)))
          .contains("in ledger");
      assertThat(page(database, listing("public.clients", Unique.PROVEN, false)))
          .contains("in public");
      assertThat(check(database, listing("ledger.clients", Unique.PROVEN, false)))
          .endsWith("there is no table ledger.clients in the PostgreSQL database");
      for (String own : List.of("clients", "countersign.clients")) {
        assertThat(check(database, listing(own, Unique.PROVEN, false)))
            .contains("the table " + own + " belongs to the service itself");
      }
    }
  }

  @Test
  void builtInListing_besideAnotherTableOfItsName_servesItsOwnTable() throws Exception {
    run(TestStore.POSTGRESQL, "CREATE TABLE public.wallets (owner text)");
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      Listing wallets =
          ListingCatalog.check(List.of(Definitions.wallets()), database).all().getFirst();
      assertThat(wallets.table().name()).isEqualTo("countersign.wallets");
    }
  }

  @ParameterizedTest
  @EnumSource
  void check_viewWithoutAProvableKey_needsTheOperatorsWord(TestStore store) throws Exception {
    run(
        store,
        "CREATE TABLE people (id INTEGER PRIMARY KEY, \"full name\" VARCHAR(40))",
        "INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob')",
        "CREATE VIEW few AS SELECT * FROM people WHERE id < 2");
    try (Database database = store.open(directory)) {
      assertThat(check(database, listing("few", Unique.PROVEN, false)))
          .endsWith("if the database cannot prove that it is unique, set unique: assumed");
      assertThat(page(database, listing("few", Unique.ASSUMED, false)))
          .isEqualTo("[{\"id\":1,\"name\":\"Ada\"}]");
      assertThat(check(database, listing("few", Unique.ASSUMED, true)))
          .contains("create must be false, because ")
          .endsWith("few is a view");
      assertThat(check(database, listing("people", Unique.ASSUMED, true)))
          .contains("create must be false if unique is assumed");
    }
  }

  @ParameterizedTest
  @EnumSource
  void ambiguousKey_ofAView_isFound(TestStore store) throws Exception {
    run(
        store,
        "CREATE TABLE people (id INTEGER, \"full name\" VARCHAR(40))",
        "INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob')");
    try (Database database = store.open(directory)) {
      ListingProperties definition = listing("people", Unique.ASSUMED, false);
      assertThat(storeOf(database, definition).hasAmbiguousKey()).isFalse();
      run(store, "INSERT INTO people VALUES (2, 'Cid')");
      assertThat(storeOf(database, definition).hasAmbiguousKey()).isTrue();
      run(store, "DELETE FROM people WHERE id = 2", "INSERT INTO people VALUES (NULL, 'Dan')");
      assertThat(storeOf(database, definition).hasAmbiguousKey()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"MATERIALIZED VIEW", "PARTITIONED TABLE"})
  void page_ofAnotherKindOfRelation_isServedReadOnly(String kind) throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    run(
        store,
        kind.startsWith("M")
            ? "CREATE MATERIALIZED VIEW many AS SELECT 1 AS id, 'Ada'::text AS \"full name\""
            : "CREATE TABLE many (id int NOT NULL, \"full name\" text) PARTITION BY LIST (id)",
        kind.startsWith("M")
            ? "SELECT 1"
            : "CREATE TABLE many1 PARTITION OF many FOR VALUES IN (1);"
                + " INSERT INTO many VALUES (1, 'Ada')");
    try (Database database = store.open(directory)) {
      assertThat(page(database, listing("many", Unique.ASSUMED, false)))
          .isEqualTo("[{\"id\":1,\"name\":\"Ada\"}]");
      assertThat(check(database, listing("many", Unique.ASSUMED, true)))
          .endsWith("public.many is a " + kind.toLowerCase(Locale.ROOT));
    }
  }

  @Test
  void check_withoutRights_namesTheStatementsToRun() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = "reader" + Integer.toHexString(directory.hashCode());
    run(
        store,
        "CREATE ROLE " + user + " LOGIN",
        "CREATE SCHEMA countersign AUTHORIZATION " + user,
        "CREATE SCHEMA ledger",
        "CREATE TABLE ledger.entries (id int PRIMARY KEY, \"full name\" text, secret text)");
    StoreSettings settings =
        new StoreSettings(directory, store.settings(directory).url(), user, null, "countersign");
    try (Database database = Database.open(settings)) {
      ListingProperties reading = listing("ledger.entries", Unique.PROVEN, false);
      assertThat(check(database, reading))
          .endsWith(
              "rights on ledger.entries are missing: run GRANT USAGE ON SCHEMA ledger TO "
                  + user
                  + "; GRANT SELECT ON \"ledger\".\"entries\" TO "
                  + user
                  + ";");
      run(
          store,
          "GRANT USAGE ON SCHEMA ledger TO " + user,
          "GRANT SELECT (id, \"full name\") ON ledger.entries TO " + user);
      assertThat(page(database, reading)).isEqualTo("[]");

      ListingProperties creating = listing("ledger.entries", Unique.PROVEN, true);
      assertThat(check(database, creating))
          .endsWith("run GRANT INSERT ON \"ledger\".\"entries\" TO " + user + ";");
      run(store, "GRANT INSERT ON ledger.entries TO " + user);
      assertThat(page(database, creating)).isEqualTo("[]");
    }
  }

  @Test
  void insert_intoATableWhoseTriggerNamesATableLikeOurs_reachesTheirs() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    run(
        store,
        "CREATE TABLE public.clients (id int)",
        "CREATE TABLE public.orders (id int PRIMARY KEY, \"full name\" text)",
        "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO clients VALUES (new.id); RETURN new; END $$",
        "CREATE TRIGGER noted AFTER INSERT ON public.orders"
            + " FOR EACH ROW EXECUTE FUNCTION noted()",
        "CREATE FUNCTION known() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM clients'",
        "CREATE VIEW public.knowing AS SELECT known() AS id, 'x'::text AS \"full name\"");
    try (Database database = store.open(directory)) {
      ListingStore orders = storeOf(database, listing("public.orders", Unique.PROVEN, true));
      Listing listing =
          ListingCatalog.check(List.of(listing("public.orders", Unique.PROVEN, true)), database)
              .all()
              .getFirst();
      Map<Field, Object> values = new LinkedHashMap<>();
      values.put(listing.field("id"), 7L);
      values.put(listing.field("name"), "Ada");
      StringWriter json = new StringWriter();
      String key =
          database.write(
              sql -> {
                try (JsonGenerator generator = JsonMapper.shared().createGenerator(json)) {
                  String made = orders.insert(sql, values, generator);
                  assertThat(
                          sql.sql("SELECT count(*) FROM client_revision")
                              .query(Long.class)
                              .single())
                      .as("the service's own tables after the insert")
                      .isOne();
                  return made;
                }
              });
      assertThat(key).isEqualTo("7");
      assertThat(page(database, listing("public.knowing", Unique.ASSUMED, false)))
          .isEqualTo("[{\"id\":1,\"name\":\"x\"}]");
    }
  }

  private static ListingProperties listing(String table, Unique unique, boolean create) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put(
        "name", new FieldProperties("full name", "text", null, null, List.of(), null, false, null));
    return new ListingProperties(
        "/ledger/v1/entries",
        table,
        "id",
        unique,
        fields,
        List.of("id"),
        SortOrder.CODE_POINTS,
        create,
        null,
        null);
  }

  private static String check(Database database, ListingProperties definition) {
    StringBuilder message = new StringBuilder();
    assertThatThrownBy(() -> ListingCatalog.check(List.of(definition), database))
        .isInstanceOf(ListingException.class)
        .hasMessageNotContaining("\n")
        .satisfies(refused -> message.append(refused.getMessage()));
    return message.toString();
  }

  private static ListingStore storeOf(Database database, ListingProperties definition) {
    Listing listing = ListingCatalog.check(List.of(definition), database).all().getFirst();
    return new ListingStore(listing, database);
  }

  private static String page(Database database, ListingProperties definition) {
    StringWriter json = new StringWriter();
    try (JsonGenerator generator = JsonMapper.shared().createGenerator(json)) {
      generator.writeStartArray();
      storeOf(database, definition).page(PageRequest.ofPage(0, 20), generator);
      generator.writeEndArray();
    }
    return json.toString();
  }

  /** Runs statements as the operator would, without the service. */
  private void run(TestStore store, String... statements) throws SQLException {
    StoreSettings settings = store.settings(directory);
    String url =
        settings.url() == null
            ? "jdbc:sqlite:" + directory.resolve("countersign.db")
            : settings.url();
    try (Connection connection = DriverManager.getConnection(url, settings.user(), null);
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
