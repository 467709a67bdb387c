package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.pagination.PageRequest;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/** Listings of tables and views that were there before the service. */
@ExtendWith(OutputCaptureExtension.class)
class ExistingTablesTest {
  @TempDir private Path directory;

  /** The user who owns the service's schema is made later. */
  @BeforeEach
  void beginEmpty() {
    TestStore.POSTGRESQL.empty(directory);
  }

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
          .endsWith(
              "there is no table ledger.clients in the PostgreSQL database; did you mean"
                  + " public.clients?");
      for (String own : List.of("clients", "countersign.clients")) {
        assertThat(check(database, listing(own, Unique.PROVEN, false)))
            .endsWith(
                "the table "
                    + own
                    + " belongs to the service itself; did you mean public.clients?");
      }
      assertThat(check(database, listing("operators", Unique.PROVEN, false)))
          .endsWith("the table operators belongs to the service itself; choose another table");
    }
  }

  @Test
  void check_nameThatTheSearchPathDoesNotFind_namesTheTablesThatItMayMean() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = role(store, "finder");
    run(
        store,
        "CREATE SCHEMA ledger; CREATE SCHEMA \"Old Ledger\"",
        "CREATE TABLE ledger.entries (id int PRIMARY KEY, \"full name\" text)",
        "CREATE TABLE \"Old Ledger\".\"Entries\" (id int PRIMARY KEY, \"full name\" text)",
        "ALTER ROLE " + user + " SET search_path = ledger");
    try (Database database = Database.open(settings(store, user))) {
      assertThat(check(database, listing("entries", Unique.PROVEN, false)))
          .endsWith(
              "there is no table entries in the PostgreSQL database; did you mean"
                  + " \"Old Ledger\".Entries or ledger.entries?");
      assertThat(check(database, listing("ledger.Entries", Unique.PROVEN, false)))
          .endsWith("did you mean \"Old Ledger\".Entries or ledger.entries?");
      assertThat(check(database, listing("pg_class", Unique.PROVEN, false)))
          .endsWith(
              "there is no table pg_class in the PostgreSQL database; create it, or correct its name");
    }
  }

  @Test
  void check_nameWithASchemaOnSqlite_namesTheTable() throws Exception {
    run(TestStore.SQLITE, "CREATE TABLE entries (id INTEGER PRIMARY KEY)");
    try (Database database = TestStore.SQLITE.open(directory)) {
      assertThat(check(database, listing("ledger.entries", Unique.PROVEN, false)))
          .endsWith(
              "there is no table ledger.entries in the SQLite database; did you mean"
                  + " entries?");
    }
  }

  @Test
  void check_nameWithoutASchema_logsWhereTheTableIs(CapturedOutput output) throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    run(store, "CREATE TABLE entries (id int PRIMARY KEY, \"full name\" text)");
    try (Database database = store.open(directory)) {
      storeOf(database, listing("entries", Unique.PROVEN, false));
      assertThat(output)
          .contains("listing /ledger/v1/entries serves public.entries, found by the search path");
    }
  }

  @Test
  void builtInListing_besideAnotherTableOfItsName_servesItsOwnTable() throws Exception {
    run(TestStore.POSTGRESQL, "CREATE TABLE public.wallets (owner text)");
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      Listing wallets =
          Definitions.check(List.of(Definitions.wallets()), database).all().getFirst();
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
  void ambiguousKey_ofAView_isFoundAndLogged(TestStore store, CapturedOutput output)
      throws Exception {
    run(
        store,
        "CREATE TABLE people (id INTEGER, \"full name\" VARCHAR(40))",
        "INSERT INTO people VALUES (1, 'Ada'), (2, 'Bob')");
    try (Database database = store.open(directory)) {
      ListingProperties definition = listing("people", Unique.ASSUMED, false);
      assertThat(probeOf(database, definition).hasAmbiguousKey()).isFalse();
      assertThat(output)
          .containsPattern(
              "WARN .*listing /ledger/v1/entries: the key id is unique in (public.)?people now,"
                  + " but no constraint keeps it unique")
          .doesNotContain("is not unique");
      run(store, "INSERT INTO people VALUES (2, 'Cid')");
      assertThat(probeOf(database, definition).hasAmbiguousKey()).isTrue();
      assertThat(output)
          .containsPattern(
              "WARN .*listing /ledger/v1/entries: the key id is not unique in (public.)?people, so"
                  + " pages may repeat or skip records, and some records cannot be read at their"
                  + " URL");
      run(store, "DELETE FROM people WHERE id = 2", "INSERT INTO people VALUES (NULL, 'Dan')");
      assertThat(probeOf(database, definition).hasAmbiguousKey()).isTrue();
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
    String user = role(store, "reader");
    run(
        store,
        "CREATE SCHEMA ledger",
        "CREATE TABLE ledger.entries (id int PRIMARY KEY, \"full name\" text, secret text)");
    try (Database database = Database.open(settings(store, user))) {
      ListingProperties reading = listing("ledger.entries", Unique.PROVEN, false);
      assertThat(check(database, reading))
          .endsWith(
              "rights on ledger.entries are missing: run GRANT USAGE ON SCHEMA \"ledger\" TO "
                  + user
                  + "; GRANT SELECT (\"id\", \"full name\") ON \"ledger\".\"entries\" TO "
                  + user
                  + ";");
      run(
          store,
          "GRANT USAGE ON SCHEMA ledger TO " + user,
          "GRANT SELECT (id) ON ledger.entries TO " + user);
      assertThat(check(database, reading))
          .endsWith("run GRANT SELECT (\"full name\") ON \"ledger\".\"entries\" TO " + user + ";");
      run(store, "GRANT SELECT (\"full name\") ON ledger.entries TO " + user);
      assertThat(page(database, reading)).isEqualTo("[]");

      ListingProperties creating = listing("ledger.entries", Unique.PROVEN, true);
      assertThat(check(database, creating))
          .endsWith(
              "run GRANT INSERT (\"id\", \"full name\") ON \"ledger\".\"entries\" TO "
                  + user
                  + ";");
      run(store, "GRANT INSERT (id, \"full name\") ON ledger.entries TO " + user);
      assertThat(page(database, creating)).isEqualTo("[]");
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "serial PRIMARY KEY | true",
        "int PRIMARY KEY DEFAULT nextval('ledger.numbers') | true",
        "int GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY | false"
      })
  void insert_ofGeneratedValues_needsExactlyTheNamedGrants(String key, boolean needsSequence)
      throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = role(store, "writer");
    run(
        store,
        "CREATE SCHEMA ledger",
        "CREATE SEQUENCE ledger.numbers; CREATE SEQUENCE ledger.unused",
        "CREATE TABLE ledger.notes (id " + key + ", other int DEFAULT 7)",
        "GRANT USAGE ON SCHEMA ledger TO " + user,
        "GRANT SELECT ON ledger.notes TO " + user);
    Map<String, FieldProperties> id =
        Map.of("id", new FieldProperties(null, "integer", null, null, List.of(), null, true, null));
    ListingProperties notes =
        ListingProperties.at("/ledger/v1/notes")
            .table("ledger.notes")
            .key("id")
            .fields(id)
            .create(true)
            .build();
    String sequence = key.contains("numbers") ? "numbers" : "notes_id_seq";
    try (Database database = Database.open(settings(store, user))) {
      String message = check(database, notes);
      String statements = message.substring(message.indexOf("GRANT "));
      assertThat(statements)
          .isEqualTo(
              "GRANT INSERT ON \"ledger\".\"notes\" TO "
                  + user
                  + ";"
                  + (needsSequence
                      ? " GRANT USAGE ON SEQUENCE \"ledger\".\"" + sequence + "\" TO " + user + ";"
                      : ""));
      run(store, statements);
      ListingStore created = storeOf(database, notes);
      assertThat(
              database.<String>write(
                  sql -> {
                    try (JsonGenerator json =
                        JsonMapper.shared().createGenerator(new StringWriter())) {
                      return created.insert(Calls.scope(created.listing()), sql, Map.of(), json);
                    }
                  }))
          .isEqualTo("1");
    }
  }

  @Test
  void check_sequenceOfAColumnThatTheCallerAlwaysGives_needsNoGrant() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = role(store, "giver");
    run(
        store,
        "CREATE TABLE public.notes (id serial PRIMARY KEY, \"full name\" text)",
        "GRANT SELECT, INSERT ON public.notes TO " + user);
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put(
        "id", new FieldProperties(null, "integer", null, null, List.of(), null, false, true));
    try (Database database = Database.open(settings(store, user))) {
      ListingProperties notes =
          ListingProperties.at("/ledger/v1/notes")
              .table("notes")
              .key("id")
              .fields(fields)
              .create(true)
              .build();
      assertThat(page(database, notes)).isEqualTo("[]");
    }
  }

  @Test
  void check_tableThatTheDatabaseRefusesToRead_saysWhatTheDatabaseSays() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = role(store, "viewer");
    run(
        store,
        "CREATE TABLE secrets (id int PRIMARY KEY, \"full name\" text)",
        "CREATE VIEW asking AS SELECT * FROM secrets",
        "ALTER VIEW asking OWNER TO " + user,
        "CREATE MATERIALIZED VIEW totals AS SELECT * FROM secrets WITH NO DATA",
        "GRANT SELECT ON totals TO " + user);
    try (Database database = Database.open(settings(store, user))) {
      assertThat(check(database, listing("asking", Unique.ASSUMED, false)))
          .isEqualTo(
              "listing /ledger/v1/entries: public.asking cannot be read: permission denied for"
                  + " table secrets");
      assertThat(check(database, listing("totals", Unique.ASSUMED, false)))
          .isEqualTo(
              "listing /ledger/v1/entries: public.totals cannot be read: materialized view"
                  + " \"totals\" has not been populated; Use the REFRESH MATERIALIZED VIEW"
                  + " command.");
    }
  }

  @Test
  void check_tableThatIsBusyAtTheStart_isLoggedAndServed(CapturedOutput output) throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = role(store, "waiter");
    run(
        store,
        "CREATE TABLE public.entries (id int PRIMARY KEY, \"full name\" text)",
        "GRANT SELECT ON public.entries TO " + user,
        "ALTER ROLE " + user + " SET lock_timeout = '50ms'");
    ListingProperties entries = listing("entries", Unique.PROVEN, false);
    try (Database database = Database.open(settings(store, user));
        Connection other =
            DriverManager.getConnection(store.settings(directory).url(), "postgres", null);
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute("LOCK TABLE public.entries");
      ListingStore served = storeOf(database, entries);
      assertThat(output)
          .containsPattern(
              "WARN .*listing /ledger/v1/entries: public.entries could not be checked at the start,"
                  + " because PostgreSQL is busy: canceling statement due to lock timeout");
      other.rollback();
      assertThat(new TableProbe(served.listing(), database).total()).isZero();
    }
  }

  @Test
  void check_sqliteViewOfAMissingTable_saysWhatTheDatabaseSays() throws Exception {
    run(
        TestStore.SQLITE,
        "CREATE TABLE people (id INTEGER PRIMARY KEY, \"full name\" TEXT)",
        "CREATE VIEW few AS SELECT * FROM people",
        "CREATE TABLE persons AS SELECT * FROM people");
    try (Database database = TestStore.SQLITE.open(directory)) {
      run(TestStore.SQLITE, "DROP TABLE people");
      assertThat(check(database, listing("few", Unique.ASSUMED, false)))
          .contains("no such table: main.people");
    }
  }

  @Test
  void check_tableWithRowSecurity_isLoggedIfItConcernsTheUser(CapturedOutput output)
      throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = role(store, "member");
    run(
        store,
        "CREATE TABLE public.entries (id int PRIMARY KEY, \"full name\" text)",
        "INSERT INTO public.entries VALUES (1, 'seen'), (2, 'hidden')",
        "ALTER TABLE public.entries ENABLE ROW LEVEL SECURITY",
        "CREATE POLICY visible ON public.entries USING (id = 1)",
        "GRANT SELECT ON public.entries TO " + user);
    ListingProperties entries = listing("public.entries", Unique.PROVEN, false);
    String warning =
        "listing /ledger/v1/entries: row-level security applies to public.entries, so the listing"
            + " has only the rows that the policies let the service's user see";
    StoreSettings unrestricted =
        new StoreSettings(
            directory, store.settings(directory).url(), "postgres", null, "unrestricted");
    try (Database database = Database.open(unrestricted)) {
      assertThat(page(database, entries)).contains("seen", "hidden");
      assertThat(output).doesNotContain("row-level security");
    }
    try (Database database = Database.open(settings(store, user))) {
      assertThat(page(database, entries)).contains("seen").doesNotContain("hidden");
      assertThat(output).containsPattern("WARN .*" + warning);
    }
  }

  /** Creates a role that owns the service's schema and has no other rights. */
  private String role(TestStore store, String prefix) throws SQLException {
    String name = prefix + Integer.toHexString(directory.hashCode());
    run(store, "CREATE ROLE " + name + " LOGIN", "CREATE SCHEMA countersign AUTHORIZATION " + name);
    return name;
  }

  private StoreSettings settings(TestStore store, String user) {
    return new StoreSettings(
        directory, store.settings(directory).url(), user, null, StoreSettings.SCHEMA);
  }

  /** A role that has the name of the service's schema has that schema in its search path. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void insert_intoATableWhoseTriggerNamesATableLikeOurs_reachesTheirs(boolean isNamedLikeItsSchema)
      throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = "keeper" + Integer.toHexString(directory.hashCode());
    String schema = isNamedLikeItsSchema ? user : "countersign";
    run(
        store,
        "CREATE ROLE " + user + " LOGIN",
        "CREATE SCHEMA " + schema + " AUTHORIZATION " + user,
        "CREATE TABLE public.clients (id int)",
        "CREATE TABLE public.orders (id int PRIMARY KEY, \"full name\" text)",
        "CREATE FUNCTION noted() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$ BEGIN INSERT INTO clients VALUES (new.id); RETURN new; END $$",
        "CREATE TRIGGER noted AFTER INSERT ON public.orders"
            + " FOR EACH ROW EXECUTE FUNCTION noted()",
        "CREATE CONSTRAINT TRIGGER later AFTER INSERT ON public.orders"
            + " DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION noted()",
        "CREATE FUNCTION known() RETURNS bigint LANGUAGE sql AS 'SELECT count(*) FROM clients'",
        "CREATE VIEW public.knowing AS SELECT known() AS id, 'x'::text AS \"full name\"",
        "GRANT SELECT, INSERT ON public.clients, public.orders, public.knowing TO " + user);
    StoreSettings settings =
        new StoreSettings(directory, store.settings(directory).url(), user, null, schema);
    for (long key : List.of(7L, 8L)) {
      try (Database database = Database.open(settings)) {
        assertThat(insert(database, listing("public.orders", Unique.PROVEN, true), key))
            .as("the service's own tables after the insert")
            .isOne();
      }
    }
    try (Database database = Database.open(settings)) {
      assertThat(page(database, listing("public.knowing", Unique.ASSUMED, false)))
          .isEqualTo("[{\"id\":4,\"name\":\"x\"}]");
    }
  }

  /** Inserts a record, and returns the number of the service's revisions, which is always one. */
  private static long insert(Database database, ListingProperties definition, long key) {
    Listing listing = Definitions.check(List.of(definition), database).all().getFirst();
    Map<Field, Object> values = new LinkedHashMap<>();
    values.put(listing.field("id"), key);
    values.put(listing.field("name"), "Ada");
    return database.write(
        sql -> {
          JsonAnswer.text(
              json ->
                  new ListingStore(listing, database, new Totals())
                      .insert(Calls.scope(listing), sql, values, json));
          return sql.sql("SELECT count(*) FROM client_revision").query(Long.class).single();
        });
  }

  @Test
  void misfit_afterARightWasRevoked_namesTheStatementToRun() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    String user = role(store, "dropped");
    run(
        store,
        "CREATE TABLE public.entries (id int PRIMARY KEY, \"full name\" text)",
        "GRANT SELECT ON public.entries TO " + user);
    try (Database database = Database.open(settings(store, user))) {
      Listing entries =
          Definitions.check(List.of(listing("entries", Unique.PROVEN, false)), database)
              .all()
              .getFirst();
      assertThat(ListingCatalog.tableProblem(entries, database)).isEmpty();
      run(store, "REVOKE SELECT ON public.entries FROM " + user);
      assertThat(ListingCatalog.tableProblem(entries, database))
          .hasValueSatisfying(
              problem ->
                  assertThat(problem)
                      .contains("rights on public.entries are missing: run GRANT SELECT"));
    }
  }

  @Test
  void requests_withOperatorsPlantedByAnotherUser_useThoseOfPostgresql() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    run(
        store,
        "CREATE TABLE public.codes (id varchar(9) PRIMARY KEY)",
        "INSERT INTO public.codes VALUES ('EUR'), ('USD')",
        "CREATE FUNCTION public.planted(varchar, varchar) RETURNS bool LANGUAGE plpgsql AS"
            + " $$ BEGIN RAISE 'planted'; END $$");
    for (String operator : List.of("=", ">=", "<")) {
      run(
          store,
          "CREATE OPERATOR public."
              + operator
              + " (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = planted)");
    }
    try (Database database = store.open(directory)) {
      ListingBench codes =
          new ListingBench(
              database,
              ListingProperties.at("/ledger/v1/codes")
                  .table("codes")
                  .key("id")
                  .fields(Map.of("id", FieldProperties.of("text")))
                  .scope(Map.of("id", "customerId"))
                  .filterable(List.of("id"))
                  .create(true)
                  .build());
      Map<String, AttributeValue> one = ListingBench.customers("EUR");
      Map<String, AttributeValue> two = ListingBench.customers("EUR", "CHF");
      assertThat(codes.get(one, "/EUR").getContentAsString()).isEqualTo("{\"id\":\"EUR\"}");
      assertThat(codes.ids(one, "?id=EUR")).isEqualTo("EUR of 1");
      assertThat(codes.ids(two, "?id=EUR&id=USD")).isEqualTo("EUR of 1");
      assertThat(codes.ids(two, "?id.gte=A&id.lt=Z")).isEqualTo("EUR of 1");
      assertThat(codes.post(two, "{\"id\":\"CHF\"}").getStatus()).isEqualTo(201);
    }
  }

  private static ListingProperties listing(String table, Unique unique, boolean create) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put(
        "name", new FieldProperties("full name", "text", null, null, List.of(), null, false, null));
    return ListingProperties.at("/ledger/v1/entries")
        .table(table)
        .key("id")
        .unique(unique)
        .fields(fields)
        .sortable(List.of("id"))
        .create(create)
        .build();
  }

  private static String check(Database database, ListingProperties definition) {
    StringBuilder message = new StringBuilder();
    assertThatThrownBy(() -> Definitions.check(List.of(definition), database))
        .isInstanceOf(ListingException.class)
        .hasMessageNotContaining("\n")
        .satisfies(refused -> message.append(refused.getMessage()));
    return message.toString();
  }

  private static TableProbe probeOf(Database database, ListingProperties definition) {
    return new TableProbe(storeOf(database, definition).listing(), database);
  }

  private static ListingStore storeOf(Database database, ListingProperties definition) {
    Listing listing = Definitions.check(List.of(definition), database).all().getFirst();
    return new ListingStore(listing, database, new Totals());
  }

  private static String page(Database database, ListingProperties definition) {
    StringWriter json = new StringWriter();
    try (JsonGenerator generator = JsonMapper.shared().createGenerator(json)) {
      generator.writeStartArray();
      ListingStore store = storeOf(database, definition);
      store.page(
          Calls.scope(store.listing()),
          store.requestedPage(PageRequest.ofPage(0, 20), Filters.NONE),
          () -> generator);
      generator.writeEndArray();
    }
    return json.toString();
  }

  private void run(TestStore store, String... statements) throws SQLException {
    store.run(directory, statements);
  }
}
