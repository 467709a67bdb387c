package dev.countersign.server.store;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The pools of connections to a database, by purpose. Purposes with separate pools do not wait for
 * each other's connections.
 *
 * @param control the pools for the registry and the heartbeat
 * @param operators the pools for the portal, the commands and the records of requests
 * @param partners the pools for the requests of clients
 */
public record ConnectionPools(Pair control, Pair operators, Pair partners)
    implements AutoCloseable {

  /**
   * The pools of one purpose.
   *
   * @param readers the connections that read
   * @param writers the connections that write; the same pool if each connection can do both
   */
  public record Pair(HikariDataSource readers, HikariDataSource writers) {
    /** Returns a pair in which the same pool reads and writes. */
    public static Pair of(HikariDataSource both) {
      return new Pair(both, both);
    }
  }

  /** Replaces every connection before its next use. */
  public void renew() {
    all().forEach(pool -> pool.getHikariPoolMXBean().softEvictConnections());
  }

  /** Returns the state of all pools, by their names. */
  public Map<String, HikariPoolMXBean> byName() {
    return all().stream()
        .collect(
            Collectors.toMap(HikariDataSource::getPoolName, HikariDataSource::getHikariPoolMXBean));
  }

  @Override
  public void close() {
    all().forEach(HikariDataSource::close);
  }

  private Set<HikariDataSource> all() {
    return Stream.of(control, operators, partners)
        .flatMap(pair -> Stream.of(pair.readers, pair.writers))
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }
}
