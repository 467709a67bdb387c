package dev.countersign.server.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class AccessPropertiesTest {
  @ParameterizedTest
  @CsvSource({"1B, 1", "64MB, 67108864", "65536KB, 67108864"})
  void bodyLimit_withinItsRange_isAccepted(String value, long bytes) {
    assertThat(bound(value).bodyLimit().toBytes()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource({
    "0B, 0B",
    "67108865B, 67108865B",
    "65537KB, 67109888B",
    "65MB, 68157440B",
    "-1MB, -1048576B"
  })
  void bodyLimit_outsideItsRange_isRefusedWithTheRange(String value, String shown) {
    assertThatThrownBy(() -> bound(value))
        .isInstanceOf(BindException.class)
        .rootCause()
        .hasMessage("access.body-limit must be 1B to 64MB, was " + shown);
  }

  private static AccessProperties bound(String bodyLimit) {
    return new Binder(new MapConfigurationPropertySource(Map.of("access.body-limit", bodyLimit)))
        .bindOrCreate("access", AccessProperties.class);
  }
}
