package dev.countersign.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.client.CountersignClient;
import dev.countersign.client.CountersignException;
import dev.countersign.client.files.OwnerOnlyFile;
import dev.countersign.client.keys.KeySource;
import dev.countersign.client.keys.PrivateKeyFile;
import dev.countersign.client.rotation.KeyRotation;
import dev.countersign.client.rotation.RotatedKey;
import dev.countersign.client.rotation.RotationException;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.clients.ClientKey;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** The rotation of the SDK against the service itself. */
class RotationTest {
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final String READING = "countersign.roles.reader=ledger:wallets:read";

  @TempDir static Path data;
  private static TestService service;

  @TempDir Path folder;
  private String clientId;

  @BeforeAll
  static void start() {
    service = TestService.start(data, 3, TestService.ROTATING, READING);
  }

  @AfterAll
  static void stop() {
    service.close();
  }

  @Test
  void key_rotated_isTheOneThatARunningClientSignsWith() throws Exception {
    Path file = register();
    CountersignClient client = client(PrivateKeyFile.of(file));
    wallets(client);

    RotatedKey rotated = rotation(file).rotate();

    assertThat(fingerprints()).contains(rotated.fingerprint()).hasSize(2);
    assertThat(rotated.previousFingerprint()).get().isIn(fingerprints());
    assertThat(rotated.previousEndsAt()).isPresent();
    removeOld(rotated);
    wallets(client);
  }

  @Test
  void rotation_whileTwoKeysAreLive_isTakenUpOnceOneHasEnded() throws Exception {
    Path file = register();
    RotatedKey rotated = rotation(file).rotate();

    assertThatThrownBy(() -> rotation(file).rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("rotation_pending: POST ")
        .hasMessageMatching(".*: rotate again in [0-9]+ s, and do not delete it");
    assertThat(fingerprints()).contains(rotated.fingerprint()).hasSize(2);
    wallets(client(PrivateKeyFile.of(file)));

    removeOld(rotated);
    assertThat(rotation(file).rotate().fingerprint()).isIn(fingerprints());
    wallets(client(PrivateKeyFile.of(file)));
  }

  @Test
  void rotation_withoutThePermission_isRefusedAndBothKeysStay() throws Exception {
    Path file = keyOf(service.register("reader", "127.0.0.1", "::1"));

    assertThatThrownBy(() -> rotation(file).rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("role_missing: POST ");
    wallets(client(PrivateKeyFile.of(file)));
    assertThat(folder.resolve("partner.key.next")).exists();
  }

  @Test
  void oldKey_afterTheOverlap_isRefused() throws Exception {
    Path file = register();
    KeySource old = KeySource.of(RsaPrivateKeys.readFile(file, CryptoProvider.jdk()));

    rotation(file).withOverlap(Duration.ofSeconds(1)).rotate();

    CountersignClient client = client(old);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (isTaken(client)) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      Thread.sleep(50);
    }
    wallets(client(PrivateKeyFile.of(file)));
    rotation(file).rotate();
  }

  @Test
  void rotation_cutOffAfterTheAnswer_goesOnWithTheSameKey() throws Exception {
    Path file = register();
    RotatedKey rotated = rotation(file).rotate();
    undoSwitch(file);

    assertThat(rotation(file).rotate()).isEqualTo(rotated);
    wallets(client(PrivateKeyFile.of(file)));
  }

  @Test
  void rotation_cutOffUntilTheOldKeyEnded_goesOnWithTheNewOne() throws Exception {
    Path file = register();
    RotatedKey rotated = rotation(file).rotate();
    undoSwitch(file);
    removeOld(rotated);

    assertThat(rotation(file).rotate().fingerprint()).isEqualTo(rotated.fingerprint());
    wallets(client(PrivateKeyFile.of(file)));
  }

  // What is on the disk when the process ends between the answer and the rename.
  private static void undoSwitch(Path file) throws IOException {
    Files.move(file, file.resolveSibling("partner.key.next"));
    Files.move(file.resolveSibling("partner.key.previous"), file, StandardCopyOption.ATOMIC_MOVE);
  }

  private void removeOld(RotatedKey rotated) {
    service
        .part(ClientStore.class)
        .removeKey(clientId, rotated.previousFingerprint().orElseThrow());
  }

  private Path register() throws IOException {
    return keyOf(service.registerRotating());
  }

  private Path keyOf(TestClient client) throws IOException {
    clientId = client.clientId();
    Path file = folder.resolve("partner.key");
    OwnerOnlyFile.create(file, RsaPrivateKeys.toPem(client.privateKey()));
    return file;
  }

  private List<String> fingerprints() {
    return service.part(ClientStore.class).get(clientId).keys().stream()
        .map(ClientKey::fingerprint)
        .toList();
  }

  private KeyRotation rotation(Path file) {
    return KeyRotation.of(URI.create(service.url()), clientId, file);
  }

  private CountersignClient client(KeySource key) {
    return CountersignClient.builder(URI.create(service.url()), clientId, key).build();
  }

  private static void wallets(CountersignClient client) {
    assertThat(client.get("/ledger/v1/wallets", JsonNode.class).path("totalElements").intValue())
        .isEqualTo(3);
  }

  private static boolean isTaken(CountersignClient client) {
    try {
      wallets(client);
      return true;
    } catch (CountersignException e) {
      assertThat(e.reason()).isEqualTo("signature_mismatch");
      return false;
    }
  }
}
