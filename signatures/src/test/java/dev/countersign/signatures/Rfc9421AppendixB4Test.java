package dev.countersign.signatures;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import dev.countersign.signatures.keys.TestedProvider;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The transformations of RFC 9421, appendix B.4: those that a signature survives, and the others.
 */
class Rfc9421AppendixB4Test {
  private static final String BASE =
      Rfc8792.unfold(
          """
          "@method": GET
          "@path": /demo
          "@authority": example.org
          "accept": application/json, */*
          "@signature-params": ("@method" "@path" "@authority" "accept")\\
            ;created=1618884473;keyid="test-key-ed25519"\
          """);

  private static final SignedExample TRANSFORM =
      new SignedExample(
          WireRequest.parse(
              """
              GET /demo?name1=Value1&Name2=value2 HTTP/1.1
              Host: example.org
              Date: Fri, 15 Jul 2022 14:24:55 GMT
              Accept: application/json
              Accept: */*
              """),
          Rfc8792.unfold(
              """
              transform=("@method" "@path" "@authority" \\
                "accept");created=1618884473;keyid="test-key-ed25519"\
              """),
          Rfc8792.unfold(
              """
              transform=:ZT1kooQsEHpZ0I1IjCqtQppOmIqlJPeo7DHR3SoMn0s5J\\
                Z1eRGS0A+vyYP9t/LXlh5QMFFQ6cpLt2m0pmj3NDA==:\
              """),
          BASE,
          SignedExample.exactly("transform", BASE).withAlgorithms(SignatureAlgorithm.ED25519));

  @ParameterizedTest
  @EnumSource
  void rfc9421_B4_original_verifies(TestedProvider provider) {
    TRANSFORM.assertVerified(provider);
    TRANSFORM.assertGuarded(provider);
    TRANSFORM.assertReproduced(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B4_fieldAndQueryParameterAdded_verifies(TestedProvider provider) {
    transformed(
            """
            GET /demo?name1=Value1&Name2=value2&param=added HTTP/1.1
            Host: example.org
            Date: Fri, 15 Jul 2022 14:24:55 GMT
            Accept: application/json
            Accept: */*
            Accept-Language: en-US,en;q=0.5
            """)
        .assertVerified(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B4_dateRemovedAndAcceptCollapsed_verifies(TestedProvider provider) {
    transformed(
            """
            GET /demo?name1=Value1&Name2=value2 HTTP/1.1
            Host: example.org
            Referer: https://developer.example.org/demo
            Accept: application/json, */*
            """)
        .assertVerified(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B4_fieldsReordered_verifies(TestedProvider provider) {
    transformed(
            """
            GET /demo?name1=Value1&Name2=value2 HTTP/1.1
            Accept: application/json
            Accept: */*
            Date: Fri, 15 Jul 2022 14:24:55 GMT
            Host: example.org
            """)
        .assertVerified(provider);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B4_methodAndAuthorityChanged_isRefused(TestedProvider provider) {
    assertMismatch(
        provider,
        """
        POST /demo?name1=Value1&Name2=value2 HTTP/1.1
        Host: example.com
        Date: Fri, 15 Jul 2022 14:24:55 GMT
        Accept: application/json
        Accept: */*
        """,
        """
        "@method": POST
        "@path": /demo
        "@authority": example.com
        "accept": application/json, */*
        """);
  }

  @ParameterizedTest
  @EnumSource
  void rfc9421_B4_acceptLinesReordered_isRefused(TestedProvider provider) {
    assertMismatch(
        provider,
        """
        GET /demo?name1=Value1&Name2=value2 HTTP/1.1
        Host: example.org
        Date: Fri, 15 Jul 2022 14:24:55 GMT
        Accept: */*
        Accept: application/json
        """,
        """
        "@method": GET
        "@path": /demo
        "@authority": example.org
        "accept": */*, application/json
        """);
  }

  private static void assertMismatch(TestedProvider provider, String request, String lines) {
    SignedExample example = transformed(request);
    VerificationException refusal = example.refusal(example.signed(), provider);
    assertThat(refusal.failure()).isEqualTo(VerificationFailure.SIGNATURE_MISMATCH);
    assertThat(refusal.signatureBase().orElseThrow().text()).startsWith(lines);
  }

  private static SignedExample transformed(String request) {
    return new SignedExample(
        WireRequest.parse(request),
        TRANSFORM.input(),
        TRANSFORM.signature(),
        BASE,
        TRANSFORM.profile());
  }
}
