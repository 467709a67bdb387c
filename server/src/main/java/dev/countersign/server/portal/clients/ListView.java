package dev.countersign.server.portal.clients;

import dev.countersign.server.clients.Client.Status;
import dev.countersign.server.clients.ClientQuery;
import dev.countersign.server.clients.ClientSort;
import dev.countersign.server.clients.ClientSort.Direction;
import dev.countersign.server.clients.KeyPreview;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The view of the list of clients, read from the parameters of the page's address. An invalid
 * parameter gets its default.
 */
record ListView(ClientQuery query) {
  // The number of clients on a page, if the address gives no valid size.
  private static final int DEFAULT_SIZE = 25;
  private static final Map<ClientSort, String> LABELS =
      Map.of(
          ClientSort.NAME, "Name",
          ClientSort.CLIENT_ID, "clientId",
          ClientSort.STATUS, "Status",
          ClientSort.CREATED, "Created",
          ClientSort.KEY_AGE, "Key age",
          ClientSort.LAST_USED, "Last used");

  static ListView of(Map<String, String> parameters) {
    return new ListView(
        new ClientQuery(
            searchText(parameters.getOrDefault("q", "")),
            status(parameters.get("status")),
            sort(parameters.get("sort")),
            "desc".equals(parameters.get("dir")) ? Direction.DESCENDING : Direction.ASCENDING,
            Math.max(0, number(parameters.get("page"), 1) - 1),
            ClientQuery.SIZES.contains(number(parameters.get("size"), DEFAULT_SIZE))
                ? number(parameters.get("size"), DEFAULT_SIZE)
                : DEFAULT_SIZE));
  }

  // A private key in the search field is neither searched for nor shown.
  private static String searchText(String text) {
    return KeyPreview.containsPrivateKey(text) ? "" : text;
  }

  public String status() {
    Status status = query.status();
    return status == null ? "" : status.name().toLowerCase(Locale.ROOT);
  }

  public String sort() {
    return word(query.sort());
  }

  public String direction() {
    return query.direction() == Direction.DESCENDING ? "desc" : "asc";
  }

  /** Returns the page sizes to choose from. */
  public List<Integer> sizes() {
    return ClientQuery.SIZES.stream().sorted().toList();
  }

  /** Returns the heading of a sortable column. */
  public Heading heading(String sort) {
    ClientSort by = sort(sort);
    boolean current = query.sort() == by;
    boolean ascending = query.direction() == Direction.ASCENDING;
    return new Heading(
        LABELS.getOrDefault(by, sort),
        sort,
        current ? (ascending ? "ascending" : "descending") : "none",
        current && ascending ? "desc" : "asc");
  }

  /**
   * Returns the numbers, counted from 1, of a page and of up to two pages on each side of it.
   *
   * @param number the number of the page, counted from 0
   * @param pages how many pages there are
   */
  public List<Integer> pagesNear(int number, int pages) {
    List<Integer> near = new ArrayList<>();
    for (int page = Math.max(0, number - 2); page <= Math.min(pages - 1, number + 2); page++) {
      near.add(page + 1);
    }
    return near;
  }

  /**
   * A heading.
   *
   * @param ariaSort how the table is sorted by this column now
   * @param next the sort direction after the next click
   */
  record Heading(String label, String sort, String ariaSort, String next) {}

  private static @Nullable Status status(@Nullable String word) {
    return switch (word == null ? "" : word) {
      case "enabled" -> Status.ENABLED;
      case "disabled" -> Status.DISABLED;
      default -> null;
    };
  }

  private static ClientSort sort(@Nullable String word) {
    for (ClientSort sort : ClientSort.values()) {
      if (word(sort).equals(word)) {
        return sort;
      }
    }
    return ClientSort.NAME;
  }

  private static String word(ClientSort sort) {
    return sort.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static int number(@Nullable String text, int fallback) {
    return text != null && text.matches("\\d{1,6}") ? Integer.parseInt(text) : fallback;
  }
}
