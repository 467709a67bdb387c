package dev.countersign.server.store;

import java.util.function.Function;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The store behind all features. */
public final class Database {
  private final JdbcClient reader;
  private final JdbcClient writer;

  Database(JdbcClient reader, JdbcClient writer) {
    this.reader = reader;
    this.writer = writer;
  }

  /** Runs a query on one consistent snapshot. */
  public <T> T read(Function<JdbcClient, T> work) {
    return work.apply(reader);
  }

  /** Runs a change in one transaction: commits it, or rolls it back when {@code work} throws. */
  public <T> T write(Function<JdbcClient, T> work) {
    return work.apply(writer);
  }
}
