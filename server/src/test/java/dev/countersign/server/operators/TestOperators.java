package dev.countersign.server.operators;

import dev.countersign.server.TestService;
import dev.countersign.server.operators.signin.Passwords;
import dev.countersign.server.store.Database;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Accounts with a password. Each password is hashed once per JVM, because hashing is slow by
 * design.
 */
public final class TestOperators {
  private static final Passwords PASSWORDS = Passwords.argon2id(new SecureRandom());
  private static final Map<String, String> HASHES = new ConcurrentHashMap<>();

  private TestOperators() {}

  /** Adds an account with a password. */
  public static Operator add(TestService service, String name, OperatorRole role, String password) {
    String hash = HASHES.computeIfAbsent(password, text -> PASSWORDS.hash(text).orElseThrow());
    service.part(OperatorStore.class).add(name, role);
    Operator operator = service.part(OperatorStore.class).named(name);
    service
        .part(Database.class)
        .write(
            sql -> {
              new OperatorRows(sql).dropLink(operator.id());
              new OperatorRows(sql).setPassword(operator.id(), hash);
              return operator;
            });
    return operator;
  }

  /** Removes every account, so that the service waits for its first administrator again. */
  public static void removeAll(TestService service) {
    service
        .part(Database.class)
        .write(
            sql -> {
              List.of("operator_sessions", "operator_links", "operator_devices", "operators")
                  .forEach(table -> sql.sql("DELETE FROM " + table).update());
              return true;
            });
  }
}
