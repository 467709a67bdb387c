package dev.countersign.server;

import dev.countersign.server.clients.ClientStore;
import dev.countersign.signatures.keys.KeyFingerprint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.springframework.util.FileSystemUtils;

/** One service for all tests of rotations; its clients may rotate their keys. */
final class RotatingService implements BeforeAllCallback {
  static final String WALLETS = "/ledger/v1/wallets";

  /** Making a key takes longer than most tests: what was refused can be used again. */
  static final KeyPair NEXT = TestService.newKeyPair();

  private TestService service;

  @Override
  public void beforeAll(ExtensionContext context) {
    service =
        context
            .getRoot()
            .getStore(Namespace.GLOBAL)
            .computeIfAbsent(Running.class, key -> Running.start(), Running.class)
            .service();
  }

  TestService service() {
    return service;
  }

  TestClient newClient() {
    return service.registerRotating();
  }

  /** The client that has the key of all tests. */
  String firstClient() {
    return service.part(ClientStore.class).list().stream()
        .filter(c -> c.keys().getFirst().fingerprint().equals(fingerprint(TestService.KEYS)))
        .findFirst()
        .orElseThrow()
        .clientId();
  }

  static String fingerprint(KeyPair pair) {
    return KeyFingerprint.of((RSAPublicKey) pair.getPublic()).value();
  }

  /** Ends with the run. */
  private record Running(TestService service, Path data) implements AutoCloseable {
    static Running start() {
      try {
        Path data = Files.createTempDirectory("rotating-");
        TestService service =
            TestService.start(
                data, 1, TestService.ROTATING, "countersign.roles.viewer=ledger:wallets:read");
        service.registerRotating();
        return new Running(service, data);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      service.close();
      FileSystemUtils.deleteRecursively(data);
    }
  }
}
