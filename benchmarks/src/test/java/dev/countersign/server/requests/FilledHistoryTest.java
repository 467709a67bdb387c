package dev.countersign.server.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("full")
class FilledHistoryTest {
  @Test
  void main_rowsThatFillNoBatch_areWrittenExactly(@TempDir Path folder) {
    FilledHistory.main(new String[] {folder.toString(), "1001"});
    try (Database main = Database.open(StoreSettings.embedded(folder));
        Database requests = main.openBeside("requests")) {
      int rows =
          requests.read(
              sql -> sql.sql("SELECT count(*) FROM request_records").query(Integer.class).single());
      assertThat(rows).isEqualTo(1_001);
    }
  }
}
