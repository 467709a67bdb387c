package dev.countersign.server.clients;

import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.KeyFingerprint;
import java.math.BigInteger;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Fills a store with clients whose keys have a realistic size and no owner. */
final class ManyClients {
  // A transaction may take 10 s, also on a busy machine.
  private static final int BATCH = 100;

  private ManyClients() {}

  static String id(int number) {
    return "client-" + number;
  }

  static void insert(Database database, int count) {
    Random random = new Random(17);
    for (int start = 1; start <= count; start += BATCH) {
      int from = start;
      int to = Math.min(count, start + BATCH - 1);
      database.write(
          sql -> {
            for (int i = from; i <= to; i++) {
              insert(sql, i, random);
            }
            return sql.sql("UPDATE client_revision SET value = ?").param(to).update();
          });
    }
  }

  private static void insert(JdbcClient sql, int number, Random random) {
    sql.sql(
            "INSERT INTO clients (client_id, name, whitelist, roles, status, created_at,"
                + " updated_at, revision, change_token) VALUES (?, ?, ?, ?, 'enabled', 0, 0, ?, 0)")
        .params(
            List.of(
                id(number),
                "Partner number " + number,
                "203.0.113."
                    + number % 256
                    + ",2001:db8:"
                    + Integer.toHexString(number % 65_536)
                    + "::/48",
                "ledger-viewer",
                number))
        .update();
    sql.sql(
            "INSERT INTO client_attributes (client_id, name, kind, value)"
                + " VALUES (?, 'customerId', 'value', ?)")
        .params(List.of(id(number), "customer-" + number))
        .update();
    PublicKey key = key(random);
    sql.sql(
            "INSERT INTO client_keys (client_id, fingerprint, public_key, bits, added_at)"
                + " VALUES (?, ?, ?, 2048, 0)")
        .params(
            List.of(
                id(number),
                KeyFingerprint.of(key).value(),
                Base64.getEncoder().encodeToString(key.getEncoded())))
        .update();
  }

  private static PublicKey key(Random random) {
    BigInteger modulus = new BigInteger(2_048, random).setBit(2_047).setBit(0);
    try {
      return KeyFactory.getInstance("RSA")
          .generatePublic(new RSAPublicKeySpec(modulus, BigInteger.valueOf(65_537)));
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
