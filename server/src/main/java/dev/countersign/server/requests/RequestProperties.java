package dev.countersign.server.requests;

import dev.countersign.server.access.outcome.CompletedRequest;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code countersign.requests}: which requests are recorded, and for how long.
 *
 * @param log which requests get a record; the statistics count all requests
 * @param keepFor how long a record is kept, 1 h to 3650 d
 * @param maximumRows the maximum number of records kept, 1,000 to 100,000,000
 * @param maximumRate the maximum number of records written per second, 10 to 100,000
 */
public record RequestProperties(
    @DefaultValue("all") Log log,
    @DefaultValue("30d") Duration keepFor,
    @DefaultValue("1000000") int maximumRows,
    @DefaultValue("1000") int maximumRate) {

  /** The requests that get a record. */
  public enum Log {
    ALL,
    REFUSED,
    NONE;

    boolean takes(CompletedRequest request) {
      return this == ALL || (this == REFUSED && request.reason() != null);
    }
  }

  public RequestProperties {
    if (keepFor.compareTo(Duration.ofHours(1)) < 0
        || keepFor.compareTo(Duration.ofDays(3650)) > 0) {
      throw new IllegalArgumentException(
          "requests.keep-for must be 1h to 3650d, was " + keepFor.toSeconds() + "s");
    }
    check("maximum-rows", maximumRows, 1_000, 100_000_000);
    check("maximum-rate", maximumRate, 10, 100_000);
  }

  private static void check(String name, int value, int least, int most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "requests." + name + " must be " + least + " to " + most + ", was " + value);
    }
  }
}
