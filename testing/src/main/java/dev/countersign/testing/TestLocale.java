package dev.countersign.testing;

import java.util.List;
import java.util.stream.Stream;

/**
 * The locale and time zone of a run with {@code -Dtest.locale=ar-EG}. The build gives them to the
 * processes that run tests; a test gives them to each Java process that it starts.
 */
public final class TestLocale {
  private static final List<String> OPTIONS =
      System.getProperty("test.locale") == null
          ? List.of()
          : Stream.of("user.language", "user.country", "user.timezone")
              .map(name -> "-D" + name + "=" + System.getProperty(name))
              .toList();

  private TestLocale() {}

  /** Returns the options for a Java process of a test: none in a run without the property. */
  public static List<String> options() {
    return OPTIONS;
  }
}
