package dev.countersign.server.commands;

import dev.countersign.server.store.StoreException;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Files;

/** What a command does with a data directory that has no store yet. */
public enum MissingData {
  /** The store is made: the command puts something into it. */
  CREATE,
  /** The command is refused: a mistyped path must not look like a service without clients. */
  REFUSE;

  private static final String DATABASE_FILE = "countersign.db";

  /**
   * Looks before the store is opened.
   *
   * @throws StoreException naming the directory, where that is refused
   */
  public void check(StoreSettings settings) {
    if (this == CREATE || settings.url() != null) {
      return;
    }
    if (!Files.isRegularFile(settings.data().resolve(DATABASE_FILE))) {
      throw new StoreException(
          "there is no data in "
              + settings.data().toAbsolutePath().normalize()
              + "; name the data directory of the service by --data DIR");
    }
  }
}
