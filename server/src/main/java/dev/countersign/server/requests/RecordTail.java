package dev.countersign.server.requests;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The records after a position, on one snapshot. Reads a bounded number of rows, through the index
 * of each node's numbers.
 */
final class RecordTail {
  /** The maximum number of new rows that are compared with the filter. */
  static final int LOOKED_AT = 20_000;

  private static final Comparator<RequestRecord> NEWEST_FIRST =
      Comparator.comparingLong(RequestRecord::id).reversed();

  private final JdbcClient sql;

  RecordTail(JdbcClient sql) {
    this.sql = sql;
  }

  /**
   * The records that a node has committed.
   *
   * @param node the node
   * @param first the records up to this one were committed before those of the others were known
   * @param last the number of the last record
   */
  private record Head(long node, long first, long last) {}

  /** The records of a node after one number, up to another. */
  private record Stretch(long node, long after, long last) {
    static Stretch of(Head head, RequestPosition from) {
      // A node that the position does not know has begun to write since.
      long known = from.numbers().getOrDefault(head.node, head.first);
      return new Stretch(head.node, Math.min(known, head.last), head.last);
    }

    long length() {
      return last - after;
    }

    Stretch shortened(long length) {
      return new Stretch(node, Math.max(after, last - length), last);
    }

    String condition() {
      return "number > ? AND number <= ? AND node = " + node;
    }
  }

  /** Returns the position of the newest record of each node. */
  RequestPosition position() {
    return position(heads());
  }

  private static RequestPosition position(List<Head> heads) {
    return new RequestPosition(heads.stream().collect(Collectors.toMap(Head::node, Head::last)));
  }

  private List<Head> heads() {
    return sql.sql("SELECT node, first_number, last_number FROM request_nodes")
        .query((row, number) -> new Head(row.getLong(1), row.getLong(2), row.getLong(3)))
        .list();
  }

  /** Returns the newest records after a position that match a filter. */
  RequestTail after(RequestPosition from, RequestFilter filter, int limit) {
    List<Criterion> criteria = RecordSearch.criteria(filter);
    List<Head> heads = heads();
    List<Stretch> stretches = heads.stream().map(head -> Stretch.of(head, from)).toList();
    long behind = stretches.stream().mapToLong(Stretch::length).sum();
    long skipped = 0;
    List<RequestRecord> found = new ArrayList<>();
    for (Stretch all : stretches) {
      Stretch stretch =
          behind <= LOOKED_AT
              ? all
              : all.shortened((long) ((double) all.length() * LOOKED_AT / behind));
      skipped += all.length() - stretch.length();
      if (stretch.length() > 0) {
        List<RequestRecord> some = rows(stretch, criteria, limit);
        skipped += some.size() < limit ? 0 : count(stretch, criteria) - limit;
        found.addAll(some);
      }
    }
    found.sort(NEWEST_FIRST);
    List<RequestRecord> newest = found.subList(0, Math.min(found.size(), limit));
    return new RequestTail(
        newest.reversed(), position(heads), skipped + found.size() - newest.size());
  }

  private List<RequestRecord> rows(Stretch stretch, List<Criterion> criteria, int limit) {
    return statement(
            "SELECT " + RecordRows.COLUMNS,
            stretch,
            criteria,
            " ORDER BY number DESC LIMIT " + limit)
        .query(RecordRows::record)
        .list();
  }

  private long count(Stretch stretch, List<Criterion> criteria) {
    return statement("SELECT count(*)", stretch, criteria, "").query(Long.class).single();
  }

  private JdbcClient.StatementSpec statement(
      String select, Stretch stretch, List<Criterion> criteria, String end) {
    StringBuilder where = new StringBuilder(stretch.condition());
    List<Object> parameters = new ArrayList<>(List.of(stretch.after, stretch.last));
    for (Criterion criterion : criteria) {
      where.append(" AND ").append(Criterion.withoutIndex(criterion.sql()));
      parameters.addAll(criterion.parameters());
    }
    return sql.sql(select + " FROM request_records WHERE " + where + end).params(parameters);
  }
}
