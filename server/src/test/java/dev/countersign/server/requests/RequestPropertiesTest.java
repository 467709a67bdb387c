package dev.countersign.server.requests;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.requests.RequestProperties.Log;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RequestPropertiesTest {

  @Test
  void settings_outOfBounds_areRefusedWithTheBounds() {
    assertThatThrownBy(() -> new RequestProperties(Log.ALL, Duration.ofMinutes(59), 1_000, 10))
        .hasMessage("requests.keep-for must be 1h to 3650d, was 3540s");
    assertThatThrownBy(() -> new RequestProperties(Log.ALL, Duration.ofDays(4_000), 1_000, 10))
        .hasMessageStartingWith("requests.keep-for must be 1h to 3650d");
    assertThatThrownBy(() -> new RequestProperties(Log.ALL, Duration.ofDays(1), 999, 10))
        .hasMessage("requests.maximum-rows must be 1000 to 100000000, was 999");
    assertThatThrownBy(() -> new RequestProperties(Log.ALL, Duration.ofDays(1), 1_000, 9))
        .hasMessage("requests.maximum-rate must be 10 to 100000, was 9");
  }
}
