package dev.countersign.server.operators.signin;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;

/** A test with a {@link Bench} on each database that the subclass names. */
public abstract class BenchFixture {
  @Parameter protected TestStore kind;
  @TempDir protected Path data;
  protected Database database;
  protected Bench bench;

  @BeforeEach
  final void open() {
    database = kind.open(data);
    bench = new Bench(database);
  }

  @AfterEach
  final void close() {
    database.close();
  }
}
