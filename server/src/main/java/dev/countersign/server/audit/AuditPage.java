package dev.countersign.server.audit;

import java.util.List;

/**
 * Some of the entries that a filter lets through, the newest first.
 *
 * @param entries those of this page
 * @param total how many the filter lets through altogether
 */
public record AuditPage(List<AuditEntry> entries, long total) {
  public AuditPage {
    entries = List.copyOf(entries);
  }
}
