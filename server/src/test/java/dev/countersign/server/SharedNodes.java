package dev.countersign.server;

import dev.countersign.server.store.StoreSettings;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Two services on one PostgreSQL database that the tests of a JVM share. */
public final class SharedNodes {
  private SharedNodes() {}

  /** The service of {@link SharedConfiguredService}, for comparison: a single node on SQLite. */
  public static TestService alone() {
    return TestService.shared(
        SharedConfiguredService.class.getAnnotation(SharedService.class).value());
  }

  public static TestService first() {
    return node("first");
  }

  public static TestService second() {
    return node("second");
  }

  /** The logger does not exist; its level distinguishes the nodes. */
  private static TestService node(String name) {
    StoreSettings store = TestStore.POSTGRESQL.settings(Path.of("shared-nodes"));
    List<String> settings = new ArrayList<>(TestService.settingsOf(store));
    settings.addAll(List.of(TestService.ROTATING, TestService.READING));
    settings.add("logging.level.node-" + name + "=warn");
    return TestService.shared(settings.toArray(String[]::new));
  }
}
