package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PostgresqlPoolTest {
  @TempDir Path directory;

  @Test
  void open_unreachable_saysWhereAndWhyButNoPassword() {
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
  void open_anotherDatabase_isRefused() {
    StoreSettings settings =
        new StoreSettings(directory, "jdbc:mysql://x/y?a=hush", null, null, "own");
    assertThatThrownBy(() -> Database.open(settings))
        .isInstanceOf(StoreException.class)
        .hasMessage("spring.datasource.url must begin with jdbc:postgresql:, was jdbc:mysql://x/y");
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
