package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.signatures.MessageVerifier;
import dev.countersign.signatures.Profiles;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.VerifiedSignature;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Base64;
import java.util.List;

/**
 * Messages with a valid signature and any other changes. {@code {get}} and {@code {post}} in the
 * input are replaced by the signatures of two requests, made with a key of this run. A message that
 * verifies must have the method, the URI, the Date, the digest and the body of one of them.
 */
public final class MessageVerifierFuzz {
  private static final String DATE = "Tue, 05 Mar 2024 07:08:09 GMT";
  private static final String URI = "https://api.example.com/ledger/v1/wallets";
  private static final String DIGEST = "sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:";
  private static final String PARAMETERS =
      ";created=1709622489;keyid=\"cl-alice\";alg=\"rsa-v1_5-sha256\"";

  private static final String GET_BASE =
      base("\"@method\": GET", "\"@target-uri\": " + URI, "\"date\": " + DATE)
          + "(\"@method\" \"@target-uri\" \"date\")"
          + PARAMETERS;
  private static final String POST_BASE =
      base(
              "\"@method\": POST",
              "\"@target-uri\": " + URI,
              "\"content-digest\": " + DIGEST,
              "\"date\": " + DATE)
          + "(\"@method\" \"@target-uri\" \"content-digest\" \"date\")"
          + PARAMETERS;
  private static final List<List<String>> SIGNED =
      List.of(
          List.of("GET", URI, DATE, "", "", GET_BASE),
          List.of("POST", URI, DATE, DIGEST, "{\"hello\": \"world\"}", POST_BASE));

  private static final KeyPair KEYS = keys();
  private static final String GET_SIGNATURE = signature(GET_BASE);
  private static final String POST_SIGNATURE = signature(POST_BASE);
  private static final MessageVerifier VERIFIER = verifier();

  private MessageVerifierFuzz() {}

  public static void fuzzerTestOneInput(byte[] input) {
    FuzzedRequest request =
        FuzzedRequest.parse(
            new String(input, ISO_8859_1)
                .replace("{get}", GET_SIGNATURE)
                .replace("{post}", POST_SIGNATURE));
    VerifiedSignature verified;
    try {
      verified = VERIFIER.verify(request, request.message().body());
    } catch (VerificationException e) {
      return;
    }
    List<String> covered =
        List.of(
            request.method(),
            request.targetUri(),
            request.message().value("date"),
            request.message().value("content-digest"),
            request.message().bodyText(),
            verified.base().text());
    FuzzFinding.unless(SIGNED.contains(covered), "nobody signed " + covered);
  }

  private static String base(String... lines) {
    return String.join("\n", lines) + "\n\"@signature-params\": ";
  }

  private static KeyPair keys() {
    KeyPairGenerator generator = CryptoProvider.jdk().keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private static String signature(String base) {
    try {
      Signature signature = Signature.getInstance("SHA256withRSA");
      signature.initSign(KEYS.getPrivate());
      signature.update(base.getBytes(ISO_8859_1));
      return Base64.getEncoder().encodeToString(signature.sign());
    } catch (java.security.GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MessageVerifier verifier() {
    CryptoProvider jdk = CryptoProvider.jdk();
    VerificationKey key =
        new VerificationKey(SignatureAlgorithm.RSA_V1_5_SHA256, KEYS.getPublic(), jdk);
    return new MessageVerifier(
        Profiles.PARTNER_V1,
        keyid -> keyid.equals("cl-alice") ? List.of(key) : List.of(),
        Clock.fixed(Instant.parse("2024-03-05T07:08:09Z"), ZoneOffset.UTC),
        jdk);
  }
}
