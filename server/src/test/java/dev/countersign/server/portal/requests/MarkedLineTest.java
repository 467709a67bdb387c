package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MarkedLineTest {

  @Test
  void line_withAnotherMiddle_marksIt() {
    assertThat(MarkedLine.of("page=0&size=2", "page=11&size=2"))
        .isEqualTo(new MarkedLine("page=", "0", "&size=2", true));
  }

  @Test
  void line_thatLacksAPart_marksNothing() {
    assertThat(MarkedLine.of("aa", "aaa")).isEqualTo(new MarkedLine("aa", "", "", true));
    assertThat(MarkedLine.of("aaa", "aa")).isEqualTo(new MarkedLine("aa", "a", "", true));
  }

  @Test
  void line_withoutItsLike_isMarkedWhole() {
    assertThat(MarkedLine.of("abc", null)).isEqualTo(new MarkedLine("", "abc", "", true));
    assertThat(MarkedLine.of(null, "abc").isThere()).isFalse();
  }

  @Test
  void characters_ofTwoHalves_areNotCut() {
    // Both foxes share their first half.
    assertThat(MarkedLine.of("x🦊y", "x🦋y")).isEqualTo(new MarkedLine("x", "🦊", "y", true));
    assertThat(MarkedLine.of("\uD83E\uDD8A", "\uD83D\uDD8A"))
        .isEqualTo(new MarkedLine("", "\uD83E\uDD8A", "", true));
  }
}
