package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import dev.countersign.signatures.keys.TestedProvider;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Signs for a real openssl and verifies its signatures, with key files that it made. */
class OpensslSignatureTest {
  @TempDir Path folder;

  @BeforeEach
  void makeKeys() throws Exception {
    run("openssl version");
    run("openssl genrsa -out private.pem 2048");
    run("openssl pkey -in private.pem -pubout -out public.pem");
  }

  @ParameterizedTest
  @EnumSource
  void signature_ofThisLibrary_verifiesWithOpenssl(TestedProvider provider) throws Exception {
    SigningKey key =
        new SigningKey(
            "cl-alice",
            SignatureAlgorithm.RSA_V1_5_SHA256,
            RsaPrivateKeys.readFile(folder.resolve("private.pem"), provider.get()),
            provider.get());
    SignedFields fields =
        new MessageSigner(Profiles.PARTNER_V1, key).sign(WireRequest.POST, AliceVerification.NOW);
    Files.write(folder.resolve("base.txt"), fields.base().bytes());
    String base64 = fields.signature().substring("sig=:".length(), fields.signature().length() - 1);
    Files.write(folder.resolve("signature.bin"), Base64.getDecoder().decode(base64));

    assertThat(run("openssl dgst -sha256 -verify public.pem -signature signature.bin base.txt"))
        .isEqualTo("Verified OK\n");
  }

  @ParameterizedTest
  @EnumSource
  void signature_ofOpenssl_verifiesWithThisLibrary(TestedProvider provider) throws Exception {
    Files.writeString(
        folder.resolve("base.txt"), HandSigner.base(WireRequest.POST, HandSigner.POST_PARAMS));
    run("openssl dgst -sha256 -sign private.pem -out signature.bin base.txt");
    byte[] signature = Files.readAllBytes(folder.resolve("signature.bin"));
    WireRequest signed =
        WireRequest.POST
            .plus("Signature-Input", "sig=" + HandSigner.POST_PARAMS)
            .plus("Signature", "sig=:" + Base64.getEncoder().encodeToString(signature) + ":");
    VerificationKey key =
        new VerificationKey(
            SignatureAlgorithm.RSA_V1_5_SHA256,
            RsaPublicKeys.readFile(folder.resolve("public.pem"), provider.get()),
            provider.get());

    VerifiedSignature verified =
        new MessageVerifier(
                Profiles.PARTNER_V1,
                keyid -> List.of(key),
                Clock.fixed(AliceVerification.NOW, ZoneOffset.UTC),
                provider.get())
            .verify(signed, signed.body());
    assertThat(verified.covers("content-digest")).isTrue();
  }

  private String run(String command) throws IOException, InterruptedException {
    Process process;
    try {
      process =
          new ProcessBuilder(command.split(" "))
              .directory(folder.toFile())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
    } catch (IOException e) {
      return abort("skipped: openssl is not installed");
    }
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes());
    assertThat(Waits.forExit(process)).as(command).isZero();
    return output;
  }
}
