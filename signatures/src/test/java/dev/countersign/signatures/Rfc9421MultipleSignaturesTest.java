package dev.countersign.signatures;

import static dev.countersign.signatures.digest.DigestAlgorithm.SHA_512;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.TestedProvider;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The example of RFC 9421, section 4.3: a proxy changes a signed request and signs it as well. */
class Rfc9421MultipleSignaturesTest {
  private static final WireRequest FROM_CLIENT =
      WireRequest.parse(
          Rfc8792.unfold(
              """
              POST /foo?param=Value&Pet=dog HTTP/1.1
              Host: example.com
              Date: Tue, 20 Apr 2021 02:07:55 GMT
              Content-Type: application/json
              Content-Length: 18
              Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+T\\
                aPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:

              {"hello": "world"}"""));

  /** The RFC does not print the base of the client's signature; this follows from its input. */
  private static final String CLIENT_BASE =
      Rfc8792.unfold(
          """
          "@method": POST
          "@authority": example.com
          "@path": /foo
          "content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX\\
            +TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
          "content-type": application/json
          "content-length": 18
          "@signature-params": ("@method" "@authority" "@path" \\
            "content-digest" "content-type" "content-length")\\
            ;created=1618884475;keyid="test-key-ecc-p256"\
          """);

  /**
   * The text of section 4.3 says that the client signed with test-key-rsa-pss. Its keyid says
   * test-key-ecc-p256, and with that key it verifies.
   */
  private static final SignedExample SIG1 =
      new SignedExample(
          FROM_CLIENT,
          Rfc8792.unfold(
              """
              sig1=("@method" "@authority" "@path" \\
                "content-digest" "content-type" "content-length")\\
                ;created=1618884475;keyid="test-key-ecc-p256"\
              """),
          Rfc8792.unfold(
              """
              sig1=:X5spyd6CFnAG5QnDyHfqoSNICd+BUP4LYMz2Q0JXlb//4Ijpzp\\
                +kve2w4NIyqeAuM7jTDX+sNalzA8ESSaHD3A==:\
              """),
          CLIENT_BASE,
          SignedExample.exactly("sig1", CLIENT_BASE)
              .withAlgorithms(SignatureAlgorithm.ECDSA_P256_SHA256)
              .withDigestAlgorithm(SHA_512));

  private static final WireRequest CHANGED_BY_PROXY =
      WireRequest.parse(
          Rfc8792.unfold(
              """
              POST /foo?param=Value&Pet=dog HTTP/1.1
              Host: origin.host.internal.example
              Date: Tue, 20 Apr 2021 02:07:56 GMT
              Content-Type: application/json
              Content-Length: 18
              Forwarded: for=192.0.2.123;host=example.com;proto=https
              Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+T\\
                aPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
              Signature-Input: sig1=("@method" "@authority" "@path" \\
                "content-digest" "content-type" "content-length")\\
                ;created=1618884475;keyid="test-key-ecc-p256"
              Signature: sig1=:X5spyd6CFnAG5QnDyHfqoSNICd+BUP4LYMz2Q0JXlb//4Ijpzp\\
                +kve2w4NIyqeAuM7jTDX+sNalzA8ESSaHD3A==:

              {"hello": "world"}"""));

  private static final String PROXY_BASE =
      Rfc8792.unfold(
          """
          "@method": POST
          "@authority": origin.host.internal.example
          "@path": /foo
          "content-digest": sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX\\
            +TaPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
          "content-type": application/json
          "content-length": 18
          "forwarded": for=192.0.2.123;host=example.com;proto=https
          "@signature-params": ("@method" "@authority" "@path" \\
            "content-digest" "content-type" "content-length" "forwarded")\\
            ;created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256"\\
            ;expires=1618884540\
          """);

  private static final String PROXY_SIGNATURE =
      Rfc8792.unfold(
          """
          S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+JH+8XY1I6+8Cy\\
          +CM5g92iHgxtRPz+MjniOaYmdkDcnL9cCpXJleXsOckpURl49GwiyUpZ10KHgOEe11s\\
          x3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObtNKKZd8tSFu7LB5YAv0RAGhB8tmpv7sFn\\
          Im9y+7X5kXQfi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtflzvZdXAsD3LH2TwevU+/PBPv0\\
          B6NMNk93wUs/vfJvye+YuI87HU38lZHowtznbLVdp770I6VHR6WfgS9ddzirrswsE1w\\
          5o0LV/g==\
          """);

  private static final SignedExample PROXY_SIG =
      new SignedExample(
          CHANGED_BY_PROXY,
          Rfc8792.unfold(
              """
              proxy_sig=("@method" "@authority" "@path" "content-digest" \\
                "content-type" "content-length" "forwarded")\\
                ;created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256"\\
                ;expires=1618884540\
              """),
          Rfc8792.unfold(
              """
              proxy_sig=:S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+\\
                JH+8XY1I6+8Cy+CM5g92iHgxtRPz+MjniOaYmdkDcnL9cCpXJleXsOckpURl49G\\
                wiyUpZ10KHgOEe11sx3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObtNKKZd8tSFu7\\
                LB5YAv0RAGhB8tmpv7sFnIm9y+7X5kXQfi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtf\\
                lzvZdXAsD3LH2TwevU+/PBPv0B6NMNk93wUs/vfJvye+YuI87HU38lZHowtznbL\\
                Vdp770I6VHR6WfgS9ddzirrswsE1w5o0LV/g==:\
              """),
          PROXY_BASE,
          SignedExample.exactly("proxy_sig", PROXY_BASE)
              .withAlgorithms(SignatureAlgorithm.RSA_V1_5_SHA256)
              .withDigestAlgorithm(SHA_512));

  private static final WireRequest FROM_PROXY =
      WireRequest.parse(
          Rfc8792.unfold(
              """
              POST /foo?param=Value&Pet=dog HTTP/1.1
              Host: origin.host.internal.example
              Date: Tue, 20 Apr 2021 02:07:56 GMT
              Content-Type: application/json
              Content-Length: 18
              Forwarded: for=192.0.2.123;host=example.com;proto=https
              Content-Digest: sha-512=:WZDPaVn/7XgHaAy8pmojAkGWoRx2UFChF41A2svX+T\\
                aPm+AbwAgBWnrIiYllu7BNNyealdVLvRwEmTHWXvJwew==:
              Signature-Input: sig1=("@method" "@authority" "@path" \\
                  "content-digest" "content-type" "content-length")\\
                  ;created=1618884475;keyid="test-key-ecc-p256", \\
                proxy_sig=("@method" "@authority" "@path" "content-digest" \\
                  "content-type" "content-length" "forwarded")\\
                  ;created=1618884480;keyid="test-key-rsa";alg="rsa-v1_5-sha256"\\
                  ;expires=1618884540
              Signature: sig1=:X5spyd6CFnAG5QnDyHfqoSNICd+BUP4LYMz2Q0JXlb//4Ijpzp\\
                  +kve2w4NIyqeAuM7jTDX+sNalzA8ESSaHD3A==:, \\
                proxy_sig=:S6ZzPXSdAMOPjN/6KXfXWNO/f7V6cHm7BXYUh3YD/fRad4BCaRZxP+\\
                  JH+8XY1I6+8Cy+CM5g92iHgxtRPz+MjniOaYmdkDcnL9cCpXJleXsOckpURl49G\\
                  wiyUpZ10KHgOEe11sx3G2gxI8S0jnxQB+Pu68U9vVcasqOWAEObtNKKZd8tSFu7\\
                  LB5YAv0RAGhB8tmpv7sFnIm9y+7X5kXQfi8NMaZaA8i2ZHwpBdg7a6CMfwnnrtf\\
                  lzvZdXAsD3LH2TwevU+/PBPv0B6NMNk93wUs/vfJvye+YuI87HU38lZHowtznbL\\
                  Vdp770I6VHR6WfgS9ddzirrswsE1w5o0LV/g==:

              {"hello": "world"}"""));

  @ParameterizedTest
  @EnumSource
  void rfc9421_4_3_sig1_atTheProxy(TestedProvider provider) {
    SIG1.assertVerified(provider);
    SIG1.assertGuarded(provider);
    SIG1.assertSignedAnew(provider);
  }

  /** The proxy adds its signature and changes nothing else. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_4_3_proxySig_beside_sig1(TestedProvider provider) {
    PROXY_SIG.assertVerified(provider);
    PROXY_SIG.assertGuarded(provider);
    PROXY_SIG.assertReproduced(provider);
    assertThat(PROXY_SIG.signature()).isEqualTo("proxy_sig=:" + PROXY_SIGNATURE + ':');
  }

  /** The sent form, with both signatures in one line of each field. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_4_3_proxySig_atTheOrigin(TestedProvider provider) {
    VerifiedSignature verified = PROXY_SIG.verify(FROM_PROXY, provider);
    assertThat(verified.label()).isEqualTo("proxy_sig");
    assertThat(verified.base().text()).isEqualTo(PROXY_BASE);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_4_3_proxySig_afterItsExpiration_isRefused(TestedProvider provider) {
    assertThat(PROXY_SIG.refusal(FROM_PROXY, Duration.ofSeconds(60), provider).failure())
        .isEqualTo(VerificationFailure.EXPIRED);
  }

  /** The proxy has changed the authority that the client's signature covers. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_4_3_sig1_atTheOrigin_isRefused(TestedProvider provider) {
    assertThat(SIG1.refusal(CHANGED_BY_PROXY, provider).failure())
        .isEqualTo(VerificationFailure.SIGNATURE_MISMATCH);
    assertThat(SIG1.refusal(FROM_PROXY, provider).failure())
        .isEqualTo(VerificationFailure.SIGNATURE_MISMATCH);
  }

  /** An origin that knows the authority that the client called can verify the client as well. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_4_3_sig1_atTheOrigin_withTheAuthorityAsCalled_verifies(TestedProvider provider) {
    WireRequest asCalled = FROM_PROXY.withTargetUri(FROM_CLIENT.targetUri());
    assertThat(SIG1.verify(asCalled, provider).base().text()).isEqualTo(CLIENT_BASE);
  }

  /** A profile without label and tag does not select one of two signatures. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_4_3_twoSignatures_withoutAChoice_isRefused(TestedProvider provider) {
    SignedExample undecided = SIG1.with(profile -> SignatureProfile.covering("@method"));
    assertThat(undecided.refusal(FROM_PROXY, provider).failure())
        .isEqualTo(VerificationFailure.SIGNATURE_AMBIGUOUS);
  }
}
