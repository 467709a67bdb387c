package dev.countersign.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Records waits instead of waiting. */
final class RecordedWaits {
  private final List<Duration> waits = new CopyOnWriteArrayList<>();

  /** Creates a client of this server whose waits are half of each bound, recorded here. */
  CountersignClient.Builder client(URI base) {
    return CountersignClient.builder(base, TestKey.CLIENT_ID, TestKey.SOURCE)
        .withRetryTiming(new RetryTiming(() -> 0.5, waits::add));
  }

  List<Duration> all() {
    return waits;
  }
}
