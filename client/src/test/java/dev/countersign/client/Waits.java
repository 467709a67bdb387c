package dev.countersign.client;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Waits that pass at once, remembered. */
final class Waits {
  private final List<Duration> waits = new CopyOnWriteArrayList<>();

  /** A client of this server that waits half of each bound, here. */
  CountersignClient.Builder client(URI base) {
    return CountersignClient.builder(base, TestKey.CLIENT_ID, TestKey.SOURCE)
        .withWaiting(new RetryClock(() -> 0.5, waits::add));
  }

  List<Duration> all() {
    return waits;
  }
}
