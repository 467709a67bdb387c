package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

class SqliteCommitTest {
  @ParameterizedTest
  @CsvSource({
    "SQLITE_BUSY, false",
    "SQLITE_BUSY_SNAPSHOT, false",
    "SQLITE_CONSTRAINT_FOREIGNKEY, false",
    "SQLITE_FULL, false",
    "SQLITE_IOERR, true",
    "SQLITE_IOERR_FSYNC, true",
    "SQLITE_IOERR_WRITE, true",
    "SQLITE_NOMEM, true"
  })
  void failedCommit_whoseTransactionMayBeInTheFile_isUnknown(
      SQLiteErrorCode code, boolean isUnknown) {
    SQLiteException failure = new SQLiteException("COMMIT failed", code);
    assertThat(SqliteDialect.isCommitUnknown(failure)).isEqualTo(isUnknown);
  }
}
