package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The messages about a store on PostgreSQL say what is wrong, and contain no secrets. */
class PostgresqlMessagesTest {
  @TempDir Path directory;

  @Test
  void open_unreachableServer_saysWhereAndWhyButNoPassword() {
    StoreSettings settings =
        new StoreSettings(
            directory, "jdbc:postgresql://127.0.0.1:1/x?password=hush", "u", "secret", "own");
    assertThatThrownBy(() -> Database.open(settings))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("cannot use PostgreSQL at jdbc:postgresql://127.0.0.1:1/x: ")
        .hasMessageContaining("refused")
        .hasMessageNotContaining("hush")
        .hasMessageNotContaining("secret")
        .hasMessageNotContaining("\n");
  }

  @Test
  void open_urlOfAnotherDatabaseSystem_isRefused() {
    StoreSettings settings =
        new StoreSettings(directory, "jdbc:mysql://x/y?a=hush", null, null, "own");
    assertThatThrownBy(() -> Database.open(settings))
        .isInstanceOf(StoreException.class)
        .hasMessage("spring.datasource.url must begin with jdbc:postgresql:, was jdbc:mysql://x/y");
  }

  @ParameterizedTest
  @CsvSource({
    "1, 6, 2, 50, 'connections.partners must be 2 to 1000, was 1'",
    "16, 1001, 2, 50, 'connections.operators must be 2 to 1000, was 1001'",
    "16, 6, 0, 50, 'connections.control must be 1 to 10, was 0'",
    "16, 6, 2, 101, 'connections.client-share must be 1 to 100, was 101'"
  })
  void connections_outOfBounds_areRefused(
      int partners, int operators, int control, int share, String message) {
    assertThatThrownBy(() -> new StoreSettings.Connections(partners, operators, control, share))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void settings_toString_hidesSecrets() {
    assertThat(new StoreSettings(directory, "jdbc:postgresql://h/d?password=a", "u", "b", "own"))
        .hasToString("PostgreSQL at jdbc:postgresql://h/d");
  }

  @Test
  void backup_isRefusedWithAdvice() {
    try (Database database = TestStore.POSTGRESQL.open(directory)) {
      assertThatThrownBy(() -> database.backup(directory.resolve("backup")))
          .isInstanceOf(StoreException.class)
          .hasMessage("backup supports only SQLite: use pg_dump to back up PostgreSQL");
    }
  }
}
