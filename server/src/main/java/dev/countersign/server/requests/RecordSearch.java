package dev.countersign.server.requests;

import dev.countersign.server.requests.Criterion.Order;
import dev.countersign.server.requests.RequestFilter.Outcome;
import dev.countersign.server.store.StoredText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * One search. Its duration depends neither on the number of rows nor on the number of matches.
 *
 * <p>Design note: no index fits every combination of criteria. So the search uses the index of only
 * one criterion, and reads a limited number of rows through that index. It chooses the criterion
 * whose rows reach furthest back, and checks the other criteria only on these rows. If too few rows
 * match to fill the page, the result says how far back the search reached.
 */
final class RecordSearch {
  /** Maximum number of rows read through an index, in scattered places of the table. */
  private static final int MAX_SCATTERED_ROWS = 5_000;

  /** Maximum number of consecutive rows read. */
  private static final int MAX_CONSECUTIVE_ROWS = 20_000;

  // Sorts after every other character: all paths with a prefix sort before prefix + LAST_CHARACTER.
  private static final String LAST_CHARACTER = Character.toString(Character.MAX_CODE_POINT);

  private final JdbcClient sql;
  private final RequestFilter filter;
  private final List<Criterion> criteria;

  RecordSearch(JdbcClient sql, RequestFilter filter) {
    this.sql = sql;
    this.filter = filter;
    this.criteria = criteria(filter);
  }

  /**
   * The criterion whose index the search uses, and how far back it reaches.
   *
   * @param floor the lowest id that is read
   */
  private record IndexRange(Criterion criterion, long floor) {}

  RecordSearchResult page(long before, int limit) {
    long end = Math.min(before, idAfter(filter.to()));
    long start = idBefore(filter.from());
    IndexRange range = bestRange(start, end);
    List<RequestRecord> found =
        rows(range.criterion, Math.max(start, range.floor), end, "DESC", limit + 1);
    if (found.size() > limit) {
      List<RequestRecord> page = found.subList(0, limit);
      return new RecordSearchResult(page, page.getLast().id(), null);
    }
    return range.floor <= start
        ? new RecordSearchResult(found, null, null)
        : new RecordSearchResult(found, range.floor, RecordIds.timeOf(range.floor));
  }

  /**
   * Returns the requests with the next larger ids, newest first. {@link RecordSearchResult#next} is
   * the id to continue after; null if the search reached the end of the filter's period.
   */
  RecordSearchResult newer(long after, int limit) {
    long start = startAfter(after);
    long end = idAfter(filter.to());
    Optional<Long> last =
        sql.sql(
                "SELECT id FROM request_records WHERE id >= ? AND id < ? ORDER BY id LIMIT 1 OFFSET "
                    + (MAX_CONSECUTIVE_ROWS - 1))
            .param(start)
            .param(end)
            .query(Long.class)
            .optional();
    List<RequestRecord> found =
        rows(Criterion.any(), start, last.map(id -> id + 1).orElse(end), "ASC", limit);
    Long next = found.size() == limit ? (Long) found.getLast().id() : last.orElse(null);
    return new RecordSearchResult(found.reversed(), next, null);
  }

  /** Counts the requests with ids between two others, up to a maximum. */
  long count(long after, long before, int maximum) {
    long start = startAfter(after);
    long end = Math.min(before, idAfter(filter.to()));
    return select("1", Criterion.any(), start, end, " LIMIT " + maximum)
        .query(Integer.class)
        .list()
        .size();
  }

  /** Returns the lowest id of the filter's period that is greater than {@code after}. */
  private long startAfter(long after) {
    return Math.max(Math.min(after, Long.MAX_VALUE - 1) + 1, idBefore(filter.from()));
  }

  private IndexRange bestRange(long start, long end) {
    IndexRange best =
        new IndexRange(Criterion.any(), floor(Criterion.any(), start, end, MAX_CONSECUTIVE_ROWS));
    // A period with few rows is read in the order of ids, whatever the other criteria are.
    if (filter.from() != null && best.floor == start) {
      return best;
    }
    Optional<Criterion> path = rarePath();
    if (path.isPresent()) {
      return new IndexRange(path.get(), start);
    }
    for (Criterion criterion : criteria) {
      if (criterion.order() == Order.BY_ID && best.floor > start) {
        long floor = floor(criterion, start, end, MAX_SCATTERED_ROWS);
        best = floor < best.floor ? new IndexRange(criterion, floor) : best;
      }
    }
    return best;
  }

  /**
   * Returns the path's criterion if few rows match it. The index on paths does not return rows in
   * the order of ids, so the search must read all matching rows.
   */
  private Optional<Criterion> rarePath() {
    return criteria.stream()
        .filter(criterion -> criterion.order() == Order.NOT_BY_ID)
        .filter(this::isRare)
        .findFirst();
  }

  private boolean isRare(Criterion criterion) {
    int count =
        sql.sql(
                "SELECT count(*) FROM (SELECT 1 FROM request_records WHERE "
                    + criterion.sql()
                    + " LIMIT "
                    + (MAX_SCATTERED_ROWS + 1)
                    + ") few")
            .params(criterion.parameters())
            .query(Integer.class)
            .single();
    return count <= MAX_SCATTERED_ROWS;
  }

  /**
   * Counts matching rows backwards from the end. Returns the id of the row at which the count
   * reaches {@code rows}, or the start if fewer rows match.
   */
  private long floor(Criterion criterion, long start, long end, int rows) {
    return sql.sql(
            "SELECT id FROM request_records WHERE "
                + criterion.sql()
                + " AND id < ? AND id >= ? ORDER BY id DESC LIMIT 1 OFFSET "
                + (rows - 1))
        .params(criterion.parameters())
        .param(end)
        .param(start)
        .query(Long.class)
        .optional()
        .orElse(start);
  }

  private List<RequestRecord> rows(
      Criterion indexed, long start, long end, String direction, int limit) {
    String order = isById(indexed) ? " ORDER BY id " : " ORDER BY id + 0 ";
    return select(RecordRows.COLUMNS, indexed, start, end, order + direction + " LIMIT " + limit)
        .query(RecordRows::record)
        .list();
  }

  private static boolean isById(Criterion indexed) {
    return indexed.order() == Order.BY_ID;
  }

  private JdbcClient.StatementSpec select(
      String columns, Criterion indexed, long start, long end, String rest) {
    String range = "id >= ? AND id < ?";
    StringBuilder where =
        new StringBuilder(indexed.sql())
            .append(" AND ")
            .append(isById(indexed) ? range : Criterion.withoutIndex(range));
    List<Object> parameters = new ArrayList<>(indexed.parameters());
    parameters.add(start);
    parameters.add(end);
    for (Criterion criterion : criteria) {
      if (!criterion.equals(indexed)) {
        where.append(" AND ").append(Criterion.withoutIndex(criterion.sql()));
        parameters.addAll(criterion.parameters());
      }
    }
    return sql.sql("SELECT " + columns + " FROM request_records WHERE " + where + rest)
        .params(parameters);
  }

  /** Returns an id greater than the ids of all requests that ended before the time. */
  private static long idAfter(@Nullable Instant time) {
    return time == null ? Long.MAX_VALUE : RecordIds.lowest(time);
  }

  /** Returns a lower bound for the ids of the requests that ended at or after the time. */
  private static long idBefore(@Nullable Instant time) {
    return time == null ? 0 : RecordIds.lowest(time);
  }

  private static List<Criterion> criteria(RequestFilter filter) {
    List<Criterion> criteria = new ArrayList<>();
    if (filter.clientId() != null) {
      criteria.add(Criterion.equal("client_id", StoredText.of(filter.clientId())));
    }
    if (filter.reason() != null) {
      criteria.add(Criterion.equal("reason", filter.reason().word()));
    }
    if (filter.status() != null) {
      criteria.add(Criterion.equal("status", filter.status()));
    }
    if (filter.trust() != null) {
      criteria.add(Criterion.equal("standing", RecordRows.number(filter.trust())));
    }
    if (filter.outcome() != null) {
      boolean refused = filter.outcome() == Outcome.REFUSED;
      criteria.add(
          new Criterion(
              refused ? "reason IS NOT NULL" : "reason IS NULL",
              List.of(),
              refused ? Order.BY_ID : Order.NO_INDEX));
    }
    if (filter.pathPrefix() != null) {
      String prefix = StoredText.of(filter.pathPrefix());
      criteria.add(
          new Criterion(
              "path >= ? AND path < ?", List.of(prefix, prefix + LAST_CHARACTER), Order.NOT_BY_ID));
    }
    return criteria;
  }
}
