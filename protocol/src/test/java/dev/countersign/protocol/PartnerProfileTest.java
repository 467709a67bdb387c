package dev.countersign.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SignatureProfile;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.keys.CryptoProvider;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The headers that a client of the interface sends, character by character. */
class PartnerProfileTest {
  private static final Instant NOW = Instant.ofEpochSecond(1709622489);
  private static final CryptoProvider CRYPTO = CryptoProvider.jdk();
  private static SigningKey key;

  @BeforeAll
  static void makeKey() throws GeneralSecurityException {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
    generator.initialize(2048);
    key =
        new SigningKey(
            "cl-7zk3m9q2x5w8d1tr61",
            SignatureAlgorithm.RSA_V1_5_SHA256,
            generator.generateKeyPair().getPrivate(),
            CRYPTO);
  }

  @Test
  void request_withoutABody_coversMethodUriAndDate() {
    assertThat(signatureInput(get(), PartnerProfile.REQUEST))
        .isEqualTo(
            "sig=(\"@method\" \"@target-uri\" \"date\");created=1709622489"
                + ";keyid=\"cl-7zk3m9q2x5w8d1tr61\";alg=\"rsa-v1_5-sha256\"");
  }

  @Test
  void request_withABodyAndAnIdempotencyKey_coversBoth() {
    SignableRequest post = post().withHeader("Idempotency-Key", "k");
    assertThat(signatureInput(post, PartnerProfile.REQUEST))
        .startsWith(
            "sig=(\"@method\" \"@target-uri\" \"content-digest\" \"date\" \"idempotency-key\");");
  }

  @Test
  void nextKey_overASignedRequest_coversItsSignature() {
    Sent sent =
        new Sent(post(), post().signedHeaders(new MessageSigner(PartnerProfile.REQUEST, key)));
    assertThat(
            new MessageSigner(PartnerProfile.nextKey("sig"), key).sign(sent, NOW).signatureInput())
        .isEqualTo(
            "sig-next=(\"@method\" \"@target-uri\" \"content-digest\" \"date\""
                + " \"signature\";key=\"sig\");created=1709622489"
                + ";keyid=\"cl-7zk3m9q2x5w8d1tr61\";alg=\"rsa-v1_5-sha256\""
                + ";tag=\"countersign-next-key\"");
  }

  /** A request with the header fields that signing adds. */
  private record Sent(SignableRequest request, Map<String, String> headers)
      implements RequestMessage {
    @Override
    public String method() {
      return request.method();
    }

    @Override
    public String targetUri() {
      return request.targetUri();
    }

    @Override
    public BodyFraming bodyFraming() {
      return request.bodyFraming();
    }

    @Override
    public List<String> fieldLines(String name) {
      return headers.entrySet().stream()
          .filter(header -> header.getKey().equalsIgnoreCase(name))
          .map(Map.Entry::getValue)
          .toList();
    }
  }

  private static SignableRequest get() {
    return SignableRequest.of("GET", "https://api.example.com/ledger/v1/wallets", NOW);
  }

  private static SignableRequest post() {
    return SignableRequest.of("POST", "https://api.example.com/integrations/v1/keys", NOW)
        .withBody("{}".getBytes(UTF_8), CRYPTO);
  }

  private static String signatureInput(SignableRequest request, SignatureProfile profile) {
    return request.signedHeaders(new MessageSigner(profile, key)).get("Signature-Input");
  }
}
