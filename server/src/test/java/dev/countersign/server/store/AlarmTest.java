package dev.countersign.server.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AlarmTest {
  private final Alarm alarm = new Alarm();

  @Test
  void isNewsOnceUntilItIsCleared() {
    assertThat(alarm.raise()).isTrue();
    assertThat(alarm.raise()).isFalse();
    assertThat(alarm.isRaised()).isTrue();

    assertThat(alarm.clear()).hasValue("");
    assertThat(alarm.clear()).isEmpty();
    assertThat(alarm.isRaised()).isFalse();

    assertThat(alarm.raise()).isTrue();
  }

  @Test
  void isNewsAgainForAnotherCause() {
    assertThat(alarm.raise("password wrong")).isTrue();
    assertThat(alarm.raise("password wrong")).isFalse();
    assertThat(alarm.raise("role locked")).isTrue();

    assertThat(alarm.cause()).hasValue("role locked");
    assertThat(alarm.clear()).hasValue("role locked");
    assertThat(alarm.cause()).isEmpty();
  }

  @Test
  void isNotRaisedAtFirst() {
    assertThat(alarm.isRaised()).isFalse();
    assertThat(alarm.clear()).isEmpty();
  }
}
