package dev.countersign.signatures.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.HashSet;
import java.util.Set;
import org.assertj.core.api.AbstractStringAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Checks every refusal: one exception type, no cause, and no part of the key in it. */
final class Refusal {
  private static final int LEAK = 8;

  private Refusal() {}

  static AbstractStringAssert<?> assertRefused(
      KeyFileException.Reason reason, ThrowingCallable reading) {
    KeyFileException refusal = catchThrowableOfType(KeyFileException.class, reading);
    assertThat(refusal).as("a refusal for " + reason).isNotNull();
    assertThat(refusal.reason()).as(refusal.getMessage()).isEqualTo(reason);
    assertThat(refusal).hasNoCause();
    return assertThat(refusal.getMessage());
  }

  /**
   * Returns every piece of eight base64 characters of this key, without whitespace and header
   * lines.
   */
  static Set<String> pieces(String pem) {
    String body = pem.replaceAll("-----[A-Z0-9 ]+-----", "").replaceAll("\\s", "");
    Set<String> pieces = new HashSet<>();
    for (int i = 0; i + LEAK <= body.length(); i++) {
      pieces.add(body.substring(i, i + LEAK));
    }
    return pieces;
  }

  static void assertNothingLeaks(KeyFileException refusal, Set<String> pieces) {
    assertThat(refusal.getCause()).isNull();
    assertThat(refusal.getSuppressed()).isEmpty();
    String message = refusal.toString();
    for (int i = 0; i + LEAK <= message.length(); i++) {
      if (pieces.contains(message.substring(i, i + LEAK))) {
        throw new AssertionError("the message contains a part of the key: " + message);
      }
    }
  }
}
