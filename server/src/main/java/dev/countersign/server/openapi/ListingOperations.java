package dev.countersign.server.openapi;

import dev.countersign.pagination.PageRequest;
import dev.countersign.pagination.PageRules;
import dev.countersign.server.listings.Field;
import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.totals.TotalsMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The operations of a listing. */
final class ListingOperations {
  private final Listing listing;
  private final ListingSchemas schemas;

  ListingOperations(Listing listing) {
    this.listing = listing;
    this.schemas = new ListingSchemas(listing);
  }

  void addTo(Node paths) {
    Node collection = Node.of("get", list());
    if (listing.isCreatable()) {
      collection.put("post", create());
    }
    paths.put(listing.path(), collection);
    paths.put(listing.path() + "/{" + listing.key().name() + "}", Node.of("get", one()));
  }

  private Node list() {
    List<Object> parameters = pageParameters();
    parameters.addAll(SignatureHeaders.ofBodiless());
    Node responses = Node.of("200", answer("A page.", schemas.page(), List.of("Link")));
    ProblemSchemas.addTo(responses, 400, 401, 403, 408, 413, 415, 421, 429, 500, 503);
    return operation(
            "list", "A page of the collection.", listing.readPermission().toString(), parameters)
        .put("responses", responses);
  }

  private Node one() {
    Field key = listing.key();
    List<Object> parameters = new ArrayList<>();
    parameters.add(
        Node.of("name", key.name())
            .put("in", "path")
            .put("required", true)
            .put("schema", FieldSchema.ofPath(key)));
    parameters.addAll(SignatureHeaders.ofBodiless());
    Node responses = Node.of("200", answer("The record.", schemas.record(), List.of()));
    ProblemSchemas.addTo(responses, 400, 401, 403, 404, 408, 413, 415, 421, 429, 500, 503);
    return operation("get", "One record.", listing.readPermission().toString(), parameters)
        .put("responses", responses);
  }

  private Node create() {
    Node created =
        answer("The new record.", schemas.record(), List.of("Location", "Idempotency-Replayed"));
    Node responses = Node.of("201", created);
    ProblemSchemas.addTo(responses, 400, 401, 403, 408, 409, 413, 415, 421, 422, 429, 500, 503);
    String permission = listing.createPermission().toString();
    return operation("create", "A new record.", permission, SignatureHeaders.ofBody())
        .put(
            "requestBody",
            Node.of("required", true).put("content", json(Node.ref(schemas.create()))))
        .put("responses", responses);
  }

  private Node operation(String verb, String summary, String permission, List<Object> parameters) {
    Node operation =
        Node.of("operationId", verb + "." + schemas.name())
            .put("tags", List.of(listing.path().split("/", -1)[1]))
            .put("summary", summary)
            .put(
                "description",
                "Requires the permission " + permission + "." + scope() + lifecycle())
            .put("x-permission", permission);
    if (listing.deprecated() != null) {
      operation.put("deprecated", true);
    }
    return operation.put("parameters", parameters);
  }

  private String scope() {
    return listing.scope().isEmpty()
        ? ""
        : " Each client has access only to its own records: those whose "
            + String.join(" and ", listing.scope().keySet())
            + " has a value that the operator has assigned to the client.";
  }

  private String lifecycle() {
    String deprecated =
        listing.deprecated() == null ? "" : " Deprecated as of " + listing.deprecated() + ".";
    return listing.sunset() == null
        ? deprecated
        : deprecated + " Will be removed at " + listing.sunset() + ".";
  }

  private Node answer(String description, String schema, List<String> moreHeaders) {
    Node headers = Node.of("X-Request-Id", Node.ref("headers/X-Request-Id"));
    moreHeaders.forEach(name -> headers.put(name, Node.ref("headers/" + name)));
    if (listing.deprecated() != null) {
      headers.put("Deprecation", Node.ref("headers/Deprecation"));
    }
    if (listing.sunset() != null) {
      headers.put("Sunset", Node.ref("headers/Sunset"));
    }
    return Node.of("description", description)
        .put("headers", headers)
        .put("content", json(Node.ref(schema)));
  }

  static Node json(Node schema) {
    return Node.of("application/json", Node.of("schema", schema));
  }

  private List<Object> pageParameters() {
    PageRules rules = listing.pageRules();
    // A smaller size allows larger page numbers. This maximum is allowed with every size.
    long lastPage = PageRequest.MAXIMUM_OFFSET / rules.maximumSize();
    List<Object> parameters = new ArrayList<>();
    parameters.add(
        query("page", number(0, lastPage).put("default", 0), "The page number, from 0."));
    parameters.add(
        query(
            "size",
            number(1, rules.maximumSize()).put("default", rules.defaultSize()),
            "The maximum number of records on the page."));
    if (!rules.sortable().isEmpty()) {
      Node sorts = Node.type("array").put("items", sorts(rules.sortable()));
      parameters.add(
          query(
                  "sort",
                  sorts,
                  "The sort order. Can be repeated; the first one has the highest priority.")
              .put("style", "form")
              .put("explode", true));
    }
    parameters.add(
        query(
            "offset",
            number(0, PageRequest.MAXIMUM_OFFSET),
            "The position of the first record; used instead of page."));
    parameters.add(
        query(
            "after",
            Node.type("string"),
            "The cursor of a record, from a Link header: the page has the records that follow it."
                + " Empty for the start of the list. Excludes page and offset."));
    parameters.add(
        query(
            "totals",
            Node.type("string").put("enum", List.of("none")),
            "none leaves out totalElements, totalPages and the link to the last page, so that the"
                + " list is not counted."
                + ageOfTotals()));
    listing.filterable().forEach(filter -> addFilter(parameters, filter));
    return parameters;
  }

  private String ageOfTotals() {
    TotalsMode totals = listing.totals();
    if (!totals.isCounted()) {
      return " This list never has them.";
    }
    return totals
        .maximumAge()
        .map(age -> " They may be up to " + age.toSeconds() + " s old.")
        .orElse("");
  }

  private static void addFilter(List<Object> parameters, Listing.FilterableField filter) {
    Field field = filter.field();
    Node values =
        Node.type("array")
            .put("items", FieldSchema.ofFilter(field))
            .put("maxItems", Listing.FilterableField.MAXIMUM_VALUES);
    String several =
        filter.isCommaSeparated()
            ? " Separate several values by commas, or repeat the parameter."
            : " Repeat the parameter for several values.";
    parameters.add(
        query(field.name(), values, "Only records with one of these values." + several)
            .put("style", "form")
            .put("explode", true));
    for (String range : filter.ranges()) {
      parameters.add(query(range, FieldSchema.ofFilter(field), rangeDescription(range)));
    }
  }

  private static String rangeDescription(String name) {
    String comparison =
        switch (name.substring(name.lastIndexOf('.'))) {
          case ".gte" -> "equal to this value or after it";
          case ".gt" -> "after this value";
          case ".lte" -> "equal to this value or before it";
          default -> "before this value";
        };
    return "Only records whose value is " + comparison + ", in the order of the sort.";
  }

  private static Node sorts(Set<String> properties) {
    List<String> forms = new ArrayList<>();
    for (String property : new TreeSet<>(properties)) {
      forms.addAll(List.of(property, property + ",asc", property + ",desc"));
    }
    return Node.type("string").put("enum", forms);
  }

  private static Node query(String name, Node schema, String description) {
    return Node.of("name", name)
        .put("in", "query")
        .put("description", description)
        .put("schema", schema);
  }

  private static Node number(long least, long most) {
    return Node.type("integer").put("format", "int64").put("minimum", least).put("maximum", most);
  }
}
