package dev.countersign.signatures.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LikelyCauseTest {

  @ParameterizedTest
  @EnumSource
  void sentence_ofEachCause_isOneShortLineThatSaysWhatToDo(LikelyCause cause) {
    assertThat(cause.sentence())
        .matches("[\\x20-\\x7e]{40,125}")
        .doesNotEndWith(".")
        .contains(": ");
  }

  @Test
  void sentences_ofAllCauses_areDistinct() {
    assertThat(Arrays.stream(LikelyCause.values()).map(LikelyCause::sentence))
        .doesNotHaveDuplicates();
  }
}
