package dev.countersign.signatures;

import static dev.countersign.signatures.AliceSigning.BY_ALICE;
import static dev.countersign.signatures.AliceSigning.signedAs;
import static dev.countersign.signatures.AliceVerification.NOW;
import static dev.countersign.signatures.HandSigner.ALICE;
import static dev.countersign.signatures.base.VerificationFailure.NONCE_USED;
import static dev.countersign.signatures.base.VerificationFailure.PARAMETERS_WRONG;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A nonce is claimed once, and only by a signer whose signature was verified. */
class NonceMisuseTest {
  private static final String COVERED = "(\"@method\" \"content-digest\")";
  private static final String BODY = "{\"amount\": 10}";
  private static final AnyRequest POST =
      signedAs("sig", AnyRequest.post(BODY), COVERED + BY_ALICE + ";nonce=\"n1\"");
  private static final SignatureProfile PROFILE = SignatureProfile.covering("@method");

  private record Claim(String keyid, String nonce, Instant until) {}

  private final List<Claim> claims = new ArrayList<>();
  private final NonceRegister register =
      (keyid, nonce, until) -> {
        boolean unused = claims.stream().noneMatch(claim -> claim.nonce().equals(nonce));
        claims.add(new Claim(keyid, nonce, until));
        return unused;
      };

  @Test
  void nonce_ofAVerifiedMessage_isClaimedOnceAfterwards() {
    verify(PROFILE, NOW, POST, BODY);
    assertThat(claims).containsExactly(new Claim("cl-alice", "n1", NOW.plusSeconds(300)));

    Verdicts.is(NONCE_USED, () -> verify(PROFILE, NOW, POST, BODY));
    assertThat(claims).hasSize(2);
  }

  @Test
  void nonce_whereTheSignatureIsWrong_isNotClaimed() {
    assertNothingClaimed(
        VerificationFailure.SIGNATURE_MISMATCH, PROFILE, POST.plus("Content-Digest", "a=:YQ==:"));
    String value = POST.fieldLines("signature").get(0);
    AnyRequest other =
        POST.without("Signature").plus("Signature", value.replace("sig=:", "sig=:AAAA"));
    assertNothingClaimed(VerificationFailure.SIGNATURE_MISMATCH, PROFILE, other);
    AnyRequest unknown =
        signedAs(
            "sig",
            AnyRequest.post(BODY),
            COVERED + ";created=1709622489;keyid=\"cl-bob\";nonce=\"n1\"");
    assertNothingClaimed(VerificationFailure.KEY_UNKNOWN, PROFILE, unknown);
    assertNothingClaimed(
        VerificationFailure.ALGORITHM_WRONG,
        PROFILE,
        signedAs("sig", AnyRequest.post(BODY), COVERED + BY_ALICE + ";nonce=\"n1\";alg=\"none\""));
  }

  @Test
  void nonce_whereTheBodyIsAnother_isNotClaimed() {
    Verdicts.is(VerificationFailure.DIGEST_MISMATCH, () -> verify(PROFILE, NOW, POST, BODY + " "));
    Verdicts.is(VerificationFailure.DIGEST_MISMATCH, () -> verify(PROFILE, NOW, POST, ""));
    AnyRequest noDigest = AnyRequest.of("POST", "https://a.example/");
    AnyRequest unsigned = signedAs("sig", noDigest, "(\"@method\")" + BY_ALICE + ";nonce=\"n1\"");
    Verdicts.is(VerificationFailure.DIGEST_MISSING, () -> verify(PROFILE, NOW, unsigned, BODY));
    assertThat(claims).isEmpty();
  }

  @Test
  void nonce_whereAStreamedBodyIsAnotherOrFails_isNotClaimed() throws IOException {
    MessageVerifier verifier =
        AliceVerification.verifier(PROFILE, NOW, CryptoProvider.jdk()).withNonceRegister(register);
    InputStream other = new ByteArrayInputStream("{}".getBytes(UTF_8));
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> verifier.verify(POST, other));
    InputStream broken =
        new SequenceInputStream(
            new ByteArrayInputStream(BODY.getBytes(UTF_8)),
            new InputStream() {
              @Override
              public int read() throws IOException {
                throw new IOException("the connection is gone");
              }
            });
    assertThatExceptionOfType(IOException.class).isThrownBy(() -> verifier.verify(POST, broken));
    assertThat(claims).isEmpty();

    verifier.verify(POST, new ByteArrayInputStream(BODY.getBytes(UTF_8)));
    assertThat(claims).hasSize(1);
  }

  @Test
  void nonce_whereTheTimeIsWrong_isNotClaimed() {
    Verdicts.is(
        VerificationFailure.CREATED_TOO_OLD,
        () -> verify(PROFILE, NOW.plusSeconds(301), POST, BODY));
    Verdicts.is(
        VerificationFailure.CREATED_IN_FUTURE,
        () -> verify(PROFILE, NOW.minusSeconds(31), POST, BODY));
    AnyRequest expired =
        signedAs("sig", AnyRequest.post(BODY), COVERED + BY_ALICE + ";nonce=\"n1\";expires=1");
    Verdicts.is(VerificationFailure.EXPIRED, () -> verify(PROFILE, NOW, expired, BODY));
    assertThat(claims).isEmpty();
  }

  @Test
  void nonce_whereComponentsAreMissing_isNotClaimed() {
    assertNothingClaimed(
        VerificationFailure.COMPONENTS_WRONG, SignatureProfile.covering("@method", "@path"), POST);
    assertNothingClaimed(VerificationFailure.LABEL_MISSING, PROFILE.withTag("other"), POST);
    assertNothingClaimed(
        PARAMETERS_WRONG, PROFILE.allowMissingKeyid().withForbiddenParameters("keyid"), POST);
  }

  @Test
  void nonce_missing_isRefusedWithoutAClaim() {
    assertNothingClaimed(
        PARAMETERS_WRONG, PROFILE, signedAs("sig", AnyRequest.post(BODY), COVERED + BY_ALICE));
  }

  @Test
  void claim_lastsUntilTheSignatureEnds() {
    AnyRequest expiring =
        signedAs(
            "sig", AnyRequest.GET, "(\"@method\")" + BY_ALICE + ";nonce=\"n2\";expires=1709622500");
    verify(PROFILE, NOW, expiring, "");
    AnyRequest timeless =
        signedAs("sig", AnyRequest.GET, "(\"@method\");keyid=\"cl-alice\";nonce=\"n3\"");
    verify(PROFILE.allowMissingCreated(), NOW, timeless, "");
    AnyRequest expiringOnly =
        signedAs(
            "sig",
            AnyRequest.GET,
            "(\"@method\");keyid=\"cl-alice\";nonce=\"n4\";expires=1709622500");
    verify(PROFILE.allowMissingCreated(), NOW, expiringOnly, "");
    AnyRequest farAway =
        signedAs(
            "sig",
            AnyRequest.GET,
            "(\"@method\")" + BY_ALICE + ";nonce=\"n5\";expires=999999999999999");
    verify(PROFILE.withMaximumAge(Duration.ofSeconds(1)), NOW, farAway, "");

    assertThat(claims)
        .extracting(Claim::until)
        .containsExactly(
            Instant.ofEpochSecond(1709622500),
            Instant.MAX,
            Instant.ofEpochSecond(1709622500),
            NOW.plusSeconds(1));
  }

  @Test
  void claim_underAnAgeOfAnyLength_neverEnds() {
    AnyRequest get = signedAs("sig", AnyRequest.GET, "(\"@method\")" + BY_ALICE + ";nonce=\"n1\"");
    verify(PROFILE.withMaximumAge(Duration.ofSeconds(Long.MAX_VALUE)), NOW, get, "");
    assertThat(claims).containsExactly(new Claim("cl-alice", "n1", Instant.MAX));
  }

  @Test
  void claim_ofASignatureWithoutKeyid_namesNobody() {
    MessageVerifier verifier =
        new MessageVerifier(
            PROFILE.allowMissingKeyid(),
            new AliceWithoutKeyid(),
            Verdicts.clock(NOW),
            CryptoProvider.jdk());
    AnyRequest get =
        signedAs("sig", AnyRequest.GET, "(\"@method\");created=1709622489;nonce=\"n1\"");
    verifier.withNonceRegister(register).verify(get, new byte[0]);
    assertThat(claims).containsExactly(new Claim("", "n1", NOW.plusSeconds(300)));
  }

  private record AliceWithoutKeyid() implements KeyLookup {
    @Override
    public List<VerificationKey> find(String keyid) {
      return List.of();
    }

    @Override
    public List<VerificationKey> findWithoutKeyid() {
      return List.of(ALICE.verificationKey(CryptoProvider.jdk()));
    }
  }

  private void assertNothingClaimed(
      VerificationFailure failure, SignatureProfile profile, AnyRequest request) {
    Verdicts.is(failure, () -> verify(profile, NOW, request, BODY));
    assertThat(claims).isEmpty();
  }

  @Test
  void nonce_whereTheBodyOutlastsTheSignature_isNotClaimed() {
    // By then a register may have forgotten the use of the nonce.
    Iterator<Instant> readings = List.of(NOW.plusSeconds(299), NOW.plusSeconds(301)).iterator();
    Clock slow =
        new Clock() {
          @Override
          public Instant instant() {
            return readings.next();
          }

          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            return this;
          }
        };
    VerificationKey key = ALICE.verificationKey(CryptoProvider.jdk());
    MessageVerifier verifier =
        new MessageVerifier(PROFILE, keyid -> List.of(key), slow, CryptoProvider.jdk())
            .withNonceRegister(register);

    Verdicts.is(
        VerificationFailure.CREATED_TOO_OLD, () -> verifier.verify(POST, BODY.getBytes(UTF_8)));
    assertThat(claims).isEmpty();
    assertThat(readings).isExhausted();
  }

  private VerifiedSignature verify(
      SignatureProfile profile, Instant now, AnyRequest request, String body) {
    return AliceVerification.verifier(profile, now, CryptoProvider.jdk())
        .withNonceRegister(register)
        .verify(request, body.getBytes(UTF_8));
  }
}
