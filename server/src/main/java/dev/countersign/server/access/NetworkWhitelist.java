package dev.countersign.server.access;

import java.util.List;

/** The addresses that a client may call from. */
public final class NetworkWhitelist {
  private final List<String> entries;

  private NetworkWhitelist(List<String> entries) {
    this.entries = entries;
  }

  /** Reads the entries, each an address or a range. */
  public static NetworkWhitelist parse(List<String> entries) {
    return new NetworkWhitelist(List.copyOf(entries));
  }

  /** The entries as they were given. */
  public List<String> entries() {
    return entries;
  }
}
