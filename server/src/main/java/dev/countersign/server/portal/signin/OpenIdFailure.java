package dev.countersign.server.portal.signin;

import java.util.regex.Pattern;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;

/**
 * Describes a failed OpenID sign-in for the log. Anybody can call the callback address with a
 * made-up error, so an error is logged only if it looks like an error code. The description never
 * contains an authorization code or a token.
 */
final class OpenIdFailure {
  private static final Pattern CODE = Pattern.compile("[a-z_]{1,40}");
  // The maximum number of characters of a logged message.
  private static final int LONGEST = 200;

  private OpenIdFailure() {}

  static String inWords(AuthenticationException why) {
    if (why instanceof OAuth2AuthenticationException e) {
      String code = e.getError().getErrorCode();
      return CODE.matcher(code).matches() ? code : "unknown error";
    }
    Throwable cause = why.getCause();
    return cause == null
        ? why.getClass().getSimpleName()
        : oneLine(String.valueOf(cause.getMessage()));
  }

  private static String oneLine(String message) {
    StringBuilder line = new StringBuilder();
    message.chars().limit(LONGEST).forEach(c -> line.append(c >= ' ' && c <= '~' ? (char) c : '?'));
    return line.toString();
  }
}
