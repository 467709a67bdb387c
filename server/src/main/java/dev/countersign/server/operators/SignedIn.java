package dev.countersign.server.operators;

/**
 * A sign-in that succeeded.
 *
 * @param operator who
 * @param deviceToken marks the browser as one that the operator knows the password on: a secret,
 *     for a cookie alone, good for {@link SignIn#DEVICE_LIFETIME}
 */
public record SignedIn(Operator operator, String deviceToken) {

  /** Without the token. */
  @Override
  public String toString() {
    return "SignedIn[" + operator + "]";
  }
}
