package dev.countersign.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ListTimesTest {
  private static final String ANSWER =
      """
      HTTP/1.1 200 \r
      Link: <http://h/l?after=&size=2>; rel="first", <http://h/l?after=TOKEN&size=2>; rel="next"\r
      Content-Type: application/json\r
      \r
      {"content":[]}""";

  @Test
  void cursor_ofAnAnswer_isFoundByItsRelation() {
    assertThat(ListTimes.cursor(ANSWER, "next")).contains("TOKEN");
    assertThat(ListTimes.cursor(ANSWER, "https://countersign.dev/rels/after")).isEmpty();
  }
}
