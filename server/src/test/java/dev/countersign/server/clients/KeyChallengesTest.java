package dev.countersign.server.clients;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.TestRequest;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.file.Path;
import java.util.Random;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Proof of possession on both databases. */
class KeyChallengesTest {
  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  @ParameterizedTest
  @EnumSource
  void check_signedChallenge_isAProofThatIsUsedOnce(TestStore kind) throws Exception {
    try (Database database = kind.open(folder)) {
      KeyChallenges challenges = challenges(database);
      String challenge = challenges.issue(RsaKeyPairs.publicKey(0));
      String signature = signed(challenge, 0);
      challenges.check(RsaKeyPairs.publicKey(0), challenge, signature);
      // Another node, or the same one after a restart.
      PossessionProof proof =
          challenges(database).check(RsaKeyPairs.publicKey(0), challenge, "\n " + signature + "\n");
      assertRefused(() -> use(database, proof, 1), "another key");
      use(database, proof, 0);
      assertRefused(() -> use(database, proof, 0), "used before");
      assertRefused(
          () -> challenges.check(RsaKeyPairs.publicKey(0), challenge, signature), "used before");
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void check_anythingElse_isRefused(TestStore kind) throws Exception {
    try (Database database = kind.open(folder)) {
      KeyChallenges challenges = challenges(database);
      String challenge = challenges.issue(RsaKeyPairs.publicKey(0));
      assertRefused(
          () -> challenges.check(RsaKeyPairs.publicKey(0), challenge, signed(challenge, 1)),
          "the signature of the challenge does not verify");
      assertRefused(
          () -> challenges.check(RsaKeyPairs.publicKey(0), challenge, signed(challenge + "\n", 0)),
          "the signature of the challenge does not verify");
      assertRefused(
          () -> challenges.check(RsaKeyPairs.publicKey(1), challenge, signed(challenge, 1)),
          "does not belong to this key");
      assertRefused(
          () -> challenges.check(RsaKeyPairs.publicKey(0), challenge, "no base64!"), "not base64");
      assertRefused(() -> challenges.check(RsaKeyPairs.publicKey(0), challenge, ""), "signature");
      // A well-formed text that was never issued.
      String own = challenge.substring(0, challenge.length() - 1) + "x";
      assertRefused(
          () -> challenges.check(RsaKeyPairs.publicKey(0), own, signed(own, 0)),
          "request and sign a new one");
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void check_afterFifteenMinutes_isRefusedAndTheRowGoes(TestStore kind) throws Exception {
    try (Database database = kind.open(folder)) {
      KeyChallenges challenges = challenges(database);
      String challenge = challenges.issue(RsaKeyPairs.publicKey(0));
      PossessionProof proof =
          challenges.check(RsaKeyPairs.publicKey(0), challenge, signed(challenge, 0));
      clock.advance(KeyChallenges.LIFETIME);
      assertRefused(
          () -> challenges.check(RsaKeyPairs.publicKey(0), challenge, signed(challenge, 0)),
          "has expired");
      assertRefused(() -> use(database, proof, 0), "has expired");
      challenges.issue(RsaKeyPairs.publicKey(0));
      assertThat(rows(database)).isEqualTo(1);
    }
  }

  private static long rows(Database database) {
    return database.read(
        sql -> sql.sql("SELECT COUNT(*) FROM key_challenges").query(Long.class).single());
  }

  private void use(Database database, PossessionProof proof, int key) {
    database.write(
        sql -> {
          proof.use(sql, RsaKeyPairs.publicKey(key), clock.instant());
          return 1;
        });
  }

  private KeyChallenges challenges(Database database) {
    return new KeyChallenges(database, CryptoProvider.jdk(), clock, new Random());
  }

  private static String signed(String text, int key) {
    return TestRequest.signature(text, RsaKeyPairs.keyPair(key).getPrivate());
  }

  private static void assertRefused(ThrowingCallable call, String reason) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            ClientException.class,
            refused -> assertThat(refused.reason()).isEqualTo(ClientException.Reason.NOT_PROVEN))
        .hasMessageContaining(reason);
  }
}
