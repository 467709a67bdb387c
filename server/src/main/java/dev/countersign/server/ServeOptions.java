package dev.countersign.server;

import dev.countersign.server.store.StoreSettings;
import java.nio.file.Path;
import java.util.function.Function;
import org.springframework.core.env.Environment;

/**
 * What the command line says of a service.
 *
 * @param data the data directory
 * @param demoWallets how many wallets an empty database is filled with; 0 for none
 * @param store the store that goes with the settings
 */
record ServeOptions(Path data, int demoWallets, Function<Environment, StoreSettings> store) {

  /** A service on the store that its settings name. */
  ServeOptions(Path data, int demoWallets) {
    this(data, demoWallets, environment -> Configuration.store(environment, data));
  }

  /** A service on a database in its data directory, whatever the settings name. */
  static ServeOptions embedded(Path data, int demoWallets) {
    return new ServeOptions(data, demoWallets, environment -> StoreSettings.embedded(data));
  }
}
