package dev.countersign.server.portal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VisibleTextTest {

  @Test
  void invisibleCharacters_areReplacedByTheirCodePoints() {
    assertThat(VisibleText.of("a\u202Eb\u0000c\u200Bd\rE\nf\u00A0g"))
        .isEqualTo("a[U+202E]b[U+0000]c[U+200B]d[U+000D]E[U+000A]f[U+00A0]g");
  }

  @Test
  void text_ofAnyScript_isUnchanged() {
    assertThat(VisibleText.of("Zoë שלום 漢字 🦊 <b>")).isEqualTo("Zoë שלום 漢字 🦊 <b>");
  }

  @Test
  void ofLines_keepsOnlyLineFeeds() {
    assertThat(VisibleText.ofLines("a\nb\r\nc")).isEqualTo("a\nb[U+000D]\nc");
  }
}
