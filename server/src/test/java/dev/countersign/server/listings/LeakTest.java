package dev.countersign.server.listings;

import static dev.countersign.server.listings.ListingBench.customers;
import static dev.countersign.server.listings.ListingBench.everyone;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.TestCaller;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.net.URI;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.mock.web.MockHttpServletResponse;

/** Ways in which a client could learn of the records of others, each tried. */
class LeakTest {
  private static final Map<String, AttributeValue> ACME = customers("acme");
  private static final Map<String, AttributeValue> SEVERAL = customers("acme", "initech");
  private static final UUID OWNER = UUID.fromString("1f0e8c9a-3b5d-4c7e-9f21-6a8b0c2d4e6f");
  private static final UUID NIL = new UUID(0, 0);

  private static final String LOOSE =
      "CREATE COLLATION public.%s"
          + " (provider = icu, locale = 'und-u-ks-level1', deterministic = false)";

  @TempDir Path directory;

  @Test
  void list_foreignTableWhoseServerIgnoresCase_isComparedHere() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      URI server = URI.create(String.valueOf(store.settings(directory).url()).substring(5));
      store.run(
          directory,
          String.format(Locale.ROOT, LOOSE, "loose"),
          "CREATE TABLE public.distant (id int PRIMARY KEY, customer_id text COLLATE public.loose)",
          "INSERT INTO public.distant VALUES (1, 'acme'), (2, 'ACME'), (3, 'globex')",
          "CREATE EXTENSION postgres_fdw",
          "CREATE SERVER other FOREIGN DATA WRAPPER postgres_fdw"
              + String.format(
                  Locale.ROOT,
                  " OPTIONS (host '%s', port '%d', dbname '%s')",
                  server.getHost(),
                  server.getPort(),
                  server.getPath().substring(1)),
          "CREATE USER MAPPING FOR public SERVER other OPTIONS (user 'postgres')",
          "CREATE FOREIGN TABLE public.things (id int NOT NULL, customer_id text)"
              + " SERVER other OPTIONS (table_name 'distant')",
          "CREATE VIEW public.seen AS SELECT * FROM public.things",
          "CREATE TABLE public.parts (id int NOT NULL, customer_id text) PARTITION BY RANGE (id)",
          "CREATE FOREIGN TABLE public.part PARTITION OF public.parts"
              + " FOR VALUES FROM (1) TO (9) SERVER other OPTIONS (table_name 'distant')");
      for (String table : List.of("things", "seen", "parts")) {
        ListingBench things =
            new ListingBench(database, things(table).unique(Unique.ASSUMED).build());
        for (Map<String, AttributeValue> client : List.of(ACME, SEVERAL)) {
          assertThat(things.ids(client, "")).as(table).isEqualTo("1 of 1");
          assertNotFound(things, client, "/2");
        }
      }
    }
  }

  @Test
  void list_pathThatNamesPgCatalogLast_usesNoObjectOfOthers() throws Exception {
    TestStore.POSTGRESQL.empty(directory);
    run(
        TestStore.POSTGRESQL,
        String.format(Locale.ROOT, LOOSE, "\"C\""),
        "CREATE TABLE public.things (id int PRIMARY KEY, customer_id text COLLATE public.\"C\")",
        "INSERT INTO public.things VALUES (1, 'acme'), (2, 'ACME'), (3, 'globex')",
        "CREATE FUNCTION public.next(bigint) RETURNS bigint LANGUAGE sql AS 'SELECT $1 + 10'",
        "CREATE AGGREGATE public.count(*) (SFUNC = next, STYPE = bigint, INITCOND = '0')");
    try (Database database = openAsUser("SET search_path = public, pg_catalog")) {
      ListingBench things = new ListingBench(database, things("things").build());
      for (Map<String, AttributeValue> client : List.of(ACME, SEVERAL)) {
        assertThat(things.ids(client, "")).isEqualTo("1 of 1");
        assertNotFound(things, client, "/2");
      }
      assertThat(things.ids(everyone(), "")).isEqualTo("1 2 3 of 3");
    }
  }

  @Test
  void one_keysThatTheColumnTakesForEqual_findsTheClientsOwn() throws Exception {
    TestStore store = TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          String.format(Locale.ROOT, LOOSE, "loose"),
          "CREATE TABLE public.things (id text COLLATE public.loose NOT NULL, customer_id text)",
          "CREATE UNIQUE INDEX ON public.things (id COLLATE pg_catalog.\"C\")",
          "INSERT INTO public.things VALUES ('a', 'acme'), ('A', 'globex')");
      ListingBench things =
          new ListingBench(
              database,
              things("things")
                  .fields(
                      Map.of("id", FieldProperties.of("text"), "customerId", column("customer_id")))
                  .build());
      for (Map<String, AttributeValue> client : List.of(ACME, SEVERAL)) {
        assertThat(things.get(client, "/a").getContentAsString())
            .contains("\"a\"")
            .doesNotContain("\"A\"");
        assertNotFound(things, client, "/A");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_uniqueIndexThatWasDropped_findsTheClientsOwn(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE things (id integer NOT NULL, customer_id text)",
          "CREATE UNIQUE INDEX things_by_id ON things (id)");
      ListingBench things = new ListingBench(database, things("things").build());
      store.run(
          directory,
          "DROP INDEX things_by_id",
          "INSERT INTO things VALUES (1, 'acme'), (1, 'globex')");
      assertThat(things.get(ACME, "/1").getContentAsString())
          .contains("\"acme\"")
          .doesNotContain("globex");
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_keyThatSeveralCustomersUse_findsTheClientsOwn(TestStore store) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          String.format(
              Locale.ROOT,
              "CREATE TABLE things (id integer NOT NULL, customer_id %s, branch %s, owner %s)",
              postgresql ? "char(8)" : "text",
              postgresql ? "smallint" : "integer",
              postgresql ? "uuid" : "text"),
          "INSERT INTO things VALUES (1, 'globex', 5, NULL), (1, 'acme', 0, '"
              + OWNER
              + "'), (2, NULL, 1, NULL), (3, '', NULL, '"
              + NIL
              + "')");
      ListingProperties.Builder definition =
          things(
                  "things",
                  Map.of(
                      "branch", FieldProperties.of("integer"), "owner", FieldProperties.of("uuid")))
              .unique(Unique.ASSUMED);
      ListingBench byCustomer = new ListingBench(database, definition.build());
      ListingBench byBranch =
          new ListingBench(
              database, definition.scope(Map.of("branch", "branch", "owner", "owner")).build());
      Map<String, AttributeValue> branches =
          Map.of(
              "branch",
              new AttributeValue.Values(List.of(0L, 1L, 2L)),
              "owner",
              new AttributeValue.Values(List.of(OWNER, NIL)));
      for (Map<String, AttributeValue> client : List.of(ACME, SEVERAL)) {
        assertThat(byCustomer.get(client, "/1").getContentAsString())
            .isEqualTo(
                "{\"id\":1,\"customerId\":\"acme\",\"branch\":0,\"owner\":\"" + OWNER + "\"}");
      }
      assertThat(byBranch.get(branches, "/1").getContentAsString())
          .startsWith("{\"id\":1,\"customerId\":\"acme\",");
      for (String key : List.of("/2", "/3", "/4")) {
        assertNotFound(byCustomer, ACME, key);
        assertNotFound(byCustomer, SEVERAL, key);
        assertNotFound(byBranch, branches, key);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void one_keysThatAreNotTheClients_getTheSameRefusal(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      for (Map<String, AttributeValue> client : List.of(ACME, SEVERAL)) {
        Denial missing = things.refusal(client, "GET", "/99", "");
        assertThat(missing.reason()).isEqualTo(Reason.NOT_FOUND);
        for (String key :
            List.of("/4", "/6", "/04", "/+4", "/4.0", "/%34", "/4%20", "/99999999999", "/%00")) {
          assertThat(things.refusal(client, "GET", key, "")).as(key).isEqualTo(missing);
          assertThat(things.refusal(client, "HEAD", key, "")).as(key).isEqualTo(missing);
        }
        for (String method : List.of("OPTIONS", "PUT", "DELETE", "PATCH", "POST")) {
          assertThat(things.refusal(client, method, "/4", ""))
              .isEqualTo(things.refusal(client, method, "/99", ""));
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void list_pagesAndHeaders_countTheClientsOwnOnly(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      assertThat(things.ids(ACME, "?page=1&size=2")).isEqualTo("3 of 3");
      assertThat(things.ids(ACME, "?offset=3")).isEqualTo("of 3");
      assertThat(things.ids(ACME, "?offset=9000000000000000")).isEqualTo("of 3");
      assertThat(things.get(ACME, "?page=50&size=2").getHeader("Link"))
          .contains("page=1&size=2>; rel=\"last\"");
      assertThat(things.ids(SEVERAL, "?sort=customerId,desc&sort=id")).isEqualTo("1 2 3 of 3");
      for (String query : List.of("", "?size=1", "?status=OPEN", "?status=OPEN&sort=id,desc")) {
        MockHttpServletResponse get = things.get(ACME, query);
        MockHttpServletResponse head = things.answer(things.request(ACME, "HEAD", query, ""));
        assertThat(head.getHeaderNames()).containsExactlyInAnyOrderElementsOf(get.getHeaderNames());
        assertThat(head.getHeader("Link")).isEqualTo(get.getHeader("Link"));
        assertThat(get.getHeaderNames()).doesNotContain("ETag", "Last-Modified");
        assertThat(get.getContentAsString()).doesNotContain("globex");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void list_filters_cannotReachBeyondTheScope(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      Map<String, String> found = new LinkedHashMap<>();
      found.put("customerId=globex", "of 0");
      found.put("customerId=globex&customerId=acme", "1 2 3 of 3");
      found.put("customerId.gt=acme", "of 0");
      found.put("customerId.gte=", "1 2 3 of 3");
      found.put("customerId=acme%20&customerId=%25", "of 0");
      found.put("status=OPEN&status=CLOSED", "1 2 3 of 3");
      // On SQLite, several timestamps are alternatives.
      found.put("at=2026-11-20T00:00:00Z&at=2026-11-21T00:00:00Z", "1 2 3 of 3");
      found.put("at.lt=2026-11-21T00:00:00Z&status=OPEN", "1 of 1");
      for (Map<String, AttributeValue> client : List.of(ACME, SEVERAL)) {
        found.forEach(
            (query, ids) -> assertThat(things.ids(client, "?" + query)).as(query).isEqualTo(ids));
      }
      for (String query :
          List.of(
              "secret=s4",
              "secret.gte=a",
              "customer_id=globex",
              "CustomerId=globex",
              "customerid.gte=a",
              "customerId.like=g",
              "customerId%00=globex",
              "status.gte%20=A",
              "at.=x",
              "id[gte]=4")) {
        Denial denial = things.refusal(ACME, "GET", "?" + query, "");
        assertThat(denial.reason()).as(query).isEqualTo(Reason.PARAMETER_UNKNOWN);
        assertThat(denial.detail()).doesNotContain("hidden", "customer_id must");
      }
      for (String sort : List.of("secret", "customer_id", "1", "hidden", "at")) {
        assertThat(things.refusal(ACME, "GET", "?sort=" + sort, "").reason())
            .isEqualTo(Reason.PARAMETER_INVALID);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void list_valuesThatOnlyLookAlike_areOthers(TestStore store) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    List<String> names = List.of("7", "007", "7.0", "7e0", " 7", "7 ", "ﬁ", "fi", "é", "e\u0301");
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE things (id integer NOT NULL PRIMARY KEY, customer_id "
              + (postgresql ? "varchar(4)" : "text")
              + ")");
      for (int id = 0; id < names.size(); id++) {
        store.run(directory, "INSERT INTO things VALUES (" + id + ", '" + names.get(id) + "')");
      }
      ListingBench things = new ListingBench(database, things("things").build());
      for (int id = 0; id < names.size(); id++) {
        assertThat(things.ids(customers(names.get(id)), "")).isEqualTo(id + " of 1");
        assertThat(things.ids(customers(names.get(id), "longer than it"), ""))
            .isEqualTo(id + " of 1");
      }
    }
  }

  @Test
  void list_columnOfSqliteWithValuesOfOtherTypes_isComparedAsText() throws Exception {
    TestStore store = TestStore.SQLITE;
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE things (id integer NOT NULL PRIMARY KEY, customer_id text)",
          "INSERT INTO things VALUES (1, 'acme'), (2, CAST('acme' AS BLOB)),"
              + " (3, CAST(x'61636d6500' AS TEXT)), (4, CAST(x'61636d65ff' AS TEXT)), (5, 7),"
              + " (6, 7.0)");
      ListingBench things = new ListingBench(database, things("things").build());
      for (String more : List.of("acme\uFFFD", "initech")) {
        assertThat(things.ids(customers("acme", more), "")).isEqualTo("1 of 1");
      }
      assertThat(things.ids(ACME, "")).isEqualTo("1 of 1");
      assertThat(things.ids(customers("7"), "")).isEqualTo("5 of 1");
      // Two columns of different types make a view whose column no type can serve.
      store.run(
          directory,
          "CREATE TABLE numbers (id integer NOT NULL PRIMARY KEY, customer_id integer)",
          "CREATE VIEW both AS SELECT * FROM things UNION ALL SELECT * FROM numbers");
      assertThatThrownBy(
              () -> new ListingBench(database, things("both").unique(Unique.ASSUMED).build()))
          .hasMessageContaining("which no type can serve");
    }
  }

  @ParameterizedTest
  @EnumSource
  void list_viewsAndComputedColumns_areScoped(TestStore store) throws Exception {
    boolean postgresql = store == TestStore.POSTGRESQL;
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE base (id integer NOT NULL PRIMARY KEY, code text, customer_id text"
              + " GENERATED ALWAYS AS ("
              + (postgresql ? "lower(code)" : "code")
              + ") STORED)",
          "INSERT INTO base (id, code) VALUES (1, 'acme'), (2, 'globex'), (3, NULL)",
          "CREATE VIEW either AS SELECT * FROM base WHERE id = 1 OR id = 2 OR code IS NULL");
      for (String table : List.of("base", "either")) {
        ListingBench things =
            new ListingBench(database, things(table).unique(Unique.ASSUMED).build());
        assertThat(things.ids(ACME, "")).isEqualTo("1 of 1");
        assertThat(things.ids(SEVERAL, "")).isEqualTo("1 of 1");
        assertThat(things.ids(everyone(), "")).isEqualTo("1 2 3 of 3");
        assertNotFound(things, ACME, "/2");
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void post_bodiesThatNameAnother_areRefused(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      Map<String, Reason> refused = new LinkedHashMap<>();
      refused.put("\"customerId\":\"globex\"", Reason.SCOPE_VIOLATION);
      refused.put("\"customer\\u0049d\":\"globex\"", Reason.SCOPE_VIOLATION);
      refused.put("\"customerId\":\"acme\\u0000\"", Reason.BODY_INVALID);
      refused.put("\"customerId\":null", Reason.SCOPE_VIOLATION);
      refused.put("\"customerId\":\"\"", Reason.SCOPE_VIOLATION);
      refused.put("\"customerId\":[\"acme\"]", Reason.BODY_INVALID);
      refused.put("\"customerId\":\"acme\",\"customerId\":\"globex\"", Reason.BODY_INVALID);
      refused.put("\"customerId\":\"acme\",\"customer_id\":\"globex\"", Reason.BODY_INVALID);
      refused.put("\"customerID\":\"globex\"", Reason.BODY_INVALID);
      for (Map<String, AttributeValue> client : List.of(ACME, SEVERAL)) {
        refused.forEach(
            (member, reason) -> {
              Denial denial = things.refusal(client, "POST", "", "{\"id\":10," + member + "}");
              assertThat(denial.reason()).as(member).isEqualTo(reason);
              assertThat(denial.toString()).doesNotContain("globex");
            });
      }
      Denial taken = things.refusal(ACME, "POST", "", "{\"id\":4}");
      assertThat(taken.reason()).isEqualTo(Reason.BODY_INVALID);
      assertThat(taken).isEqualTo(things.refusal(ACME, "POST", "", "{\"id\":1}"));
      assertThat(things.ids(everyone(), "?offset=5")).isEqualTo("6 of 6");
    }
  }

  @ParameterizedTest
  @EnumSource
  void post_rowThatTheDatabaseSkips_isNotAnswered(TestStore store) throws Exception {
    try (Database database = store.open(directory)) {
      ListingBench things = things(database, store);
      if (store == TestStore.POSTGRESQL) {
        store.run(
            directory,
            "CREATE FUNCTION public.skip() RETURNS trigger LANGUAGE plpgsql AS"
                + " $$ BEGIN RETURN NULL; END $$",
            "CREATE TRIGGER skip BEFORE INSERT ON public.things"
                + " FOR EACH ROW EXECUTE FUNCTION public.skip()");
      } else {
        store.run(
            directory,
            "CREATE TRIGGER skip BEFORE INSERT ON things BEGIN SELECT RAISE(IGNORE); END");
      }
      assertThat(things.refusal(ACME, "POST", "", "{\"id\":10}").reason())
          .isEqualTo(Reason.INTERNAL_ERROR);
      assertThat(things.ids(everyone(), "?offset=6")).isEqualTo("of 6");
    }
  }

  @Test
  void post_tableThatReplacesRows_preventsTheStart() throws Exception {
    TestStore store = TestStore.SQLITE;
    try (Database database = store.open(directory)) {
      store.run(
          directory,
          "CREATE TABLE replacing (id integer NOT NULL PRIMARY KEY on/**/conflict\nreplace,"
              + " customer_id text)",
          "CREATE TABLE filling (id integer NOT NULL PRIMARY KEY,"
              + " customer_id text NOT NULL ON CONFLICT REPLACE DEFAULT 'acme')");
      assertThatThrownBy(() -> new ListingBench(database, things("replacing").create(true).build()))
          .isInstanceOf(ListingException.class)
          .hasMessage(
              "listing /lab/v1/things: create must be false, because a new record of replacing"
                  + " would replace records of other clients: remove ON CONFLICT REPLACE from its"
                  + " unique constraints");
      ListingBench.check(database, things("replacing").build());
      ListingBench.check(database, things("replacing").create(true).scope(Map.of()).build());
      ListingBench.check(database, things("filling").create(true).build());
    }
  }

  @Test
  void settings_ofManyClientsAtOnce_neverReachAnother() throws Exception {
    TestStore.POSTGRESQL.empty(directory);
    run(
        TestStore.POSTGRESQL,
        "CREATE TABLE public.things (id int PRIMARY KEY, customer_id text)",
        "INSERT INTO public.things VALUES (1, 'acme'), (2, 'globex')",
        "CREATE POLICY own ON public.things USING (nullif(current_setting("
            + "'countersign.attribute_customerId', true), '')::jsonb ? customer_id)",
        "ALTER TABLE public.things ENABLE ROW LEVEL SECURITY");
    try (Database database = openAsUser("SET timezone = 'UTC'");
        TestThreads threads = TestThreads.of(6)) {
      ListingBench things =
          new ListingBench(database, things("things").scope(Map.of()).create(true).build());
      Map<String, String> seen = Map.of("acme", "1 of 1", "globex", "2 of 1", "nobody", "of 0");
      List<Callable<Void>> calls =
          IntStream.range(0, 40)
              .boxed()
              .flatMap(n -> seen.entrySet().stream())
              .<Callable<Void>>map(
                  client ->
                      () -> {
                        Map<String, AttributeValue> caller = customers(client.getKey());
                        assertThat(things.ids(caller, "")).isEqualTo(client.getValue());
                        assertThatThrownBy(
                                () -> things.post(caller, "{\"id\":9,\"customerId\":\"x\"}"))
                            .isInstanceOf(DeniedException.class);
                        assertThat(things.ids(Map.of(), "")).isEqualTo("of 0");
                        assertThat(new TableProbe(things.listing, database).total()).isZero();
                        return null;
                      })
              .toList();
      for (Future<Void> call : calls.stream().map(threads::submit).toList()) {
        Waits.forResult(call);
      }
    }
  }

  @Test
  void post_storedAnswerUnderAPolicy_isGivenUnderTheSameAttributesOnly() throws Exception {
    TestStore.POSTGRESQL.empty(directory);
    run(
        TestStore.POSTGRESQL,
        "CREATE TABLE public.things (id int PRIMARY KEY, customer_id text)",
        "CREATE POLICY own ON public.things USING (nullif(current_setting("
            + "'countersign.attribute_customerId', true), '')::jsonb ? customer_id)",
        "ALTER TABLE public.things ENABLE ROW LEVEL SECURITY");
    try (Database database = openAsUser("SET timezone = 'UTC'")) {
      ListingBench things =
          new ListingBench(database, things("things").scope(Map.of()).create(true).build());
      assertThat(things.answer(keyed(things, customers("acme", "globex"))).getStatus())
          .isEqualTo(201);
      assertThat(
              things
                  .answer(keyed(things, customers("globex", "acme")))
                  .getHeader("Idempotency-Replayed"))
          .isEqualTo("true");
      for (Map<String, AttributeValue> changed :
          List.of(customers("globex"), everyone(), Map.<String, AttributeValue>of())) {
        assertThat(things.refusal(keyed(things, changed)).reason())
            .isEqualTo(Reason.SCOPE_VIOLATION);
      }
    }
  }

  private static TestCaller.Call keyed(ListingBench things, Map<String, AttributeValue> client) {
    return Calls.signed(
        "POST",
        things.listing.path(),
        "{\"id\":1,\"customerId\":\"acme\"}",
        client,
        Map.of("Idempotency-Key", "the-key"),
        things.listing.createPermission().toString());
  }

  private static void assertNotFound(
      ListingBench things, Map<String, AttributeValue> client, String key) {
    assertThat(things.refusal(client, "GET", key, "").reason()).as(key).isEqualTo(Reason.NOT_FOUND);
  }

  /** Things 1 to 3 of acme, 4 and 5 of globex, and 6 of nobody. */
  private ListingBench things(Database database, TestStore store) throws SQLException {
    String day = store == TestStore.POSTGRESQL ? "timestamptz" : "text";
    store.run(
        directory,
        "CREATE TABLE things (id integer NOT NULL PRIMARY KEY, customer_id text, status text,"
            + " at "
            + day
            + ", hidden text)",
        "INSERT INTO things VALUES"
            + " (1, 'acme', 'OPEN', '2026-11-20T00:00:00.000Z', 's1'),"
            + " (2, 'acme', 'CLOSED', '2026-11-20T00:00:00.000Z', 's2'),"
            + " (3, 'acme', 'OPEN', '2026-11-21T00:00:00.000Z', 's3'),"
            + " (4, 'globex', 'OPEN', '2026-11-20T00:00:00.000Z', 's4'),"
            + " (5, 'globex', 'CLOSED', '2026-11-21T00:00:00.000Z', 's5'),"
            + " (6, NULL, 'OPEN', '2026-11-20T00:00:00.000Z', 's6')");
    Map<String, FieldProperties> more = new LinkedHashMap<>();
    more.put("status", FieldProperties.of("text"));
    more.put("at", FieldProperties.of("timestamp"));
    more.put("secret", column("hidden"));
    return new ListingBench(
        database,
        things("things", more)
            .sortable(List.of("id", "customerId"))
            .filterable(List.of("customerId", "status", "at"))
            .create(true)
            .build());
  }

  private static ListingProperties.Builder things(String table) {
    return things(table, Map.of());
  }

  private static ListingProperties.Builder things(String table, Map<String, FieldProperties> more) {
    Map<String, FieldProperties> fields = new LinkedHashMap<>();
    fields.put("id", FieldProperties.of("integer"));
    fields.put("customerId", column("customer_id"));
    Stream.of("status", "at", "secret", "branch", "owner")
        .filter(more::containsKey)
        .forEach(name -> fields.put(name, more.get(name)));
    return ListingProperties.at("/lab/v1/things")
        .table(table)
        .key("id")
        .fields(fields)
        .scope(Map.of("customerId", "customerId"));
  }

  private static FieldProperties column(String name) {
    return new FieldProperties(name, "text", null, null, List.of(), null, false, null);
  }

  /** Opens the database as a user without special rights that has this setting. */
  private Database openAsUser(String setting) throws SQLException {
    TestStore store = TestStore.POSTGRESQL;
    String user = "plain" + Integer.toHexString(directory.hashCode());
    run(
        store,
        "CREATE ROLE " + user + " LOGIN",
        "ALTER ROLE " + user + " " + setting,
        "CREATE SCHEMA countersign AUTHORIZATION " + user,
        "GRANT SELECT, INSERT ON public.things TO " + user);
    return Database.open(
        new StoreSettings(
            directory, store.settings(directory).url(), user, null, StoreSettings.SCHEMA));
  }

  private void run(TestStore store, String... statements) throws SQLException {
    store.run(directory, statements);
  }
}
