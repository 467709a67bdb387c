package dev.countersign.server.operators.signin;

import dev.countersign.server.operators.Operator;

/**
 * A successful sign-in.
 *
 * @param operator the operator who signed in
 * @param deviceToken the secret that marks the browser as known to the operator; for a cookie only,
 *     valid for {@link SignIn#DEVICE_LIFETIME}
 */
public record SignedIn(Operator operator, String deviceToken) {

  /** Returns a text without the token. */
  @Override
  public String toString() {
    return "SignedIn[" + operator + "]";
  }
}
