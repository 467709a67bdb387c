package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Checks that the README agrees with the code: it contains the snippet below, and its tables are
 * tried.
 */
class PaginationReadmeTest {
  private static final Path SOURCE =
      Path.of("src/test/java/dev/countersign/pagination/PaginationReadmeTest.java");

  @Test
  void quickStart_run_givesWhatTheReadmeSays() throws IOException {
    // begin
    PageRules rules = PageRules.sortableBy("name", "currencyCode");
    PageRequest request = PageRequest.parse("page=1&size=2&sort=name,desc", rules);

    List<String> rows = List.of("Carol", "Bob"); // yours: ORDER BY … LIMIT size OFFSET offset
    Page<String> page = Page.of(request, 5, rows);

    String called = "https://api.example.com/v1/people?page=1&size=2&sort=name,desc";
    String header = PageLinks.of(called, request, page.envelope()).toLinkHeader();
    // end
    assertThat(page.envelope().first()).isFalse();
    assertThat(page.envelope().last()).isFalse();
    assertThat(page.envelope().totalPages()).hasValue(3);
    assertThat(readme()).contains("```\n" + header.replace("\", ", "\",\n") + "\n```");
  }

  @Test
  void quickStart_inTheReadme_isTheOneThatRuns() throws IOException {
    Matcher snippet = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL).matcher(readme());
    assertThat(snippet.find()).isTrue();
    String source = Files.readString(SOURCE);
    String ran = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("    // end\n"));
    assertThat(ran.indent(-4)).isEqualTo(snippet.group(1));
  }

  @Test
  void messages_inTheReadme_areThoseThrown() throws IOException {
    PageRules rules = PageRules.sortableBy("name", "currencyCode");
    Matcher row = Pattern.compile("\\| `(\\w+=[^`]*)` \\| `([^`]+)` \\|").matcher(readme());
    int rows = 0;
    while (row.find()) {
      String query = row.group(1);
      assertThat(catchThrowable(() -> PageRequest.parse(query, rules))).hasMessage(row.group(2));
      rows++;
    }
    assertThat(rows).isEqualTo(5);
  }

  private static String readme() throws IOException {
    return Files.readString(Path.of("README.md"));
  }
}
