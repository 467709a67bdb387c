package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Constructs that no page and no script may contain, so that the policy does not have to allow
 * them.
 */
class TemplatesTest {
  private static final Path RESOURCES = Path.of("src/main/resources/portal");
  private static final List<Pattern> NOT_IN_PAGES =
      Stream.of(
              "<style",
              "\\sstyle\\s*=",
              "th:style",
              "<script(?![^>]*\\ssrc=|[^>]*\\sth:src=)",
              "<script[^>]*>\\s*[^<\\s]",
              "\\s(th:)?on[a-z]+\\s*=",
              "hx-on",
              "hx-vals=['\"]js:",
              "hx-vars",
              "th:utext",
              "\\[\\(",
              "th:inline",
              "th:preprocess",
              "__\\$",
              "javascript:",
              "(src|href)=\"(https?:)?//")
          .map(not -> Pattern.compile(not, Pattern.CASE_INSENSITIVE))
          .toList();
  private static final List<Pattern> NOT_IN_SCRIPTS =
      Stream.of(
              "\\beval\\s*\\(",
              "new\\s+Function\\b",
              "\\bFunction\\s*\\(",
              "setTimeout\\(\\s*[\"'`]",
              "setInterval\\(\\s*[\"'`]",
              "\\.innerHTML",
              "\\.outerHTML",
              "insertAdjacentHTML",
              "document\\.write",
              "createContextualFragment",
              "setAttribute\\(\\s*[\"'](style|on[a-z]+|src)",
              "javascript:",
              "https?://")
          .map(Pattern::compile)
          .toList();

  static Stream<Path> pages() throws IOException {
    return files("pages", ".html");
  }

  static Stream<Path> scripts() throws IOException {
    return files("assets", ".js");
  }

  private static Stream<Path> files(String folder, String suffix) throws IOException {
    try (Stream<Path> files = Files.walk(RESOURCES.resolve(folder))) {
      return files.filter(file -> file.toString().endsWith(suffix)).toList().stream();
    }
  }

  @ParameterizedTest
  @MethodSource("pages")
  void page_hasNothingInlineAndNothingUnescaped(Path page) throws IOException {
    assertHasNone(Files.readString(page), NOT_IN_PAGES);
  }

  @ParameterizedTest
  @MethodSource("scripts")
  void script_makesNoCodeAndNoMarkupOfText(Path script) throws IOException {
    assertHasNone(Files.readString(script), NOT_IN_SCRIPTS);
  }

  private static void assertHasNone(String text, List<Pattern> patterns) {
    assertThat(patterns).noneMatch(not -> not.matcher(text).find());
  }

  @Test
  void htmx_evaluatesNothingAndAddsNoStyle() throws IOException {
    assertThat(Files.readString(RESOURCES.resolve("pages/frame.html")))
        .contains(
            "\"allowEval\":false",
            "\"includeIndicatorStyles\":false",
            "\"allowScriptTags\":false",
            "\"selfRequestsOnly\":true");
  }
}
