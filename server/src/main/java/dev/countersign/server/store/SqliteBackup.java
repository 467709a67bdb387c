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

/**
 * Copies a database that is in use. VACUUM INTO reads one snapshot, and writers continue meanwhile.
 */
final class SqliteBackup {
  private SqliteBackup() {}

  static void copy(DataSource source, Path from, Path target) {
    Path directory = DataDirectory.prepare(target).path();
    requireEmpty(directory);
    Path partial = directory.resolve(SqliteFile.NAME + ".partial");
    try (Connection connection = source.getConnection();
        PreparedStatement copy = connection.prepareStatement("VACUUM INTO ?")) {
      copy.setString(1, partial.toString());
      copy.execute();
      keep(partial, directory.resolve(SqliteFile.NAME));
    } catch (SQLException e) {
      discard(partial);
      throw SqliteFile.refused(from, e);
    } catch (IOException e) {
      discard(partial);
      throw new StoreException(
          "the backup in " + target + " cannot be written: " + DataDirectory.reason(e), e);
    }
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
