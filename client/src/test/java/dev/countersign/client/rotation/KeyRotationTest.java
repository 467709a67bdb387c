package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.client.CountersignException;
import dev.countersign.client.keys.NewKeyPair;
import dev.countersign.client.rotation.FakeService.Behaviour;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KeyRotationTest {
  @TempDir Path path;
  private final List<Duration> pauses = new ArrayList<>();
  private final MovedClock clock = new MovedClock(Instant.parse("2026-01-01T00:00:00Z"));
  private Runnable onPause = () -> {};
  private KeyFolder folder;
  private FakeService service;

  @BeforeEach
  void start() throws Exception {
    folder = new KeyFolder(path).withKey();
    service = new FakeService(KeyFolder.first(), clock);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @Test
  void key_rotated_isRegisteredAndInPlace() throws Exception {
    RotatedKey rotated = rotation().rotate();

    assertThat(rotated.fingerprint())
        .isEqualTo(service.newest())
        .isEqualTo(KeyFolder.fingerprintOf(folder.key()));
    assertThat(rotated.previousFingerprint()).contains(KeyFolder.firstFingerprint());
    assertThat(rotated.previousEndsAt()).contains(Instant.parse("2026-01-02T00:00:00Z"));
    assertThat(KeyFolder.fingerprintOf(folder.previous())).isEqualTo(KeyFolder.firstFingerprint());
    assertThat(folder.names())
        .containsExactly("partner.key", "partner.key.lock", "partner.key.previous", "partner.pub");
    assertThat(service.overlaps).containsExactly(86_400L);
  }

  @Test
  void publicFile_whereThereIsOne_isThatOfTheNewKey() throws Exception {
    RotatedKey rotated = rotation().rotate();

    assertThat(
            KeyFingerprint.of(RsaPublicKeys.readFile(folder.publicKey(), CryptoProvider.jdk()))
                .value())
        .isEqualTo(rotated.fingerprint());
  }

  @Test
  void publicFile_whereThereIsNone_isNotMade() throws Exception {
    Files.delete(folder.publicKey());

    rotation().rotate();

    assertThat(folder.publicKey()).doesNotExist();
  }

  @Test
  void access_ofTheKeyFile_isThatOfTheNewOne() throws Exception {
    assumeTrue(Files.getFileStore(path).supportsFileAttributeView("posix"), "has no modes");
    Files.setPosixFilePermissions(folder.key(), PosixFilePermissions.fromString("rw-r-----"));

    rotation().rotate();

    assertThat(mode(folder.key())).isEqualTo("rw-r-----");
    assertThat(mode(folder.previous())).isEqualTo("rw-------");
  }

  @Test
  void link_toTheKeyFile_staysALink() throws Exception {
    Path link = Files.createSymbolicLink(path.resolve("link"), folder.key());

    RotatedKey rotated =
        KeyRotation.of(service.uri(), "c1", link).withClock(clock).withPause(this::pause).rotate();

    assertThat(link).isSymbolicLink();
    assertThat(KeyFolder.fingerprintOf(link)).isEqualTo(rotated.fingerprint());
  }

  @Test
  void overlapAndSize_ofTheCallersChoice_areSent() {
    rotation().withOverlap(Duration.ofSeconds(90)).withKeySize(3072).rotate();

    assertThat(service.overlaps).containsExactly(90L);
    assertThat(service.live.get(1).getModulus().bitLength()).isEqualTo(3072);
  }

  @Test
  void settings_outOfBounds_areRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rotation().withOverlap(Duration.ofMillis(10)))
        .withMessage("overlap must be 1 second to 30 days, was PT0.01S");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> rotation().withOverlap(Duration.ofDays(31)));
    assertThatIllegalArgumentException().isThrownBy(() -> rotation().withKeySize(1024));
    HttpClient following =
        HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NORMAL).build();
    assertThatIllegalArgumentException().isThrownBy(() -> rotation().withHttpClient(following));
  }

  @ParameterizedTest
  @EnumSource(
      value = Behaviour.class,
      names = {"DROP", "LOSE_ANSWER", "BUSY", "OVERLOADED", "IN_PROGRESS", "REPLAYED", "COPIED"})
  void trouble_thatPasses_isOutlasted(Behaviour behaviour) {
    service.behaviours.add(behaviour);
    service.behaviours.add(behaviour);

    RotatedKey rotated = rotation().rotate();

    assertThat(rotated.fingerprint()).isEqualTo(service.newest());
    assertThat(service.live).hasSize(2);
    assertThat(service.created).doesNotHaveDuplicates();
    assertThat(pauses).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void retryAfter_longerThanOurs_isKept() {
    service.behaviours.add(Behaviour.BUSY);

    rotation().rotate();

    assertThat(pauses.get(0)).isEqualTo(Duration.ofSeconds(7));
  }

  @Test
  void key_registeredBeforeTheOldOneEnded_isUsedToSayWhoAsks() {
    service.behaviours.add(Behaviour.LOSE_ANSWER);
    onPause = service::endOld;

    RotatedKey rotated = rotation().rotate();

    assertThat(rotated.fingerprint()).isEqualTo(service.newest());
    assertThat(rotated.previousFingerprint()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(
      value = Behaviour.class,
      names = {"FORBIDDEN", "WEAK"})
  void refusal_forGood_forgetsTheNewKey(Behaviour behaviour) throws Exception {
    service.behaviours.add(behaviour);

    assertThatThrownBy(() -> rotation().rotate()).isInstanceOf(CountersignException.class);
    assertThat(folder.names()).containsExactly("partner.key", "partner.key.lock", "partner.pub");
  }

  @Test
  void refusal_afterAReplay_keepsTheKeyThatMayBeRegistered() {
    service.behaviours.addAll(List.of(Behaviour.COPIED, Behaviour.FORBIDDEN));

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("role_missing: POST ");
    assertThat(KeyFolder.fingerprintOf(folder.next())).isEqualTo(service.newest());
  }

  @Test
  void refusal_thatIsNotTheServices_keepsTheNewKey() {
    service.behaviours.add(Behaviour.GATE_SHUT);

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("http_403: POST ");
    assertThat(folder.next()).exists();
  }

  @Test
  void key_thatTheServiceDoesNotKnow_isRefusedAndNothingKept() throws Exception {
    service.live.set(0, otherKey());

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(CountersignException.class)
        .hasMessageStartingWith("signature_mismatch: POST ");
    assertThat(folder.next()).doesNotExist();
  }

  @Test
  void rotation_whileTwoKeysAreLive_isRefusedAndNothingKept() throws Exception {
    rotation().rotate();
    clock.move(Duration.ofSeconds(5));

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(CountersignException.class)
        .hasMessageStartingWith("rotation_pending: POST ");
    assertThat(folder.next()).doesNotExist();
    assertThat(KeyFolder.fingerprintOf(folder.key())).isEqualTo(service.newest());
  }

  @Test
  void refusal_ofAResumedKey_keepsItAndSaysSo() {
    crashAt(RotationStep.NEXT_WRITTEN);
    service.behaviours.add(Behaviour.WEAK);

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("body_invalid: POST ")
        .hasMessageContaining("kept in " + folder.next())
        .hasCauseInstanceOf(CountersignException.class);
    assertThat(folder.next()).exists();
  }

  @ParameterizedTest
  @EnumSource(
      value = Behaviour.class,
      names = {"BROKEN", "GARBLED", "OTHER_KEY"})
  void answer_thatSaysNothing_keepsTheNewKeyForTheNextCall(Behaviour behaviour) throws Exception {
    service.behaviours.add(behaviour);

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageContaining("kept in " + folder.next().toRealPath())
        .hasMessageMatching("\\P{Cntrl}{1,1000}");
    String kept = KeyFolder.fingerprintOf(folder.next());

    assertThat(rotation().rotate().fingerprint()).isEqualTo(kept);
  }

  @Test
  void service_thatIsNotThere_keepsTheNewKeyForTheNextCall() {
    service.close();

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("connection_failed: POST ")
        .hasMessageContaining("rotate again before the overlap ends, and do not delete it");
    assertThat(folder.next()).exists();
    assertThat(pauses).hasSize(5);
  }

  @Test
  void rotation_whileAnotherRuns_isRefused() throws Exception {
    try (RotationLock lock = RotationLock.of(path.toRealPath().resolve("partner.key.lock"))) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> rotation().rotate())
          .isInstanceOf(RotationException.class)
          .hasMessageStartingWith("rotation_running: ");
    }
  }

  @Test
  void files_thatAreNoPlainPem_areRefusedWithWhatToDo() throws Exception {
    Files.writeString(folder.key(), "no key");
    assertRefused("key_unusable");
    Files.writeString(
        folder.key(),
        "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIFHzBJBgkq\n-----END ENCRYPTED PRIVATE KEY-----");
    assertRefused("key_encrypted");
    Files.delete(folder.key());
    assertThatThrownBy(() -> rotation().rotate())
        .hasMessage("key_unusable: " + folder.key() + ": there is no such file");
    assertThat(folder.next()).doesNotExist();
  }

  @Test
  void nextFile_thatIsNoKey_isRefusedWithWhatToDo() throws Exception {
    Files.writeString(folder.next(), "no key");

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageContaining("before you delete it");
  }

  @Test
  void nextFile_thatCannotBeRead_isToBeMadeReadable() throws Exception {
    Files.createDirectory(folder.next());

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("key_unusable: " + folder.next().toRealPath())
        .hasMessageEndingWith(". Make it readable and rotate again");
  }

  @Test
  void rotation_interruptedOnceTheKeyIsRegistered_saysThatTheServiceHasIt() throws Exception {
    KeyRotation interrupted =
        rotation()
            .withPause(
                duration -> {
                  throw new InterruptedException();
                });

    assertThatThrownBy(interrupted::rotate)
        .isInstanceOf(RotationException.class)
        .hasMessage(
            "interrupted: before the switch. The service has the new key, which is kept in "
                + folder.next().toRealPath()
                + ": rotate again before the overlap ends, and do not delete it");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(KeyFolder.fingerprintOf(folder.next())).isEqualTo(service.newest());
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith(reason + ": ")
        .hasMessageContaining("have the operator add its public half");
  }

  private void pause(Duration duration) {
    pauses.add(duration);
    clock.move(duration);
    onPause.run();
  }

  private void crashAt(RotationStep step) {
    assertThatThrownBy(() -> rotation().withListener(Crash.at(step)).rotate())
        .isInstanceOf(Crash.class);
  }

  private KeyRotation rotation() {
    return KeyRotation.of(service.uri(), "c1", folder.key())
        .withClock(clock)
        .withPause(this::pause);
  }

  private static RSAPublicKey otherKey() {
    return RsaPublicKeys.read(NewKeyPair.generate(2048).publicPem(), CryptoProvider.jdk());
  }

  private static String mode(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
