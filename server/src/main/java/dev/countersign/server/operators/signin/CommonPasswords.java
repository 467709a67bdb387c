package dev.countersign.server.operators.signin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The most common passwords of at least twelve characters, from lists of stolen passwords. */
final class CommonPasswords {
  private static final Set<String> ALL = read();

  private CommonPasswords() {}

  /** Returns whether the list contains a password, given in lower case and without spaces. */
  static boolean contains(String folded) {
    return ALL.contains(folded);
  }

  private static Set<String> read() {
    try (InputStream list =
        Objects.requireNonNull(CommonPasswords.class.getResourceAsStream("common-passwords.txt"))) {
      return new String(list.readAllBytes(), UTF_8)
          .lines()
          .filter(line -> !line.isBlank())
          .collect(Collectors.toUnmodifiableSet());
    } catch (IOException e) {
      throw new UncheckedIOException("the list of common passwords is missing in the archive", e);
    }
  }
}
