package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.client.CountersignException;
import dev.countersign.client.Problem;
import dev.countersign.client.keys.NewKeyPair;
import dev.countersign.client.rotation.FakeService.Behaviour;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.KeyFingerprint;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class KeyRotationTest {
  @TempDir Path path;
  private final List<Duration> pauses = new ArrayList<>();
  private final MovedClock clock = new MovedClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final List<String> warnings = new ArrayList<>();
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
      names = {"WEAK"})
  void refusal_forGood_forgetsTheNewKey(Behaviour behaviour) throws Exception {
    service.behaviours.add(behaviour);

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasCauseInstanceOf(CountersignException.class);
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
  void refusal_whetherOrNotAnEarlierAttemptWasLost_isTheSameException() {
    service.behaviours.add(Behaviour.FORBIDDEN);
    RotationException certain = refused();
    service.behaviours.addAll(List.of(Behaviour.DROP, Behaviour.FORBIDDEN));
    RotationException uncertain = refused();

    assertThat(List.of(certain, uncertain))
        .allSatisfy(
            refusal -> {
              assertThat(refusal.reason()).isEqualTo("role_missing");
              assertThat(refusal.problem()).get().extracting(Problem::status).isEqualTo(403);
            });
  }

  @ParameterizedTest
  @EnumSource(
      value = Behaviour.class,
      names = {"CLOCK_BEHIND", "CLIENT_OFF"})
  void refusal_thatIsNotOfTheKey_isNotTriedWithTheNewOne(Behaviour behaviour) {
    crashAt(RotationStep.REGISTERED);
    service.behaviours.add(behaviour);
    int before = service.requests.get();

    assertThat(refused()).hasMessageContaining("kept in " + folder.next());
    assertThat(service.requests.get()).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @EnumSource(
      value = Behaviour.class,
      names = {"CLOCK_AHEAD", "BODY_LATE", "FORBIDDEN", "CLIENT_OFF"})
  void refusal_thatMayBeUndone_keepsTheNewKey(Behaviour behaviour) throws Exception {
    service.behaviours.add(behaviour);

    assertThat(refused())
        .hasMessageContaining("A copy of this request may still register the new key");
    String kept = KeyFolder.fingerprintOf(folder.next());
    assertThat(rotation().rotate().fingerprint()).isEqualTo(kept);
  }

  private RotationException refused() {
    return catchThrowableOfType(RotationException.class, () -> rotation().rotate());
  }

  @Test
  void key_thatTheServiceDoesNotKnow_isRefusedAndNothingKept() throws Exception {
    service.live.set(0, otherKey());

    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("signature_mismatch: POST ");
    assertThat(folder.next()).doesNotExist();
  }

  @Test
  void rotation_whileTwoKeysAreLive_keepsTheKeyForWhenOneHasEnded() throws Exception {
    rotation().rotate();
    clock.move(Duration.ofSeconds(5));

    assertThat(refused())
        .hasMessageStartingWith("rotation_pending: POST ")
        .hasMessageContaining("kept in " + folder.next().toRealPath())
        .hasMessageContaining("rotate again in 3600 s");
    assertThat(KeyFolder.fingerprintOf(folder.key())).isEqualTo(service.newest());

    String kept = KeyFolder.fingerprintOf(folder.next());
    service.endOld();
    clock.move(Duration.ofSeconds(5));
    assertThat(rotation().rotate().fingerprint()).isEqualTo(kept).isEqualTo(service.newest());
  }

  @Test
  void request_thatIsRepeatedOnceItIsAllowed_doesNotLockTheClientOut() throws Exception {
    service.behaviours.add(Behaviour.FORBIDDEN);
    refused();

    service.repeatLast();
    service.endOld();
    clock.move(Duration.ofSeconds(5));

    assertThat(rotation().rotate().fingerprint()).isEqualTo(service.newest());
    assertThat(KeyFolder.fingerprintOf(folder.key())).isEqualTo(service.newest());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://api.example.com",
        "api.example.com",
        "/keys",
        "https:///keys",
        "https://api.example.com?tenant=secret",
        "https://api.example.com/#secret",
        "https://me:secret@api.example.com",
        "me:secret@api.example.com",
        "https://me:secret@api_example",
        "https://api.example.com:99999"
      })
  void base_thatNothingCanBeSentTo_isRefusedBeforeAKeyIsMade(String base) throws Exception {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> KeyRotation.of(URI.create(base), "c1", folder.key()))
        .withMessageMatching(
            "the (base must (be http|have no user)|host \"api[._]example(.com)?\" has).*")
        .withMessageNotContaining("secret");
    assertThat(folder.names()).containsExactly("partner.key", "partner.pub");
  }

  @Test
  void base_withAPathAndSlashes_isWhatThePathIsUnder() {
    RotationException refused =
        catchThrowableOfType(
            RotationException.class,
            () ->
                KeyRotation.of(service.uri().resolve("/eu//"), "c1", folder.key())
                    .withClock(clock)
                    .withPause(this::pause)
                    .rotate());

    assertThat(refused).isNull();
    assertThat(service.paths).containsExactly("/eu/integrations/v1/keys");
  }

  @Test
  void clientId_thatCannotBeSigned_isRefusedBeforeAKeyIsMade() throws Exception {
    assertThatThrownBy(() -> KeyRotation.of(service.uri(), "c\n1", folder.key()).rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("key_unusable: ");
    assertThat(folder.next()).doesNotExist();
  }

  @Test
  void key_ofTooFewBits_isRefusedBeforeAKeyIsMade() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(1024);
    Files.writeString(folder.key(), RsaPrivateKeys.toPem(generator.generateKeyPair().getPrivate()));

    assertThat(refused())
        .hasMessageStartingWith("key_unusable: " + folder.key().toRealPath())
        .hasMessageContaining("must have 2048 to 8192 bits, it has 1024");
    assertThat(folder.next()).doesNotExist();
  }

  @Test
  void key_inDer_isKeptAsItIs() throws Exception {
    String base64 = Files.readString(folder.key()).replaceAll("-----[A-Z ]+-----|\\s", "");
    Files.write(folder.key(), Base64.getDecoder().decode(base64));
    byte[] before = Files.readAllBytes(folder.key());

    rotation().rotate();

    assertThat(folder.previous()).hasBinaryContent(before);
  }

  @Test
  void key_inUtf16_isKeptAsItIs() throws Exception {
    Files.writeString(folder.key(), Files.readString(folder.key()), StandardCharsets.UTF_16);
    byte[] before = Files.readAllBytes(folder.key());

    rotation().rotate();

    assertThat(folder.previous()).hasBinaryContent(before);
  }

  @Test
  void publicFile_ofAnotherKey_isLeftAndTold() throws Exception {
    String other = NewKeyPair.generate(2048).publicPem();
    Files.writeString(folder.publicKey(), other);

    rotation().withWarnings(warnings::add).rotate();

    assertThat(folder.publicKey()).hasContent(other);
    assertThat(warnings)
        .singleElement(STRING)
        .startsWith(folder.publicKey().toRealPath() + " is left unchanged");
  }

  @Test
  void publicFile_thatIsNoKey_isLeftAndTold() throws Exception {
    Files.writeString(folder.publicKey(), "The minutes of our meeting");

    rotation().withWarnings(warnings::add).rotate();

    assertThat(folder.publicKey()).hasContent("The minutes of our meeting");
    assertThat(warnings).hasSize(1);
  }

  @Test
  void publicFile_renewedBeforeACrash_isNotToldOf() throws Exception {
    crashAt(RotationStep.PUBLIC_WRITTEN);
    clock.move(Duration.ofSeconds(2));

    rotation().withWarnings(warnings::add).rotate();

    assertThat(warnings).isEmpty();
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
  void service_thatIsNotThere_keepsTheNewKeyForTheNextCall() throws Exception {
    // Bound without listening, so that no other process takes the port.
    try (Socket deaf = new Socket()) {
      deaf.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      URI nobody = URI.create("http://127.0.0.1:" + deaf.getLocalPort());

      assertThatThrownBy(() -> rotation(nobody).rotate())
          .isInstanceOf(RotationException.class)
          .hasMessageStartingWith("connection_failed: POST ")
          .hasMessageContaining("rotate again before the overlap ends, and do not delete it");
    }
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

  @Test
  void nextFile_deletedBeforeTheSwitch_isReportedAsMissing() throws Exception {
    KeyRotation rotation = atTheSwitch(() -> assertThat(folder.next().toFile().delete()).isTrue());

    assertThatThrownBy(rotation::rotate)
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith("key_not_written: the key file was not replaced: ")
        .hasMessageContaining(
            "The service has the new key, but "
                + path.toRealPath().resolve("partner.key.next")
                + " is missing: restore it and rotate again before the overlap ends");
    assertThat(KeyFolder.fingerprintOf(folder.key())).isEqualTo(KeyFolder.firstFingerprint());
  }

  @Test
  void file_thatCannotBeWrittenOnceTheKeyIsRegistered_saysThatTheServiceHasTheKey()
      throws Exception {
    Path obstacle = Files.createDirectories(folder.previous().resolve("obstacle"));

    assertThat(refused())
        .hasMessageStartingWith("key_not_written: the key file was not replaced: ")
        .hasMessageEndingWith(
            ". The service has the new key, which is kept in "
                + folder.next().toRealPath()
                + ": rotate again before the overlap ends, and do not delete it");
    String kept = KeyFolder.fingerprintOf(folder.next());

    Files.delete(obstacle);
    assertThat(rotation().rotate().fingerprint()).isEqualTo(kept).isEqualTo(service.newest());
  }

  /** The folder cannot be opened, so its change cannot be synced to disk. */
  @Test
  void keyFile_replacedButNotSynced_isReportedWithTheNewKey() throws Exception {
    try {
      assumeTrue(path.toFile().setReadable(false), "has no modes");
      assumeTrue(!Files.isReadable(path), "root reads whatever its mode");
      assertThat(path.toFile().setReadable(true)).isTrue();
      KeyRotation rotation =
          atTheSwitch(() -> assertThat(path.toFile().setReadable(false)).isTrue());

      assertThatThrownBy(rotation::rotate)
          .isInstanceOf(RotationException.class)
          .hasMessageStartingWith(
              "key_not_written: "
                  + folder.key().toRealPath()
                  + " holds the new key, and the service has it, but a crash may undo");
      assertThat(KeyFolder.fingerprintOf(folder.key())).isEqualTo(service.newest());
    } finally {
      assertThat(path.toFile().setReadable(true)).isTrue();
    }
  }

  /** Returns a rotation with an action just before the key file is replaced. */
  private KeyRotation atTheSwitch(Runnable action) {
    return rotation()
        .withListener(
            step -> {
              if (step == RotationStep.PUBLIC_WRITTEN) {
                action.run();
              }
            });
  }

  private void assertRefused(String reason) {
    assertThatThrownBy(() -> rotation().rotate())
        .isInstanceOf(RotationException.class)
        .hasMessageStartingWith(reason + ": ")
        .hasMessageContaining("ask the operator to add its public half");
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
    return rotation(service.uri());
  }

  private KeyRotation rotation(URI uri) {
    return KeyRotation.of(uri, "c1", folder.key()).withClock(clock).withPause(this::pause);
  }

  private static RSAPublicKey otherKey() {
    return RsaPublicKeys.read(NewKeyPair.generate(2048).publicPem(), CryptoProvider.jdk());
  }

  private static String mode(Path file) throws Exception {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}
