package dev.countersign.server.listings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.countersign.server.access.TestCaller;
import dev.countersign.server.access.directory.AttributeProperties;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.Attributes;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import java.io.UnsupportedEncodingException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** One listing with its routes, and clients with any attributes. */
final class ListingBench {
  private static final Map<String, AttributeProperties> ATTRIBUTES =
      Map.of(
          "customerId", new AttributeProperties("text", true),
          "branch", new AttributeProperties("integer", true),
          "owner", new AttributeProperties("uuid", true));

  final Listing listing;
  private final ListingRoutes routes;

  ListingBench(Database database, ListingProperties definition) {
    this(database, check(database, definition));
  }

  ListingBench(Database database, ListingCatalog catalog) {
    this(database, catalog, new Totals());
  }

  ListingBench(Database database, ListingCatalog catalog, Totals totals) {
    listing = catalog.all().getFirst();
    routes =
        new ListingRoutes(
            catalog,
            database,
            Calls.replayGuard(database),
            new ListingSettings(
                new PaginationProperties(PaginationProperties.Pageable.SEND),
                Clock.systemUTC(),
                UUID::randomUUID,
                totals));
  }

  static ListingCatalog check(Database database, ListingProperties definition) {
    return ListingCatalog.create(List.of(definition), Attributes.parse(ATTRIBUTES), database);
  }

  static ListingCatalog check(Database database, List<ListingProperties> definitions) {
    return ListingCatalog.create(definitions, Attributes.parse(ATTRIBUTES), database);
  }

  /** The attribute customerId with these values. */
  static Map<String, AttributeValue> customers(Object... values) {
    return Map.of("customerId", new AttributeValue.Values(List.of(values)));
  }

  static Map<String, AttributeValue> everyone() {
    return Map.of("customerId", new AttributeValue.Everything());
  }

  MockHttpServletResponse get(Map<String, AttributeValue> client, String more) {
    return answer(request(client, "GET", more, ""));
  }

  MockHttpServletResponse post(Map<String, AttributeValue> client, String body) {
    return answer(request(client, "POST", "", body));
  }

  /** The page as JSON. */
  JsonNode page(Map<String, AttributeValue> client, String query) {
    return json(get(client, query));
  }

  /** The ids on a page, separated by blanks, and the total, or none. */
  String ids(Map<String, AttributeValue> client, String query) {
    return ids(page(client, query));
  }

  /** The same for the client with this clientId, which has no attributes. */
  String ids(String clientId, String query) {
    String target = listing.path() + query;
    return ids(json(answer(Calls.get(clientId, target, listing.readPermission().toString()))));
  }

  private static String ids(JsonNode page) {
    StringBuilder ids = new StringBuilder();
    page.get("content").forEach(row -> ids.append(row.get("id").asString()).append(' '));
    return ids + "of " + page.path("totalElements").asString("none");
  }

  /** The query of a link with its question mark; null if there is no such link. */
  static String link(MockHttpServletResponse answer, String relation) {
    Matcher link =
        Pattern.compile("<[^?>]*([^>]*)>; rel=\"" + Pattern.quote(relation) + "\"")
            .matcher(Objects.requireNonNull(answer.getHeader("Link")));
    return link.find() ? link.group(1) : null;
  }

  static JsonNode json(MockHttpServletResponse answer) {
    try {
      return JsonMapper.shared().readTree(answer.getContentAsString());
    } catch (UnsupportedEncodingException e) {
      throw new AssertionError(e);
    }
  }

  Denial refusal(Map<String, AttributeValue> client, String method, String more, String body) {
    return refusal(request(client, method, more, body));
  }

  Denial refusal(TestCaller.Call request) {
    DeniedException denied = catchThrowableOfType(DeniedException.class, () -> answer(request));
    assertThat(denied).as("a refusal").isNotNull();
    return denied.denial();
  }

  TestCaller.Call request(
      Map<String, AttributeValue> client, String method, String more, String body) {
    return Calls.signed(
        method,
        listing.path() + more,
        body,
        client,
        listing.readPermission().toString(),
        listing.createPermission().toString());
  }

  MockHttpServletResponse answer(TestCaller.Call request) {
    return request.answer(routes);
  }
}
