package dev.countersign.server;

import dev.countersign.server.store.StoreSettings;
import java.nio.file.Path;
import java.util.function.Function;
import org.springframework.core.env.Environment;

/**
 * The command-line options of a service.
 *
 * @param data the data directory
 * @param demoWallets the number of wallets to create in an empty database; 0 for none
 * @param store returns the store for the settings
 */
record ServeOptions(Path data, int demoWallets, Function<Environment, StoreSettings> store) {

  /** Creates options for the store that the settings name. */
  ServeOptions(Path data, int demoWallets) {
    this(data, demoWallets, environment -> Configuration.store(environment, data));
  }

  /** Returns options for a database in the data directory; ignores the store in the settings. */
  static ServeOptions embedded(Path data, int demoWallets) {
    return new ServeOptions(data, demoWallets, environment -> StoreSettings.embedded(data));
  }
}
