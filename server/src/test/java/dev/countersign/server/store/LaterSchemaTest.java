package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.TagFilter.excludeTags;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.launcher.EngineFilter;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Tests that the store works on a schema that a later build of the same minor version has expanded.
 * Tests of what the service stores run a second time, each on a database with the migrations in
 * {@code db/later}.
 */
class LaterSchemaTest {
  private static final boolean FULL = Boolean.getBoolean("countersign.full");
  private static final List<String> QUICK_TESTS =
      List.of(
          "audit.AuditTrailTest",
          "clients.ClientKeyHistoryTest",
          "nodes.HeartbeatTest",
          "once.ReplayGuardTest",
          "operators.OperatorStoreTest",
          "requests.RecordWriterTest",
          "requests.statistics.StatisticsTest");
  private static final List<String> FURTHER_TESTS =
      List.of(
          "clients.ClientAuditTest",
          "clients.ClientSearchTest",
          "clients.KeyChallengesTest",
          "operators.sessions.OperatorSessionsTest",
          "operators.signin.OneTimeLinksTest",
          "requests.KeyUsesTest",
          "requests.RecordSearchTest",
          "requests.RetentionTest",
          "requests.SeveralNodesTest");

  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  @SuppressWarnings("try") // closing it switches back to the present schema
  void everyTable_isExpanded(TestStore store) {
    try (MigratedFiles.LaterSchema later = MigratedFiles.switchToLaterSchema();
        Database main = store.open(folder);
        Database requests = main.openBeside("requests")) {
      List<String> expanded = new ArrayList<>();
      for (Database database : List.of(main, requests)) {
        expanded.addAll(
            database.read(
                sql ->
                    sql.sql(
                            store == TestStore.SQLITE
                                ? "SELECT t.name FROM sqlite_schema t, pragma_table_info(t.name) c"
                                    + " WHERE c.name = 'later_number'"
                                : "SELECT table_name FROM information_schema.columns"
                                    + " WHERE column_name = 'later_number'")
                        .query(String.class)
                        .list()));
      }
      assertThat(expanded).contains("wallets");
      assertThat(expanded).containsAll(ownTables());
    }
  }

  private static List<String> ownTables() {
    return Migrations.OWN_TABLES.stream()
        .filter(name -> !name.equals("flyway_schema_history"))
        .toList();
  }

  @Test
  @Timeout(value = 15, unit = TimeUnit.MINUTES)
  @SuppressWarnings("try") // closing it switches back to the present schema
  void testsOfTheStore_onALaterSchema_succeed() {
    List<String> tests = new ArrayList<>(QUICK_TESTS);
    if (FULL) {
      tests.addAll(FURTHER_TESTS);
    }
    SummaryGeneratingListener results = new SummaryGeneratingListener();
    try (MigratedFiles.LaterSchema later = MigratedFiles.switchToLaterSchema()) {
      LauncherFactory.create(
              LauncherConfig.builder()
                  .enableLauncherSessionListenerAutoRegistration(false)
                  .enableTestExecutionListenerAutoRegistration(false)
                  .build())
          .execute(
              LauncherDiscoveryRequestBuilder.request()
                  .selectors(tests.stream().map(LaterSchemaTest::test).toList())
                  .filters(EngineFilter.includeEngines("junit-jupiter"), excluded())
                  .build(),
              results);
    }
    TestExecutionSummary summary = results.getSummary();
    assertThat(summary.getFailures())
        .extracting(
            failure -> failure.getTestIdentifier().getUniqueId(), failure -> failure.getException())
        .isEmpty();
    assertThat(summary.getContainersFailedCount()).isZero();
    assertThat(summary.getTestsSucceededCount()).isGreaterThan(3L * tests.size());
  }

  private static Filter<?> excluded() {
    return FULL ? excludeTags("alone") : excludeTags("alone", "full");
  }

  private static DiscoverySelector test(String name) {
    return selectClass("dev.countersign.server." + name);
  }
}
