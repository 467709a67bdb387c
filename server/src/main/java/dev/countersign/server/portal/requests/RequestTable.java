package dev.countersign.server.portal.requests;

import dev.countersign.server.clients.ClientNames;
import dev.countersign.server.requests.RecordSearchResult;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestRecord;
import dev.countersign.server.requests.RequestRecordStore;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds the rows of the table and names their clients. */
@Component
final class RequestTable {
  // The number of rows on a page.
  private static final int ROWS = 50;

  private final RequestRecordStore records;
  private final ClientNames clientNames;

  RequestTable(RequestRecordStore records, ClientNames clientNames) {
    this.records = records;
    this.clientNames = clientNames;
  }

  /** Returns the newest requests before an id, or the newest requests of all if the id is null. */
  TablePart olderThan(@Nullable Long before, RequestFilter filter) {
    RecordSearchResult page = records.search(filter, before, ROWS);
    List<RequestRow> rows = rows(page.requests());
    Long newer = before == null ? null : (Long) (rows.isEmpty() ? before - 1 : first(rows));
    return new TablePart(rows, page.next(), newer, page.searchedBackTo());
  }

  /**
   * Returns the page of requests that follows an id. If fewer requests than a page follow, returns
   * the newest page instead.
   */
  TablePart newerThan(long id, RequestFilter filter) {
    RecordSearchResult page = records.newer(id, filter, ROWS);
    if (page.next() == null) {
      return olderThan(null, filter);
    }
    List<RequestRow> rows = rows(page.requests());
    Long older = rows.isEmpty() ? id + 1 : rows.getLast().id();
    return new TablePart(rows, older, page.next(), null);
  }

  private static long first(List<RequestRow> rows) {
    return rows.getFirst().id();
  }

  List<RequestRow> rows(List<RequestRecord> requests) {
    Set<String> clientIds =
        requests.stream()
            .map(RequestRecord::clientId)
            .filter(Objects::nonNull)
            .collect(Collectors.toSet());
    Map<String, String> names = clientNames.of(clientIds);
    return requests.stream().map(request -> row(request, names)).toList();
  }

  private static RequestRow row(RequestRecord request, Map<String, String> names) {
    String clientId = request.clientId();
    return new RequestRow(request, clientId == null ? null : names.get(clientId));
  }
}
