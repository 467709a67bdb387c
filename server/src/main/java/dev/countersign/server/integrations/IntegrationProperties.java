package dev.countersign.server.integrations;

import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code countersign.integrations}.
 *
 * @param rotationInterval the least time between two rotations by the same client, 0 s to 1 d
 */
public record IntegrationProperties(@DefaultValue("1m") Duration rotationInterval) {
  private static final Duration MAX_ROTATION_INTERVAL = Duration.ofDays(1);

  public IntegrationProperties {
    if (rotationInterval.isNegative() || rotationInterval.compareTo(MAX_ROTATION_INTERVAL) > 0) {
      throw new IllegalArgumentException(
          "integrations.rotation-interval must be 0s to 1d, was " + rotationInterval);
    }
  }
}
