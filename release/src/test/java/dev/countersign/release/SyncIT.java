package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.release.Markdown.Block;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Follows {@code docs/sync.md} in a release, and changes the list between the runs. */
class SyncIT {
  private static final String SYNC = "docs/examples/sync.sh /sales/v1/orders changedAt orders.db";
  private static final String COMPARE = SYNC.replace("sync.sh", "sync.sh --compare");
  private static final String WITH_WALK = "chmod +x walk\nexport COUNTERSIGN=./walk\n";

  @TempDir private Path folder;
  private Path release;
  private ShellSession session;

  @BeforeEach
  void unpack() throws IOException {
    Command.require("sqlite3");
    release = Release.copyTo(folder.resolve("countersign"));
    session = new ShellSession(release);
  }

  @AfterEach
  void stop() {
    session.close();
  }

  @Test
  void copy_isThatOfTheList_afterInsertsUpdatesLateCommitsAndDeletions() throws Exception {
    followUntilTheFirstRun();
    assertThat(copy()).containsExactly("1|OPEN", "2|OPEN", "3|OPEN");

    // The last one is that of a transaction which began long before it was committed.
    change("INSERT INTO orders (customer_id, status) VALUES ('acme', 'NEW'), ('borealis', 'NEW')");
    change("UPDATE orders SET status = 'PAID' WHERE id = 2");
    change(
        "INSERT INTO orders (customer_id, status, changed_at) VALUES"
            + " ('acme', 'LATE', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '-4 minutes'))");
    assertThat(session.run(SYNC).err()).contains("sync.sh: 5 read, 5 in the copy");
    assertThat(copy()).containsExactly("1|OPEN", "2|PAID", "3|OPEN", "5|NEW", "7|LATE");

    // A record that was deleted, and one that left the scope.
    change("DELETE FROM orders WHERE id = 1");
    change("UPDATE orders SET customer_id = 'borealis' WHERE id = 3");
    session.run(SYNC);
    assertThat(copy()).hasSize(5);
    session.run(COMPARE);
    assertThat(copy()).containsExactly("2|PAID", "5|NEW", "7|LATE");

    session.close();
    Command.Outcome failed = Command.shell(release, ". ./session\n" + COMPARE).run();
    assertThat(failed.exit()).as(failed.err()).isEqualTo(4);
    assertThat(failed.err()).contains("sync.sh: 0 read, 3 in the copy");
    assertThat(copy()).hasSize(3);
  }

  /** A script stands in for the command line. */
  @Test
  void run_thatFails_keepsWhatItHasRead_deletesNothing_andLeavesNoLock() throws Exception {
    assertThat(runOn(SYNC, 0, record(1), record(2)).exit()).isZero();

    Command.Outcome failed = runOn(COMPARE, 4, record(3));
    assertThat(failed.exit()).as(failed.err()).isEqualTo(4);
    assertThat(failed.err()).contains("sync.sh: 1 read, 3 in the copy");
    assertThat(copy()).containsExactly("1|S1", "2|S2", "3|S3");
    assertThat(release.resolve("orders.db.lock")).doesNotExist();

    assertThat(runOn(SYNC, 130, record(4)).exit()).isEqualTo(130);
    assertThat(copy()).hasSize(4);
    runOn(SYNC, 0);
    assertThat(Files.readString(release.resolve("arguments")).strip())
        .isEqualTo(
            "list /sales/v1/orders --all --format jsonl --sort changedAt,asc"
                + " --where changedAt.gte=2026-02-03T09:59:00Z");
  }

  @Test
  void run_interruptedByCtrlC_keepsWhatItHasRead() throws Exception {
    Files.writeString(
        release.resolve("walk"),
        """
        #!/bin/sh
        echo '%s'
        kill -INT "$PPID"
        exit 130
        """
            .replace("%s", record(1)));
    Command.Outcome interrupted = Command.shell(release, WITH_WALK + SYNC).run();
    assertThat(interrupted.exit()).as(interrupted.err()).isEqualTo(130);
    assertThat(copy()).containsExactly("1|S1");
    assertThat(release.resolve("orders.db.lock")).doesNotExist();
  }

  private Command.Outcome runOn(String run, int exit, String... records) throws Exception {
    Files.writeString(release.resolve("records"), String.join("\n", records) + "\n");
    Files.writeString(
        release.resolve("walk"),
        "#!/bin/sh\necho \"$@\" >arguments\ngrep . records\nexit " + exit + "\n");
    return Command.shell(release, WITH_WALK + run).run();
  }

  private static String record(int id) {
    return String.format(
        Locale.ROOT,
        "{\"id\":%d,\"status\":\"S%d\",\"changedAt\":\"2026-02-03T10:0%d:00.123Z\"}",
        id,
        id,
        id);
  }

  @Test
  void run_besideAnotherOne_saysSo() throws Exception {
    Files.createDirectory(release.resolve("orders.db.lock"));
    Command.Outcome outcome = Command.shell(release, SYNC).run();
    assertThat(outcome.exit()).isEqualTo(1);
    assertThat(outcome.err()).contains("another run is using orders.db");
    assertThat(release.resolve("orders.db.lock")).exists();
  }

  @Tag("full")
  @Test
  void trigger_ofPostgresql_setsTheTimeOfEachChange() throws Exception {
    String statements =
        Markdown.read(release.resolve("docs/sync.md"))
            .section("## What the list needs")
            .blocks()
            .stream()
            .filter(block -> block.language().equals("sql"))
            .map(Block::text)
            .findFirst()
            .orElseThrow();
    try (EmbeddedPostgres server =
            EmbeddedPostgres.builder().setPGStartupWait(Duration.ofMinutes(3)).start();
        Connection connection =
            DriverManager.getConnection(server.getJdbcUrl("postgres", "postgres"));
        Statement statement = connection.createStatement()) {
      statement.execute(statements);
      statement.execute(
          "INSERT INTO orders (customer_id, status, changed_at) VALUES ('acme', 'OPEN', '2000-01-01')");
      statement.execute("CREATE TABLE before AS SELECT changed_at FROM orders");
      statement.execute("UPDATE orders SET status = 'PAID'");
      try (ResultSet result =
          statement.executeQuery(
              "SELECT before.changed_at > '2026-01-01', orders.changed_at > before.changed_at"
                  + " FROM orders, before")) {
        assertThat(result.next()).isTrue();
        assertThat(List.of(result.getBoolean(1), result.getBoolean(2))).containsExactly(true, true);
      }
    }
  }

  /** Runs the blocks of the document up to the first run, and checks that it reads all records. */
  private void followUntilTheFirstRun() throws Exception {
    Markdown document = Markdown.read(release.resolve("docs/sync.md"));
    for (Block block : document.section("## What the list needs").blocks()) {
      switch (block.language()) {
        case "yaml" -> Files.writeString(release.resolve("countersign.yaml"), block.text());
        case "sh" -> {
          if (block.note().startsWith("runs in the background")) {
            session.serve(block.text());
          } else {
            session.run(block.text());
          }
        }
        default -> assertThat(block.language()).isEqualTo("sql");
      }
    }
    List<Block> runs = document.section("## The first run, and those after it").blocks();
    assertThat(session.run(runs.get(0).text()).err()).contains("sync.sh: 3 read, 3 in the copy");
    assertThat(session.run(runs.get(1).text()).out()).isEqualTo("1|OPEN\n2|OPEN\n3|OPEN\n");
    assertThat(document.section("## Deletions").blocks())
        .extracting(block -> block.text().strip())
        .containsExactly(COMPARE);
  }

  private void change(String statement) throws IOException, InterruptedException {
    session.run("sqlite3 -bail -cmd '.timeout 60000' data/countersign.db \"" + statement + "\"");
  }

  private List<String> copy() throws IOException, InterruptedException {
    return session
        .run("sqlite3 orders.db \"SELECT id, record ->> 'status' FROM records ORDER BY id\"")
        .out()
        .lines()
        .toList();
  }
}
