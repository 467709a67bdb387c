package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.io.ByteArrayResource;

class ListingCheckTest {
  private static final String WALLETS =
      """
      path: /ledger/v1/wallets
      table: wallets
      key: id
      fields:
        id:           { type: uuid, generated: true }
        name:         { type: text, max: 120 }
        currencyCode: { column: currency_code, type: text, pattern: "[A-Z0-9]{3,12}" }
        status:       { type: text, one-of: [ACTIVE, FROZEN, CLOSED], default: ACTIVE }
        createdAt:    { column: created_at, type: timestamp, generated: true }
      sortable: [name, currencyCode, createdAt]
      create: true
      """;

  @TempDir Path directory;

  @ParameterizedTest
  @EnumSource
  void check_walletsOfTheDesign_fit(TestStore store) {
    try (Database database = store.open(directory)) {
      ListingCatalog listings = Definitions.check(List.of(bind(WALLETS)), database);
      assertThat(listings.permissions())
          .extracting(Permission::value)
          .containsExactly("ledger:wallets:read", "ledger:wallets:create");
      Listing wallets = listings.all().getFirst();
      assertThat(wallets.path()).isEqualTo("/ledger/v1/wallets");
      assertThat(wallets.fields())
          .extracting(Field::name)
          .containsExactly("id", "name", "currencyCode", "status", "createdAt");
      assertThat(wallets.pageRules().sortable())
          .containsExactly("name", "currencyCode", "createdAt");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"clients", "CLIENT_KEYS", "replay_claims", "flyway_schema_history"})
  void check_tableOfTheService_isRefused(String table) {
    try (Database database = TestStore.SQLITE.open(directory)) {
      String definition = WALLETS.replace("table: wallets", "table: " + table);

      assertThatThrownBy(() -> Definitions.check(List.of(bind(definition)), database))
          .isInstanceOf(ListingException.class)
          .hasMessageContaining(
              "the table " + table + " belongs to the service itself; choose another table");
    }
  }

  @ParameterizedTest
  @EnumSource
  void check_everyTableOfTheMigrations_isTheServicesOwnOrWallets(TestStore store) {
    try (Database database = store.open(directory)) {
      for (String table : tables(store, database)) {
        String definition = WALLETS.replace("table: wallets", "table: " + table);
        if (!table.equals("wallets")) {
          assertThatThrownBy(() -> Definitions.check(List.of(bind(definition)), database))
              .hasMessageContaining("belongs to the service itself");
        }
      }
    }
  }

  private static List<String> tables(TestStore store, Database database) {
    String names =
        store == TestStore.SQLITE
            ? "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            : "SELECT tablename FROM pg_tables WHERE schemaname = 'countersign'";
    List<String> tables =
        database.read(sql -> sql.sql(names).query((row, n) -> row.getString(1)).list());
    assertThat(tables).hasSizeGreaterThan(5).contains("wallets");
    return tables;
  }

  @Test
  void bind_lifecycle_isReadAsInstants() {
    ListingProperties listing =
        bind(WALLETS + "deprecated: 2026-12-01T00:00:00Z\nsunset: 2027-06-01T00:00:00Z\n");
    assertThat(new DeprecationHeaders(listing.deprecated(), listing.sunset()).headers())
        .containsEntry("Deprecation", "@1796083200")
        .containsEntry("Sunset", "Tue, 01 Jun 2027 00:00:00 GMT");
  }

  @ParameterizedTest
  @EnumSource
  void check_misfits_areNamed(TestStore store) {
    try (Database database = store.open(directory)) {
      refused(database, "path: /ledger/v1/wallets", "path: /ledger/wallets", "area/version/coll");
      refused(
          database,
          "path: /ledger",
          "path: /actuator",
          "the area actuator is reserved for the service");
      refused(database, "table: wallets", "table: purses", "there is no table purses in the");
      refused(database, "table: wallets", "table: 'w; DROP'", "table must be a letter or _");
      refused(database, "key: id", "key: uid", "key must be one of the fields, was 'uid'");
      refused(database, "key: id", "key: name", "key name: column name must be the primary key");
      refused(database, "key: id", "key: createdAt", "must be of type uuid, text or integer");
      refused(
          database,
          "column: currency_code",
          "column: currency",
          "field currencyCode: table "
              + (store == TestStore.SQLITE ? "wallets" : "countersign.wallets")
              + " has no column currency; its columns are id, name, ");
      refused(database, "column: currency_code", "column: 'a b'", "wallets has no column a b; its");
      refused(database, "column: currency_code", "column: name", "belongs to another field");
      refused(database, "type: timestamp", "type: money", "type must be one of uuid, text, ");
      refused(
          database,
          "type: text, max: 120",
          "type: integer",
          "which is not compatible with type integer");
      refused(database, "max: 120", "max: 0", "max must be 1 to");
      refused(
          database,
          "type: uuid",
          "type: uuid, max: 3",
          "max, pattern and one-of apply only to text");
      refused(
          database,
          "[A-Z0-9]{3,12}",
          "[A-Z0-9",
          "pattern must be a regular expression of RE2, missing closing ]: [A-Z0-9");
      refused(database, "[A-Z0-9]{3,12}", "(?!EUR)[A-Z]{3}", "of RE2, invalid or unsupported Perl");
      refused(database, "[A-Z0-9]{3,12}", "(A)\\\\1", "of RE2, invalid escape sequence");
      refused(database, "[A-Z0-9]{3,12}", "A{1,1001}", "of RE2, invalid repeat count");
      refused(
          database, "default: ACTIVE", "default: OPEN", "must be one of ACTIVE, FROZEN, CLOSED");
      refused(database, "max: 120", "generated: true", "generated needs type uuid or timestamp");
      refused(database, "max: 120", "required: false", "field name must be required");
      refused(
          database,
          "sortable: [name",
          "sortable: [size",
          "sortable must contain only field names, was size");
      refused(database, "sortable: [name", "sortable: [name, name", "sortable contains name twice");
      refused(
          database,
          "  name:         { type: text, max: 120 }\n",
          "",
          "sortable must contain only field names, was name");
      refused(
          database,
          "create: true",
          "deprecated: 2027-01-01T00:00:00Z\nsunset: 2026-01-01T00:00:00Z",
          "sunset must not be before deprecated");
    }
  }

  @ParameterizedTest
  @EnumSource
  void check_createWithoutARequiredColumn_isRefused(TestStore store) {
    try (Database database = store.open(directory)) {
      String without =
          WALLETS.replace("  name:         { type: text, max: 120 }\n", "").replace("[name, ", "[");
      assertThatThrownBy(() -> Definitions.check(List.of(bind(without)), database))
          .isInstanceOf(ListingException.class)
          .hasMessage(
              "listing /ledger/v1/wallets: create: column name does not allow NULL and has no"
                  + " default: add a field for it, or set create: false");
      Definitions.check(List.of(bind(without.replace("create: true", "create: false"))), database);
    }
  }

  @ParameterizedTest
  @EnumSource
  void check_onePathTwice_isRefused(TestStore store) {
    try (Database database = store.open(directory)) {
      List<ListingProperties> twice = List.of(bind(WALLETS), bind(WALLETS));
      assertThatThrownBy(() -> Definitions.check(twice, database))
          .isInstanceOf(ListingException.class)
          .hasMessageContaining("/ledger/v1/wallets is defined twice");
    }
  }

  @ParameterizedTest
  @EnumSource
  void check_keyWithPartialIndexAlone_isRefused(TestStore store) {
    try (Database database = store.open(directory)) {
      database.write(
          sql -> {
            sql.sql("CREATE TABLE samples (id INTEGER NOT NULL, label VARCHAR(9))").update();
            sql.sql("CREATE UNIQUE INDEX high ON samples (id) WHERE id > 5").update();
            return sql.sql("CREATE UNIQUE INDEX pair ON samples (label, id)").update();
          });
      String samples =
          "path: /lab/v1/samples\ntable: samples\nkey: id\nfields: { id: { type: integer } }";
      assertThatThrownBy(() -> Definitions.check(List.of(bind(samples)), database))
          .isInstanceOf(ListingException.class)
          .hasMessageContaining("key id: column id must be the primary key");
      database.write(sql -> sql.sql("CREATE UNIQUE INDEX every ON samples (id)").update());
      assertThat(Definitions.check(List.of(bind(samples)), database).all()).hasSize(1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void check_textKeyOfNewRecords_isShort(TestStore store) {
    try (Database database = store.open(directory)) {
      database.write(sql -> sql.sql("CREATE TABLE tags (code TEXT NOT NULL PRIMARY KEY)").update());
      String tags =
          """
          path: /lab/v1/tags
          table: tags
          key: code
          fields: { code: { type: text } }
          create: true
          """;
      assertThatThrownBy(() -> Definitions.check(List.of(bind(tags)), database))
          .isInstanceOf(ListingException.class)
          .hasMessage(
              "listing /lab/v1/tags: create: key code becomes part of a URL: its max must be at"
                  + " most 255, was 10000");
      assertThatThrownBy(
              () ->
                  Definitions.check(
                      List.of(bind(tags.replace("text", "text, max: 256"))), database))
          .hasMessageContaining("was 256");
      Definitions.check(List.of(bind(tags.replace("text", "text, max: 255"))), database);
      Definitions.check(List.of(bind(tags.replace("create: true", "create: false"))), database);
    }
  }

  @Test
  void bind_scopeWithoutAField_isRefused() {
    for (String scope : List.of("scope:", "scope: {}", "scope: ''")) {
      assertThatThrownBy(() -> bind(WALLETS + scope + "\n"))
          .as(scope)
          .hasRootCauseInstanceOf(IllegalArgumentException.class)
          .hasRootCauseMessage(
              "listing /ledger/v1/wallets: scope must name at least one field, was empty; remove it"
                  + " to show all records to every client");
    }
    assertThat(bind(WALLETS).scope()).isEmpty();
  }

  private static void refused(Database database, String text, String other, String message) {
    assertThat(WALLETS).contains(text);
    List<ListingProperties> definitions = List.of(bind(WALLETS.replace(text, other)));
    assertThatThrownBy(() -> Definitions.check(definitions, database))
        .as(other)
        .isInstanceOf(ListingException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }

  private static ListingProperties bind(String yaml) {
    try {
      byte[] bytes = ("listing:\n" + yaml.indent(2)).getBytes(StandardCharsets.UTF_8);
      var sources = new YamlPropertySourceLoader().load("test", new ByteArrayResource(bytes));
      return new Binder(ConfigurationPropertySources.from(sources))
          .bind("listing", Bindable.of(ListingProperties.class))
          .get();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
