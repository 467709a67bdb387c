package dev.countersign.server.listings.suggestions;

import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.ListingProperties;
import dev.countersign.server.tables.TableName;
import java.util.List;

/** The answer for one table: a listing, or the reason why there is none. */
public sealed interface Suggestion {

  /** Returns the name of the table. */
  TableName table();

  /**
   * A listing with which the service starts.
   *
   * @param table the table
   * @param definition the definition in the configuration
   * @param listing the same listing, checked against the table
   * @param about what the reader must know about the key; empty if the database proves that the key
   *     is unique
   * @param leftOut the columns without a field, each with the reason
   */
  record Served(
      TableName table,
      ListingProperties definition,
      Listing listing,
      String about,
      List<String> leftOut)
      implements Suggestion {

    public Served {
      leftOut = List.copyOf(leftOut);
    }
  }

  /**
   * A table that no listing can serve as it is.
   *
   * @param table the table
   * @param reason why no listing can serve it, and if possible how to change that
   */
  record Unfit(TableName table, String reason) implements Suggestion {}

  /**
   * A table that the service's user may not read.
   *
   * @param table the table
   * @param grant the GRANT statements that let the user read it
   */
  record Unreadable(TableName table, String grant) implements Suggestion {}
}
