package dev.countersign.server.portal.clients;

import dev.countersign.protocol.PlainText;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.Listing.RowSecurity;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.dao.DataAccessException;

/**
 * Says how many records match the values of an attribute, while an operator types them. A mistyped
 * value is valid but occurs in no record, so no other check reports it.
 *
 * <p>Each table is read for at most 1 s per statement, and only if it has at most 10,000 records.
 */
final class ScopeMatches {
  private static final int MAX_ROWS = 10_000;
  private static final int MAX_NAMED = 3;

  private final ListingCatalog listings;
  private final Database database;

  ScopeMatches(ListingCatalog listings, Database database) {
    this.listings = listings;
    this.database = database.forHints();
  }

  /**
   * The records of one table.
   *
   * @param sentence such as "matches 0 of 3,000 records of wallets"
   * @param isSuspicious whether one of the values is in no record
   */
  record Match(String sentence, boolean isSuspicious) {}

  /**
   * Returns the matches in each column that a scope compares with the attribute, in the order of
   * the listings. Once a table does not answer, the others are not read.
   */
  List<Match> of(String attribute, AttributeValue.Values values) {
    List<Match> matches = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    boolean isSlow = false;
    for (Listing listing : listings.all()) {
      for (Map.Entry<String, String> rule : listing.scope().entrySet()) {
        String field = rule.getKey();
        if (rule.getValue().equals(attribute)
            && seen.add(listing.tableName() + ' ' + listing.field(field).column().name())) {
          Optional<Match> match = isSlow ? Optional.empty() : match(listing, field, values);
          isSlow |= match.isEmpty();
          matches.add(match.orElseGet(() -> unknown(listing, "the database took too long")));
        }
      }
    }
    return matches;
  }

  /** Returns empty if the database does not answer in time. */
  private Optional<Match> match(Listing listing, String field, AttributeValue.Values values) {
    if (listing.rowSecurity() != RowSecurity.NONE) {
      return Optional.of(unknown(listing, "row-level security decides which records there are"));
    }
    try {
      return Optional.of(
          listing
              .sample(database, field, values.values(), MAX_ROWS)
              .map(sample -> counted(listing, sample, values))
              .orElseGet(
                  () -> unknown(listing, "there are more than " + number(MAX_ROWS) + " records")));
    } catch (DataAccessException e) {
      return Optional.of(unknown(listing, database.dialect().reason(e)));
    } catch (StoreUnavailableException e) {
      return Optional.empty();
    }
  }

  private static Match counted(
      Listing listing, Listing.Sample sample, AttributeValue.Values values) {
    Set<String> found = new HashSet<>(sample.values());
    List<String> missing =
        values.values().stream()
            .map(Object::toString)
            .filter(value -> !found.contains(value))
            .toList();
    String counts =
        "matches "
            + number(sample.values().size())
            + " of "
            + number(sample.total())
            + " records of "
            + listing.tableName();
    boolean isPartly = !missing.isEmpty() && missing.size() < values.values().size();
    return new Match(
        isPartly ? counts + "; no record has " + some(missing) : counts, !missing.isEmpty());
  }

  private static String some(List<String> values) {
    String named =
        values.stream().limit(MAX_NAMED).map(PlainText::quoted).collect(Collectors.joining(", "));
    int further = values.size() - MAX_NAMED;
    return further > 0 ? named + " and " + further + " more" : named;
  }

  private static Match unknown(Listing listing, String why) {
    return new Match(
        "matches an unknown number of records of " + listing.tableName() + ": " + why, false);
  }

  private static String number(long count) {
    return String.format(Locale.ROOT, "%,d", count);
  }
}
