package dev.countersign.server.openapi;

import java.util.ArrayList;
import java.util.List;

/** The schemas that the pages of all listings share. */
final class PageSchemas {
  private PageSchemas() {}

  /**
   * Adds the shared schemas to the document's schemas.
   *
   * @param pageable whether page envelopes have the member {@code pageable}
   */
  static void addTo(Node schemas, boolean pageable) {
    schemas.with("SortState", sortState());
    if (pageable) {
      schemas.with("Pageable", pageable());
    }
    schemas.with("PageEnvelope", envelope(pageable));
  }

  private static Node sortState() {
    return all(
        "Whether the request asked for an order.",
        Node.empty().with("empty", bool()).with("sorted", bool()).with("unsorted", bool()));
  }

  private static Node pageable() {
    return all(
        "The requested page.",
        Node.empty()
            .with("pageNumber", count("The page's number, from 0."))
            .with("pageSize", count("The requested number of elements."))
            .with("sort", Node.ref("schemas/SortState"))
            .with(
                "offset",
                count(
                    "The number of elements before this page; with after, the number that the walk has"
                        + " passed."))
            .with("paged", bool())
            .with("unpaged", bool()));
  }

  private static Node envelope(boolean pageable) {
    Node members = Node.empty();
    if (pageable) {
      members.with("pageable", Node.ref("schemas/Pageable"));
    }
    members
        .with("last", bool().with("description", "True if no page follows this page."))
        .with("first", bool().with("description", "True if no page precedes this page."))
        .with(
            "totalPages",
            count("The total number of pages of this size; absent if the list is not counted."))
        .with(
            "totalElements",
            count("The total number of elements in the list; absent if the list is not counted."))
        .with("size", count("The requested number of elements."))
        .with("number", count("The page number, from 0; offset / size if the request has offset."))
        .with("sort", Node.ref("schemas/SortState"))
        .with("numberOfElements", count("The number of elements on this page."))
        .with("empty", bool().with("description", "True if the page has no elements."));
    Node envelope = all("The envelope of a page: all members except its records.", members);
    List<String> required = new ArrayList<>(members.map().keySet());
    // pageable is optional, so that clients still work if an operator turns it off later.
    required.removeAll(List.of("pageable", "totalPages", "totalElements"));
    return envelope.with("required", required);
  }

  private static Node all(String description, Node members) {
    return Node.type("object")
        .with("description", description)
        .with("required", List.copyOf(members.map().keySet()))
        .with("properties", members);
  }

  private static Node bool() {
    return Node.type("boolean");
  }

  private static Node count(String description) {
    return Node.type("integer")
        .with("format", "int64")
        .with("minimum", 0)
        .with("description", description);
  }
}
