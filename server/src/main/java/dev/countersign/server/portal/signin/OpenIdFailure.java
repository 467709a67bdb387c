package dev.countersign.server.portal.signin;

import java.util.regex.Pattern;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;

/**
 * Describes a failed OpenID sign-in for the log. Anybody can call the callback address with a
 * made-up error, so the description repeats an error only if it looks like an error code. It never
 * contains an authorization code or a token.
 */
final class OpenIdFailure {
  private static final Pattern CODE = Pattern.compile("[a-z_]{1,40}");
  // The maximum number of characters of a logged message.
  private static final int MAX_LENGTH = 200;

  private OpenIdFailure() {}

  static String describe(AuthenticationException exception) {
    if (exception instanceof OAuth2AuthenticationException e) {
      String code = e.getError().getErrorCode();
      return CODE.matcher(code).matches() ? code : "unknown error";
    }
    Throwable cause = exception.getCause();
    return cause == null
        ? exception.getClass().getSimpleName()
        : oneLine(String.valueOf(cause.getMessage()));
  }

  private static String oneLine(String message) {
    StringBuilder line = new StringBuilder();
    message
        .chars()
        .limit(MAX_LENGTH)
        .forEach(c -> line.append(c >= ' ' && c <= '~' ? (char) c : '?'));
    return line.toString();
  }
}
