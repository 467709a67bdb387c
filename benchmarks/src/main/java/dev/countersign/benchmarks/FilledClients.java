package dev.countersign.benchmarks;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Fills a store with clients to show. None of them can call: their keys are not real keys. */
public final class FilledClients {
  private static final String[] WHITELISTS = {
    "203.0.113.7,2001:db8::/48", "198.51.100.0/24", "0.0.0.0"
  };

  private FilledClients() {}

  /**
   * Fills the store.
   *
   * @param args a data directory and the number of clients
   */
  public static void main(String[] args) {
    int clients = Integer.parseInt(args[1]);
    Instant now = Instant.now();
    try (Database database = Database.open(StoreSettings.embedded(Path.of(args[0])))) {
      database.write(
          sql -> {
            for (int i = 0; i < clients; i++) {
              insert(sql, i, now.minus(Duration.ofDays(i % 200)).toEpochMilli());
            }
            return sql.sql("UPDATE client_revision SET value = ?").param(clients).update();
          });
    }
  }

  private static void insert(JdbcClient sql, int number, long time) {
    String clientId = String.format(Locale.ROOT, "cl-%016d", number);
    sql.sql(
            "INSERT INTO clients (client_id, name, whitelist, roles, status, created_at,"
                + " updated_at, revision, change_token) VALUES (?, ?, ?, 'ledger-viewer', ?, ?, ?, ?, 0)")
        .param(clientId)
        .param("Partner " + number)
        .param(WHITELISTS[number % 100 == 0 ? 2 : number % 2])
        .param(number % 20 == 0 ? "disabled" : "enabled")
        .param(time)
        .param(time)
        .param(number + 1)
        .update();
    sql.sql(
            "INSERT INTO client_keys (client_id, fingerprint, public_key, bits, added_at)"
                + " VALUES (?, ?, ?, 2048, ?)")
        .param(clientId)
        .param("SHA256:" + digest(clientId))
        .param(digest(clientId).repeat(9))
        .param(time)
        .update();
  }

  private static String digest(String text) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII));
      return Base64.getEncoder().withoutPadding().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
