package dev.countersign.server.commands;

import dev.countersign.server.store.DataDirectory;
import dev.countersign.server.store.StoreException;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Files;

/** The behaviour of a command if the data directory has no store yet. */
public enum MissingData {
  /** Creates the store, because the command adds something to it. */
  CREATE,
  /** Refuses the command: a mistyped path must not look like a service without clients. */
  REFUSE;

  private static final String DATABASE_FILE = "countersign.db";

  /**
   * Checks the data directory before the store is opened.
   *
   * @throws StoreException naming the directory, if the command is refused
   */
  public void check(StoreSettings settings) {
    if (this == CREATE || settings.url() != null) {
      return;
    }
    if (DataDirectory.lacksItsDatabase(settings.data())) {
      // Opening the store then fails with a message that says how to restore the database.
      return;
    }
    if (!Files.isRegularFile(settings.data().resolve(DATABASE_FILE))) {
      throw new StoreException(
          "there is no Countersign data in "
              + settings.data().toAbsolutePath().normalize()
              + "; give the data directory of the service with --data DIR");
    }
  }
}
