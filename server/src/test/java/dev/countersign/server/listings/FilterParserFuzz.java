package dev.countersign.server.listings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.pagination.PageParameterException;
import dev.countersign.pagination.PageRequest;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fuzz target for Jazzer: the filters and the cursor of a query. Each query is refused for a
 * parameter, or finds a page on both databases. {@code server/fuzz} runs it.
 */
public final class FilterParserFuzz {
  private static final List<ListingStore> STORES =
      Arrays.stream(TestStore.values()).map(FilterParserFuzz::things).toList();

  private FilterParserFuzz() {}

  private static ListingStore things(TestStore store) {
    try {
      Path directory = Files.createTempDirectory("fuzz");
      Database database = store.open(directory);
      return new ListingStore(
          HostileFilterTest.things(database, store, directory).listing, database, new Totals());
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  public static void fuzzerTestOneInput(byte[] input) {
    STORES.forEach(store -> search(store, new String(input, UTF_8)));
  }

  private static void search(ListingStore store, String query) {
    Listing listing = store.listing();
    try (JsonGenerator json = JsonMapper.shared().createGenerator(new StringWriter())) {
      json.writeStartArray();
      PageRequest request = PageRequest.parse(query, listing.pageRules());
      ListingStore.Question question =
          store.question(request, listing.filters().parse(request.parameters()));
      store.page(Calls.scope(listing, Map.of()), question, () -> json);
      json.writeEndArray();
    } catch (PageParameterException refused) {
      // As it must be.
    }
  }
}
