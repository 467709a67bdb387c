package dev.countersign.server.requests;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.CheckProgress;
import dev.countersign.server.access.outcome.CompletedRequest;
import dev.countersign.server.access.outcome.TrustLevel;
import dev.countersign.server.store.BulkInsert;
import dev.countersign.server.store.StoredText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The SQL of records and their details, the same on SQLite and PostgreSQL. */
final class RecordRows {
  static final String COLUMNS =
      "id, standing, client_id, method, path, status, reason, passed, refused_by,"
          + " duration_micros, address, request_id";

  // At three bytes per character this is still below the limit of a PostgreSQL index entry.
  private static final int PATH_LENGTH = 512;

  /** The value of the column {@code passed} for a request that passed no check. */
  private static final String NO_CHECK = "";

  private static final BulkInsert RECORDS =
      new BulkInsert("INSERT INTO request_records (" + COLUMNS + ")", 12, "");
  private static final BulkInsert DETAILS =
      new BulkInsert(
          "INSERT INTO request_details (id, target, detail, expected, received, signature_base,"
              + " key_fingerprint, user_agent)",
          8,
          "");

  private final JdbcClient sql;

  RecordRows(JdbcClient sql) {
    this.sql = sql;
  }

  /**
   * Inserts requests.
   *
   * @param ids chooses the ids
   */
  void insert(List<CompletedRequest> requests, RecordIds ids) {
    List<List<@Nullable Object>> records = new ArrayList<>();
    List<List<@Nullable Object>> details = new ArrayList<>();
    for (CompletedRequest request : requests) {
      long id = ids.next(request.time());
      String path = path(request);
      records.add(record(id, path, request));
      List<@Nullable Object> further = details(id, path, request);
      if (further.stream().skip(1).anyMatch(Objects::nonNull)) {
        details.add(further);
      }
    }
    RECORDS.run(sql, records);
    DETAILS.run(sql, details);
  }

  private static String path(CompletedRequest request) {
    String path = request.path();
    return path.length() <= PATH_LENGTH ? path : path.substring(0, PATH_LENGTH);
  }

  private static List<@Nullable Object> record(long id, String path, CompletedRequest request) {
    return Arrays.asList(
        id,
        number(request.trust()),
        StoredText.ofNullable(request.clientId()),
        StoredText.of(request.method()),
        StoredText.of(path),
        request.status(),
        request.reason() == null ? null : request.reason().word(),
        word(request.checks().passed(), NO_CHECK),
        word(request.checks().refusedBy(), null),
        request.duration().toNanos() / 1_000,
        request.address(),
        request.requestId());
  }

  private static @Nullable String word(@Nullable Check check, @Nullable String none) {
    return check == null ? none : check.word();
  }

  private static List<@Nullable Object> details(long id, String path, CompletedRequest request) {
    return Arrays.asList(
        id,
        request.target().equals(path) ? null : StoredText.of(request.target()),
        StoredText.ofNullable(request.detail()),
        StoredText.ofNullable(request.evidence().expected()),
        StoredText.ofNullable(request.evidence().received()),
        StoredText.ofNullable(request.evidence().signatureBase()),
        request.keyFingerprint(),
        StoredText.ofNullable(request.userAgent()));
  }

  Optional<RequestDetails> find(long id) {
    return sql.sql(
            "SELECT r.*, d.target, d.detail, d.expected, d.received, d.signature_base,"
                + " d.key_fingerprint, d.user_agent"
                + " FROM request_records r LEFT JOIN request_details d ON d.id = r.id"
                + " WHERE r.id = ?")
        .param(id)
        .query((row, number) -> details(row))
        .optional();
  }

  /** A client and an address that it called from. */
  record Sender(String clientId, String address) {}

  /**
   * Returns the senders of verified requests that ended at {@code since} or later, those with the
   * newest requests first.
   *
   * @param limit the maximum number of senders
   */
  List<Sender> verifiedSenders(Instant since, int limit) {
    return sql.sql(
            "SELECT client_id, address FROM request_records WHERE standing = ? AND id >= ?"
                + " AND client_id IS NOT NULL GROUP BY client_id, address"
                + " ORDER BY max(id) DESC LIMIT ?")
        .param(number(TrustLevel.VERIFIED))
        .param(RecordIds.lowest(since))
        .param(limit)
        .query((row, number) -> new Sender(row.getString("client_id"), row.getString("address")))
        .list();
  }

  private static RequestDetails details(ResultSet row) throws SQLException {
    RequestRecord request = record(row, 0);
    String target = row.getString("target");
    return new RequestDetails(
        request,
        target == null ? request.path() : target,
        row.getString("detail"),
        row.getString("expected"),
        row.getString("received"),
        row.getString("signature_base"),
        row.getString("key_fingerprint"),
        row.getString("user_agent"));
  }

  /** Returns the progress, or null if the record names a check of a newer release. */
  private static @Nullable CheckProgress progress(String passed, @Nullable String refusedBy) {
    Optional<Check> last = Check.ofWord(passed);
    Optional<Check> refusing = Optional.ofNullable(refusedBy).flatMap(Check::ofWord);
    boolean isKnown =
        (last.isPresent() || NO_CHECK.equals(passed))
            && (refusing.isPresent() || refusedBy == null);
    return isKnown ? new CheckProgress(last.orElse(null), refusing.orElse(null)) : null;
  }

  static RequestRecord record(ResultSet row, int number) throws SQLException {
    String reason = row.getString("reason");
    long id = row.getLong("id");
    return new RequestRecord(
        id,
        RecordIds.timeOf(id),
        trust(row.getInt("standing")),
        row.getString("client_id"),
        row.getString("method"),
        row.getString("path"),
        row.getInt("status"),
        reason == null ? null : Reason.ofWord(reason).orElse(Reason.INTERNAL_ERROR),
        progress(row.getString("passed"), row.getString("refused_by")),
        Duration.ofNanos(row.getLong("duration_micros") * 1_000),
        row.getString("address"),
        row.getString("request_id"));
  }

  /** Returns the number that the store keeps for a trust level. The numbers never change. */
  static int number(TrustLevel trust) {
    return switch (trust) {
      case VERIFIED -> 0;
      case CLAIMED -> 1;
      case ANONYMOUS -> 2;
    };
  }

  private static TrustLevel trust(int number) {
    return switch (number) {
      case 0 -> TrustLevel.VERIFIED;
      case 1 -> TrustLevel.CLAIMED;
      default -> TrustLevel.ANONYMOUS;
    };
  }
}
