package dev.countersign.server.store;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.core.DB;

/**
 * Copies a database that is in use. Writers continue meanwhile.
 *
 * <p>VACUUM INTO copies one snapshot without deleted rows. It fails if a table uses a collation or
 * a function that only another program registers. SQLite's online backup copies the pages of such a
 * file in one step, including those with deleted rows.
 */
public final class SqliteBackup {
  // In WAL mode, a copy in one step locks out no writer.
  private static final int ALL_PAGES = -1;
  private static final int BUSY_MILLIS = 100;
  private static final int BUSY_ATTEMPTS = 50;

  private SqliteBackup() {}

  /** The form of a copy. */
  public enum Form {
    /** The rows, without the free space between them. */
    COMPACT,
    /** All pages of the file. Rows that were deleted may still be in them. */
    PAGES
  }

  static Form copy(DataSource source, Path from, Path target) {
    Path directory = DataDirectory.prepare(target).path();
    requireEmpty(directory);
    Path partial = directory.resolve(SqliteFile.NAME + ".partial");
    try (Connection connection = source.getConnection()) {
      Form form = copy(connection, partial);
      keep(partial, directory.resolve(SqliteFile.NAME));
      return form;
    } catch (SQLException e) {
      discard(partial);
      throw SqliteFile.refused(from, e);
    } catch (IOException e) {
      discard(partial);
      throw new StoreException(
          "the backup in " + target + " cannot be written: " + DataDirectory.reason(e), e);
    }
  }

  private static Form copy(Connection connection, Path partial) throws SQLException, IOException {
    create(partial);
    try (PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
      copy.setString(1, partial.toString());
      copy.execute();
      return Form.COMPACT;
    } catch (SQLException e) {
      if (!SqliteFile.isStatementError(e)) {
        throw e;
      }
      discard(partial);
    }
    create(partial);
    DB database = connection.unwrap(SQLiteConnection.class).getDatabase();
    int result =
        database.backup("main", partial.toString(), null, BUSY_MILLIS, BUSY_ATTEMPTS, ALL_PAGES);
    if (result != SQLiteErrorCode.SQLITE_OK.code) {
      throw DB.newSQLException(result, "the pages cannot be copied");
    }
    return Form.PAGES;
  }

  /**
   * Creates the empty file that SQLite fills, for its owner alone (mode 600). The directory may be
   * open to others, and SQLite would create a file that they can read.
   */
  private static void create(Path partial) throws IOException {
    DataDirectory.createOwnFile(partial);
  }

  private static void requireEmpty(Path directory) {
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
      if (entries.iterator().hasNext()) {
        throw new StoreException(
            "the backup directory "
                + directory
                + " is not empty: choose a new or an empty directory");
      }
    } catch (IOException e) {
      throw new StoreException(
          "the backup directory " + directory + " cannot be read: " + DataDirectory.reason(e), e);
    }
  }

  /**
   * Flushes the copy, then renames it. SQLite does not flush what VACUUM INTO wrote. The copy gets
   * its final name only when all of it is on disk.
   */
  private static void keep(Path partial, Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static void discard(Path partial) {
    try {
      Files.deleteIfExists(partial);
    } catch (IOException e) {
      // The caller reports the original failure, so this failure is only logged.
      System.getLogger(SqliteBackup.class.getName())
          .log(System.Logger.Level.WARNING, "cannot delete the partial backup " + partial, e);
    }
  }
}
