package dev.countersign.server.audit;

import java.util.List;

/**
 * A page of the entries that match a filter, newest first.
 *
 * @param entries the entries of this page
 * @param total the number of all matching entries
 */
public record AuditSearchResult(List<AuditEntry> entries, long total) {
  public AuditSearchResult {
    entries = List.copyOf(entries);
  }
}
