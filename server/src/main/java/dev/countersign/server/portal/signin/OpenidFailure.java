package dev.countersign.server.portal.signin;

import java.util.regex.Pattern;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;

/**
 * What went wrong in a sign-in by OpenID, for the log. Anybody may call the callback with an error
 * of their own making, so only what looks like a code is written down; a provider's code or token
 * is in none of these texts.
 */
final class OpenidFailure {
  private static final Pattern CODE = Pattern.compile("[a-z_]{1,40}");
  private static final int LONGEST = 200;

  private OpenidFailure() {}

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
