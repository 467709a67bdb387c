package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.TestedProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The example of RFC 9421, appendix B.3: a proxy that ends TLS and signs what it has received. */
class Rfc9421AppendixB3Test {
  private static final WireRequest FROM_CLIENT =
      WireRequest.parse(
          """
          POST /foo?param=Value&Pet=dog HTTP/1.1
          Host: example.com
          Date: Tue, 20 Apr 2021 02:07:55 GMT
          Content-Type: application/json
          Content-Length: 18

          {"hello": "world"}""");

  private static final WireRequest FROM_PROXY =
      WireRequest.parse(
          Rfc8792.unfold(
              """
              POST /foo?param=Value&Pet=dog HTTP/1.1
              Host: service.internal.example
              Date: Tue, 20 Apr 2021 02:07:55 GMT
              Content-Type: application/json
              Content-Length: 18
              Client-Cert: :MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQKD\\
                BJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBDQT\\
                AeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDMFk\\
                wEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXmck\\
                C8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQYDV\\
                R0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8BAf\\
                8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQGV\\
                4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0Q6\\
                bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=:

              {"hello": "world"}"""));

  private static final String BASE =
      Rfc8792.unfold(
          """
          "@path": /foo
          "@query": ?param=Value&Pet=dog
          "@method": POST
          "@authority": service.internal.example
          "client-cert": :MIIBqDCCAU6gAwIBAgIBBzAKBggqhkjOPQQDAjA6MRswGQYDVQQ\\
            KDBJMZXQncyBBdXRoZW50aWNhdGUxGzAZBgNVBAMMEkxBIEludGVybWVkaWF0ZSBD\\
            QTAeFw0yMDAxMTQyMjU1MzNaFw0yMTAxMjMyMjU1MzNaMA0xCzAJBgNVBAMMAkJDM\\
            FkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE8YnXXfaUgmnMtOXU/IncWalRhebrXm\\
            ckC8vdgJ1p5Be5F/3YC8OthxM4+k1M6aEAEFcGzkJiNy6J84y7uzo9M6NyMHAwCQY\\
            DVR0TBAIwADAfBgNVHSMEGDAWgBRm3WjLa38lbEYCuiCPct0ZaSED2DAOBgNVHQ8B\\
            Af8EBAMCBsAwEwYDVR0lBAwwCgYIKwYBBQUHAwIwHQYDVR0RAQH/BBMwEYEPYmRjQ\\
            GV4YW1wbGUuY29tMAoGCCqGSM49BAMCA0gAMEUCIBHda/r1vaL6G3VliL4/Di6YK0\\
            Q6bMjeSkC3dFCOOB8TAiEAx/kHSB4urmiZ0NX5r5XarmPk0wmuydBVoU4hBVZ1yhk=:
          "@signature-params": ("@path" "@query" "@method" "@authority" \\
            "client-cert");created=1618884473;keyid="test-key-ecc-p256"\
          """);

  private static final SignedExample TTRP =
      new SignedExample(
          FROM_PROXY,
          Rfc8792.unfold(
              """
              ttrp=("@path" "@query" "@method" "@authority" \\
                "client-cert");created=1618884473;keyid="test-key-ecc-p256"\
              """),
          Rfc8792.unfold(
              """
              ttrp=:xVMHVpawaAC/0SbHrKRs9i8I3eOs5RtTMGCWXm/9nvZzoHsIg6\\
                Mce9315T6xoklyy0yzhD9ah4JHRwMLOgmizw==:\
              """),
          BASE,
          SignedExample.exactly("ttrp", BASE)
              .withAlgorithms(SignatureAlgorithm.ECDSA_P256_SHA256)
              .allowUnsignedBody());

  @ParameterizedTest
  @EnumSource
  void rfc9421_B3_ttrp(TestedProvider provider) {
    TTRP.assertVerified(provider);
    TTRP.assertGuarded(provider);
    TTRP.assertSignedAnew(provider);
  }

  /** The service trusts the proxy, and no caller that bypasses it. */
  @ParameterizedTest
  @EnumSource
  void rfc9421_B3_requestAroundTheProxy_isRefused(TestedProvider provider) {
    assertThat(TTRP.refusal(FROM_CLIENT, provider).failure())
        .isEqualTo(VerificationFailure.SIGNATURE_MISSING);
    WireRequest withFieldsOfAnother =
        FROM_CLIENT
            .plus("Signature-Input", TTRP.input())
            .plus("Signature", TTRP.signature())
            .plus("Client-Cert", FROM_PROXY.value("client-cert"));
    assertThat(TTRP.refusal(withFieldsOfAnother, provider).failure())
        .isEqualTo(VerificationFailure.SIGNATURE_MISMATCH);
    assertThat(
            TTRP.refusal(((WireRequest) TTRP.signed()).without("Client-Cert"), provider).failure())
        .isEqualTo(VerificationFailure.COMPONENTS_WRONG);
  }
}
