package dev.countersign.server.commands;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.config.CountersignProperties;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.ByteArrayResource;

class ListingCommandsTest {
  @TempDir private Path directory;
  private final CommandBench bench = new CommandBench("ada");

  @Test
  void suggest_onPostgresql_printsWhatTheTablesAllow() throws Exception {
    prepare(
        TestStore.POSTGRESQL,
        "CREATE SCHEMA ledger",
        """
        CREATE TABLE ledger.accounts (
          account_id uuid PRIMARY KEY, "IBAN" varchar(34) COLLATE "C" NOT NULL UNIQUE, owner text,
          balance numeric(20, 4) NOT NULL, open boolean NOT NULL, tags text[],
          created_at timestamptz NOT NULL)
        """,
        "CREATE INDEX ON ledger.accounts (created_at, account_id)",
        """
        CREATE TABLE ledger.postings (
          id bigint, amount numeric NOT NULL, booked_at timestamptz NOT NULL,
          PRIMARY KEY (id, booked_at)) PARTITION BY RANGE (booked_at)
        """,
        "CREATE TABLE ledger.postings_2026 PARTITION OF ledger.postings"
            + " FOR VALUES FROM ('2026-01-01') TO ('2027-01-01')",
        "CREATE TABLE ledger.order_lines (order_id int, line_no int, PRIMARY KEY (order_id,"
            + " line_no))",
        """
        CREATE VIEW ledger.balances AS SELECT account_id, balance FROM ledger.accounts
        """,
        """
        CREATE TABLE public."Odd ""name"".x" (
          no int PRIMARY KEY, "größe m" text, created_at int, "createdAt" int, "CREATEDAT" int, "2fa" bool)
        """,
        "CREATE TABLE public.\"null\" (id int PRIMARY KEY)",
        "CREATE SCHEMA portal",
        "CREATE TABLE portal.\"on\" (id int PRIMARY KEY)");
    CommandResult result = suggest();
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            # Remove the listings and fields that partners must not see.
            # create: true would let partners add records.
            countersign:
              listings:
                - path: /ledger/v1/accounts
                  table: ledger.accounts
                  key: accountId
                  fields:
                    accountId: { type: uuid, column: account_id }
                    iban: { type: text, column: IBAN }
                    owner: { type: text }
                    balance: { type: decimal }
                    open: { type: boolean }
                    createdAt: { type: timestamp, column: created_at }
                    # tags: no field has the type text[]
                  sortable: [accountId, iban, createdAt]
                - path: /ledger/v1/balances
                  table: ledger.balances
                  key: accountId
                  # view: no constraint proves that accountId is unique; now it is
                  unique: assumed
                  fields:
                    accountId: { type: uuid, column: account_id }
                    balance: { type: decimal }
                  sortable: [accountId]
                - path: /ledger/v1/postings
                  table: ledger.postings
                  key: id
                  # partitioned table: no constraint proves that id is unique; now it is
                  unique: assumed
                  fields:
                    id: { type: integer }
                    amount: { type: decimal }
                    bookedAt: { type: timestamp, column: booked_at }
                  sortable: [id]
                - path: /data-portal/v1/on
                  table: portal.on
                  key: id
                  fields:
                    id: { type: integer }
                  sortable: [id]
                - path: /data/v1/odd-name-x
                  table: "public.\\"Odd \\"\\"name\\"\\".x\\""
                  key: "no"
                  fields:
                    "no": { type: integer }
                    grosseM: { type: text, column: "gr\\U000000F6\\U000000DFe m" }
                    createdAt: { type: integer, column: created_at }
                    createdAt2: { type: integer, column: createdAt }
                    createdat3: { type: integer, column: CREATEDAT }
                    column2fa: { type: boolean, column: "2fa" }
                  sortable: ["no"]
                - path: /data/v1/null
                  table: public.null
                  key: id
                  fields:
                    id: { type: integer }
                  sortable: [id]
              roles:
                ledger-viewer:
                  - "ledger:accounts:read"
                  - "ledger:balances:read"
                  - "ledger:postings:read"
                data-portal-viewer:
                  - "data-portal:on:read"
                data-viewer:
                  - "data:odd-name-x:read"
                  - "data:null:read"
            # Not suggested:
            # - ledger.order_lines: no single column of type uuid, text or integer is known to be unique; add a unique index on one column, or serve a view with such a column
            """);
    assertThat(listingsOf(result.out())).hasSize(6);
  }

  @Test
  void suggest_onSqlite_printsWhatTheTablesAllow() throws Exception {
    prepare(
        TestStore.SQLITE,
        """
        CREATE TABLE invoices (
          id INTEGER NOT NULL PRIMARY KEY, number TEXT NOT NULL UNIQUE, amount NUMERIC NOT NULL,
          paid BOOLEAN, due DATETIME, weight REAL, scan BLOB, remarks)
        """,
        "CREATE INDEX by_due ON invoices (due, id)",
        "CREATE TABLE \"monthly \"\"entries\"\"\" (uuid TEXT PRIMARY KEY, 'on' INT)",
        "CREATE TABLE lines (invoice_id INT, line INT, PRIMARY KEY (invoice_id, line))",
        "CREATE VIEW unpaid AS SELECT id, number FROM invoices WHERE NOT paid",
        "INSERT INTO invoices (id, number, amount) VALUES (1, 'A', 2)",
        "CREATE VIEW twice AS SELECT id FROM invoices UNION ALL SELECT id FROM invoices",
        "CREATE VIRTUAL TABLE words USING fts5(body)");
    CommandResult result = suggest();
    assertThat(result.err()).isEmpty();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .isEqualTo(
            """
            # Remove the listings and fields that partners must not see.
            # create: true would let partners add records.
            countersign:
              listings:
                - path: /data/v1/invoices
                  table: invoices
                  key: id
                  fields:
                    id: { type: integer }
                    number: { type: text }
                    amount: { type: decimal }
                    paid: { type: boolean }
                    due: { type: timestamp }
                    weight: { type: decimal }
                    # scan: no field has the type BLOB
                    # remarks: the column declares no type
                  sortable: [id, number, due]
                - path: /data/v1/monthly-entries
                  table: "\\"monthly \\"\\"entries\\"\\"\\""
                  key: uuid
                  # table: no constraint proves that uuid is unique and never NULL; now it is
                  unique: assumed
                  fields:
                    uuid: { type: text }
                    "on": { type: integer }
                  sortable: [uuid]
                - path: /data/v1/unpaid
                  table: unpaid
                  key: id
                  # view: no constraint proves that id is unique; now it is
                  unique: assumed
                  fields:
                    id: { type: integer }
                    number: { type: text }
                  sortable: [id, number]
              roles:
                data-viewer:
                  - "data:invoices:read"
                  - "data:monthly-entries:read"
                  - "data:unpaid:read"
            # Not suggested:
            # - lines: no single column of type uuid, text or integer is known to be unique; add a unique index on one column, or serve a view with such a column
            # - twice: no column is known to be unique, and id has equal or missing values
            # - words: no column looks like a key; a virtual table needs a unique column of type uuid, text or integer, such as id
            """);
    assertThat(listingsOf(result.out())).hasSize(3);
  }

  @Test
  void suggest_columnsWithOtherValues_leavesThemOutWithoutTheValue() throws Exception {
    prepare(
        TestStore.SQLITE,
        "CREATE TABLE places (id TEXT NOT NULL PRIMARY KEY, code TEXT NOT NULL UNIQUE, v POINT,"
            + " lasts INTERVAL, price FLOATING POINT, letters CHARINT, open BOOLEAN, at DATETIME,"
            + " kept INT)",
        "INSERT INTO places VALUES ('A', 'a', 1, 2, 1.5, 3, 1, '2026-01-05', NULL)",
        "INSERT INTO places VALUES (x'42', 'b', x'00', 'P1D', 2, 'secret', 'true', 7, 9)");
    CommandResult result = suggest();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            """
                  key: code
                  fields:
                    code: { type: text }
                    price: { type: decimal }
                    kept: { type: integer }
                    # id: no text in the record with the key "b", where it is stored as BLOB
                    # v: no integer in the record with the key "b", where it is stored as BLOB
                    # lasts: no integer in the record with the key "b", where it is stored as TEXT
                    # letters: no integer in the record with the key "b", where it is stored as TEXT
                    # open: no boolean in the record with the key "b", where it is stored as TEXT
                    # at: no timestamp in the record with the key "b", where it is stored as INTEGER
            """)
        .doesNotContain("secret", "P1D");
    assertThat(listingsOf(result.out())).hasSize(1);
  }

  @Test
  void suggest_onPostgresql_leavesOutWhatJsonCannotExpress() throws Exception {
    prepare(
        TestStore.POSTGRESQL,
        "CREATE TABLE rates (id int PRIMARY KEY, rate double precision, since timestamptz)",
        "INSERT INTO rates VALUES (1, 'NaN', 'infinity')");
    CommandResult result = suggest();
    assertThat(result.out())
        .contains(
            """
                    id: { type: integer }
                    # rate: no decimal in the record with the key "1"
                    # since: no timestamp in the record with the key "1"
            """);
  }

  @Test
  void suggest_withoutRights_printsTheGrants() throws Exception {
    String user = "suggester" + Integer.toHexString(directory.hashCode());
    prepare(
        TestStore.POSTGRESQL,
        "CREATE ROLE " + user + " LOGIN",
        "CREATE SCHEMA countersign AUTHORIZATION " + user,
        "CREATE SCHEMA ledger",
        "GRANT USAGE ON SCHEMA ledger TO " + user,
        "CREATE TABLE ledger.entries (id int PRIMARY KEY, secret text, amount int)",
        "GRANT SELECT (id, amount) ON ledger.entries TO " + user,
        "CREATE TABLE ledger.\"salaries  of all\" (id int PRIMARY KEY)");
    bench.store = new StoreSettings(directory, bench.store.url(), user, "hunter2", "countersign");
    CommandResult result = suggest();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out())
        .contains(
            """
                  fields:
                    id: { type: integer }
                    amount: { type: integer }
                    # secret: the user may not read it
            """)
        .endsWith(
            String.format(
                Locale.ROOT,
                """
                # The user may not read these tables. To serve one, run:
                # - GRANT SELECT ("id") ON "ledger"."salaries  of all" TO %s;
                """,
                user));
    assertThat(result.out() + result.err()).doesNotContain("hunter2", "jdbc:");
    assertThat(listingsOf(result.out())).hasSize(1);

    CommandResult alone = suggest("--table", "ledger.\"salaries  of all\"");
    assertThat(alone.exitCode()).isEqualTo(1);
    assertThat(alone.out())
        .contains("# - GRANT SELECT (\"id\") ON \"ledger\".\"salaries  of all\" TO ");
    assertThat(alone.err())
        .isEqualTo(
            "countersign: no table can be served as it is; the comments on standard output say"
                + " why\n");
  }

  @ParameterizedTest
  @EnumSource
  void suggest_namedTables_printsThoseAlone(TestStore store) throws Exception {
    prepare(
        store,
        "CREATE TABLE \"Odd name\" (id INTEGER NOT NULL PRIMARY KEY)",
        "CREATE TABLE entries (id INTEGER NOT NULL PRIMARY KEY)",
        "CREATE TABLE others (id INTEGER NOT NULL PRIMARY KEY)");
    CommandResult result =
        suggest("--table", "entries", "--table", "\"Odd name\"", "--table", "entries");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(listingsOf(result.out())).containsExactly("/data/v1/entries", "/data/v1/odd-name");
    assertThat(listingsOf(suggest("--table", "wallets").out())).hasSize(1);
  }

  @ParameterizedTest
  @EnumSource
  void suggest_unknownTable_isRefusedInOneLine(TestStore store) throws Exception {
    prepare(store, "CREATE TABLE \"Entries\" (id INTEGER NOT NULL PRIMARY KEY)");
    CommandResult result = suggest("--table", "x.entries");
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .startsWith("countersign: there is no table x.entries in the ")
        .endsWith(
            store == TestStore.SQLITE
                ? " database; use Entries\n"
                : " database; use public.Entries\n");
    assertThat(suggest("--table", "nothing").err())
        .endsWith(" database; without --table, all tables are listed\n");
    assertThat(suggest("--table", "clients").err())
        .endsWith(" belongs to the service itself; choose another table\n");
    CommandResult malformed = suggest("--table", "a.b.c");
    assertThat(malformed.exitCode()).isEqualTo(2);
    assertThat(malformed.err())
        .startsWith("countersign: --table must be a letter or _, ")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @EnumSource
  void suggest_emptyDatabase_saysSo(TestStore store) throws Exception {
    prepare(store);
    CommandResult result = suggest();
    assertThat(result.exitCode()).isEqualTo(1);
    assertThat(result.out()).isEmpty();
    assertThat(result.err())
        .endsWith(" has no table or view besides the service's own; create one first\n")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @EnumSource
  void suggest_everyKindOfColumn_startsTheService(TestStore store) throws Exception {
    prepare(
        store,
        """
        CREATE TABLE things (
          id INTEGER NOT NULL PRIMARY KEY, a VARCHAR(9), b CHAR(3), c SMALLINT, d BIGINT,
          e NUMERIC(9, 2), f REAL, g DOUBLE PRECISION, h BOOLEAN, i TIMESTAMP, j DATE, k JSON,
          l TEXT, m UUID, n TIME)
        """,
        "CREATE VIEW \"portal\" AS SELECT id, l FROM things",
        "CREATE TABLE \"---\" (\"_\" INTEGER NOT NULL PRIMARY KEY, \"?\" TEXT)",
        "CREATE TABLE \"THINGS-\" (ID INTEGER NOT NULL PRIMARY KEY)");
    CommandResult result = suggest();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(listingsOf(result.out()))
        .containsExactlyInAnyOrder(
            "/data/v1/things", "/data/v1/portal", "/data/v1/table", "/data/v1/things-2");
  }

  @Test
  void suggest_keyThatIsRejected_keepsItsTypeAsAField() throws Exception {
    prepare(
        TestStore.SQLITE,
        "CREATE TABLE rates (no INTEGER PRIMARY KEY, rate DECIMAL)",
        "INSERT INTO rates VALUES (1, 1.5), (2, 1.5)",
        "CREATE VIEW offers AS SELECT CAST(rate AS NUMERIC) AS id, no AS guid FROM rates");
    CommandResult result = suggest("--table", "offers");
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("      key: guid\n", "        id: { type: decimal }\n");
  }

  @Test
  void suggest_viewThatCannotBeRead_saysSo() throws Exception {
    prepare(
        TestStore.POSTGRESQL,
        "CREATE TABLE entries (id int PRIMARY KEY)",
        "CREATE VIEW broken AS SELECT 1 / 0 AS id",
        "CREATE MATERIALIZED VIEW unfilled AS SELECT 1 AS id WITH NO DATA");
    CommandResult result = suggest();
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(listingsOf(result.out())).containsExactly("/data/v1/entries");
    assertThat(result.out())
        .contains("# - public.broken: it cannot be read: division by zero")
        .contains("# - public.unfilled: it cannot be read: materialized view \"unfilled\" has not");
  }

  @Test
  void suggest_indexesOfTheDatabasesOrder_setsThatOrder() throws Exception {
    prepare(
        TestStore.POSTGRESQL,
        "CREATE TYPE mood AS ENUM ('sad', 'fine')",
        "CREATE DOMAIN code AS char(3)",
        "CREATE TABLE people (id int PRIMARY KEY, name text, notes jsonb, mood mood, code code,"
            + " born date, seen timestamp)",
        "CREATE INDEX ON people (name, id)",
        "CREATE INDEX ON people (mood, id)",
        "CREATE INDEX ON people (code, id)",
        "CREATE INDEX ON people (born, id)");
    String yaml = suggest("--table", "people").out();
    assertThat(yaml)
        .contains(
            """
                  fields:
                    id: { type: integer }
                    name: { type: text }
                    notes: { type: json }
                    mood: { type: text }
                    code: { type: text }
                    born: { type: date }
                    seen: { type: timestamp }
                  sortable: [id, name, mood, code, born]
                  # the indexes sort text and NULL as the database does
                  order: database
            """);
    assertThat(listingsOf(yaml)).containsExactly("/data/v1/people");
  }

  @Test
  void suggest_newDirectory_isRefused() {
    bench.store = StoreSettings.embedded(directory.resolve("missing"));
    assertThat(suggest().err()).contains("there is no Countersign data in ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"listings", "listings suggest"})
  void help_showsAnExample(String command) {
    String[] arguments = (command + " --help").split(" ", -1);
    CommandResult result = bench.run(arguments);
    assertThat(result.exitCode()).as(result.err()).isZero();
    assertThat(result.out()).contains("Example", "countersign listings suggest", "--config");
  }

  @Test
  void listings_alone_asksForASubcommand() {
    CommandResult result = bench.run("listings");
    assertThat(result.exitCode()).isEqualTo(2);
    assertThat(result.err())
        .isEqualTo("countersign: listings needs one of suggest; see countersign listings --help\n");
  }

  /** Reads the document as a start of the service would, and returns the paths. */
  private List<String> listingsOf(String yaml) throws IOException {
    CountersignProperties properties =
        new Binder(
                ConfigurationPropertySources.from(
                    new YamlPropertySourceLoader()
                        .load(
                            "suggested",
                            new ByteArrayResource(yaml.getBytes(StandardCharsets.US_ASCII)))))
            .bind(
                "countersign",
                Bindable.of(CountersignProperties.class),
                new NoUnboundElementsBindHandler(BindHandler.DEFAULT))
            .get();
    try (Database database = Database.open(bench.store)) {
      ListingCatalog catalog =
          ListingCatalog.create(
              properties.listings(), Attributes.parse(properties.attributes()), database);
      Roles.parse(properties.roles()).check(catalog.permissions());
      return catalog.all().stream().map(listing -> listing.path()).toList();
    }
  }

  private CommandResult suggest(String... options) {
    List<String> arguments = new ArrayList<>(List.of("listings", "suggest"));
    arguments.addAll(Arrays.asList(options));
    return bench.run(arguments.toArray(String[]::new));
  }

  /** Runs statements as the operator would, before the service's first start. */
  private void prepare(TestStore store, String... statements) throws SQLException {
    bench.store = store.empty(directory);
    String url =
        bench.store.url() == null
            ? "jdbc:sqlite:" + directory.resolve("countersign.db")
            : bench.store.url();
    try (Connection connection = DriverManager.getConnection(url, bench.store.user(), null);
        Statement statement = connection.createStatement()) {
      statement.execute("SELECT 1");
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
    if (statements.length == 0) {
      Database.open(bench.store).close();
    }
  }
}
