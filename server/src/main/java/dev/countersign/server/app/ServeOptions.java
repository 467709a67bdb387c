package dev.countersign.server.app;

import dev.countersign.server.config.Configuration;
import dev.countersign.server.store.StoreSettings;
import java.nio.file.Path;
import java.util.function.Function;
import org.springframework.core.env.Environment;

/**
 * The command-line options of a service.
 *
 * @param data the data directory
 * @param demoWallets the number of wallets to create if the database has none; 0 for none
 * @param demoTransactions the number of transactions to create in an empty table of the demo; 0 if
 *     the demo's list of transactions is not served
 * @param store returns the store for the settings
 */
public record ServeOptions(
    Path data, int demoWallets, int demoTransactions, Function<Environment, StoreSettings> store) {
  static final int DEMO_WALLETS = 250;
  static final int DEMO_TRANSACTIONS = 3_000;

  /** Creates options for the store that the settings name, without the list of transactions. */
  public ServeOptions(Path data, int demoWallets) {
    this(data, demoWallets, 0, environment -> Configuration.store(environment, data));
  }

  /** Returns these options with the sample data of the demo. */
  public ServeOptions withDemo() {
    return new ServeOptions(data, DEMO_WALLETS, DEMO_TRANSACTIONS, store);
  }

  /** Returns options for a database in the data directory; ignores the store in the settings. */
  static ServeOptions embedded(Path data) {
    return new ServeOptions(data, 0, 0, environment -> StoreSettings.embedded(data));
  }
}
