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
    schemas.put("SortState", sortState());
    if (pageable) {
      schemas.put("Pageable", pageable());
    }
    schemas.put("PageEnvelope", envelope(pageable));
  }

  private static Node sortState() {
    return object(
        "Whether the request asked for an order.",
        Node.empty().put("empty", bool()).put("sorted", bool()).put("unsorted", bool()));
  }

  private static Node pageable() {
    return object(
        "The requested page.",
        Node.empty()
            .put("pageNumber", count("The page's number, from 0."))
            .put("pageSize", count("The requested number of elements."))
            .put("sort", Node.ref("schemas/SortState"))
            .put(
                "offset",
                count(
                    "The number of elements before this page; with after, the number that the walk has"
                        + " passed."))
            .put("paged", bool())
            .put("unpaged", bool()));
  }

  private static Node envelope(boolean pageable) {
    Node members = Node.empty();
    if (pageable) {
      members.put("pageable", Node.ref("schemas/Pageable"));
    }
    members
        .put("last", bool().put("description", "True if no page follows this page."))
        .put("first", bool().put("description", "True if no page precedes this page."))
        .put(
            "totalPages",
            count("The total number of pages of this size; absent if the list is not counted."))
        .put(
            "totalElements",
            count("The total number of elements in the list; absent if the list is not counted."))
        .put("size", count("The requested number of elements."))
        .put("number", count("The page number, from 0; offset / size if the request has offset."))
        .put("sort", Node.ref("schemas/SortState"))
        .put("numberOfElements", count("The number of elements on this page."))
        .put("empty", bool().put("description", "True if the page has no elements."));
    Node envelope = object("The envelope of a page: all members except its records.", members);
    List<String> required = new ArrayList<>(members.map().keySet());
    // pageable is optional, so that clients still work if an operator turns it off later.
    required.removeAll(List.of("pageable", "totalPages", "totalElements"));
    return envelope.put("required", required);
  }

  private static Node object(String description, Node members) {
    return Node.type("object")
        .put("description", description)
        .put("required", List.copyOf(members.map().keySet()))
        .put("properties", members);
  }

  private static Node bool() {
    return Node.type("boolean");
  }

  private static Node count(String description) {
    return Node.type("integer")
        .put("format", "int64")
        .put("minimum", 0)
        .put("description", description);
  }
}
