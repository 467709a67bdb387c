package dev.countersign.server.portal.signin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;

class OpenIdFailureTest {

  @Test
  void describe_code_isTheCode() {
    assertThat(OpenIdFailure.describe(new OAuth2AuthenticationException("access_denied")))
        .isEqualTo("access_denied");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x\nforged",
        "\u001b[2J",
        "two words",
        "access_denied\n",
        "Upper",
        "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
      })
  void describe_anythingElseThanACode_isNotRepeated(String code) {
    assertThat(OpenIdFailure.describe(new OAuth2AuthenticationException(code)))
        .isEqualTo("unknown error");
  }

  @Test
  void describe_messageOfACause_isOneShortPrintableLine() {
    String message = "no answer:\r\n\u001b[2J\u2028" + "x".repeat(300);
    assertThat(failed(message)).startsWith("no answer:???[2J?xxx").hasSize(200);
    assertThat(failed("Connection refused")).isEqualTo("Connection refused");
  }

  private static String failed(String message) {
    return OpenIdFailure.describe(
        new AuthenticationServiceException("x", new IllegalStateException(message)));
  }
}
