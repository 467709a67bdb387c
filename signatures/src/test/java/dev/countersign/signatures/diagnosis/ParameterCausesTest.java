package dev.countersign.signatures.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The causes for signature parameters; {@code -} means that no cause may be named. */
class ParameterCausesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "LABEL_KEPT | sig=();created=1 | ();created=1",
        "LABEL_KEPT | sig-1.b_=();created=1 | ();created=1",
        "- | Sig=();created=1 | ();created=1",
        "LINES_UNLIKE_LIST | (\"date\");created=1 | ();created=1",
        "PARAMETER_SPACING | ( );created=1 | ();created=1",
        "PARAMETER_SPACING | (); created=1 | ();created=1",
        "PARAMETER_SPACING | ();created = 1 | ();created=1",
        "PARAMETER_SPACING | () ;created=1 | ();created=1",
        "PARAMETER_ORDER | ();created=1;keyid=\"a\" | ();keyid=\"a\";created=1",
        "PARAMETER_ORDER | ();created=1;keyid=\"a\" | ();keyid=\"b\";created=2",
        "PARAMETER_MISSING | ();created=1;keyid=\"a\" | ();created=1",
        "PARAMETER_MISSING | ();created=1;nonce | ();created=1",
        "PARAMETER_QUOTES | ();alg=rsa-v1_5-sha256 | ();alg=\"rsa-v1_5-sha256\"",
        "PARAMETER_QUOTES | ();created=\"1\" | ();created=1",
        "PARAMETER_DIFFERS | ();nonce=\"a\" | ();nonce=\"b\"",
        "PARAMETER_DIFFERS | ();nonce=\" a\" | ();nonce=\"a\"",
        "PARAMETER_DIFFERS | ();tag=\"a;b)=\" | ();tag=\"a;c)=\"",
        "KEYID_DIFFERS | ();created=1;keyid=\"cl-a\" | ();created=1;keyid=\"cl-b\"",
        "ALG_DIFFERS | ();alg=\"rsa-pss-sha512\" | ();alg=\"ed25519\"",
        "CREATED_IN_MILLISECONDS | ();created=1709622489123 | ();created=1709622489",
        "CREATED_DIFFERS | ();created=1709622488123 | ();created=1709622489",
        "CREATED_DIFFERS | ();created=1709622489 | ();created=1709622490",
        "CREATED_DIFFERS | ();created=1709622489;keyid=\"a\" | ();created=1709622490;keyid=\"b\"",
        "CREATED_DIFFERS | ();created=0 | ();created=999",
        "TIME_ZONE | ();created=1709622489 | ();created=1709626089",
        "TIME_ZONE | ();created=1709622489 | ();created=1709642289",
        "CREATED_DIFFERS | ();created=1709622489 | ();created=1709676489",
        "- | ();created=1.5 | ();created=1",
        "- | ();created=1111111111111111 | ();created=1111111111111112",
        "- | ();created=1;created=2 | ();created=2;created=1",
        "- | ()x;created=1 | ()y;created=1",
        "- | (;created=1 | ();created=1",
        "- | created=1 | created=2",
      })
  void parameters_thatDiffer_haveTheirCause(String cause, String one, String other) {
    Optional<LikelyCause> expected =
        cause.equals("-") ? Optional.empty() : Optional.of(LikelyCause.valueOf(cause));
    String a = TestedBases.ofParams(one);
    String b = TestedBases.ofParams(other);
    assertThat(TestedBases.cause(a, b)).isEqualTo(expected);
    assertThat(TestedBases.cause(b, a)).isEqualTo(expected);
  }
}
