package dev.countersign.server.listings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.pagination.PageParameterException;
import dev.countersign.pagination.PageRequest;
import dev.countersign.server.listings.cursors.ListCursor;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.TestStore;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
    STORES.forEach(store -> search(store, withCursor(store, input)));
  }

  /** A query with a cursor of these bytes, which belongs to the list. */
  private static String withCursor(ListingStore store, byte[] input) {
    String sort = input.length % 2 == 0 ? "sort=note" : "sort=price,desc";
    PageRequest request = PageRequest.parse(sort, store.listing().pageRules());
    List<@Nullable Object> values = new ArrayList<>();
    ByteBuffer rest = ByteBuffer.wrap(input);
    while (values.isEmpty() || (rest.remaining() > Long.BYTES && values.size() < 3)) {
      values.add(rest.hasRemaining() ? value(rest.get(), rest) : null);
    }
    ListCursor cursor = new ListCursor(1 + input.length, values);
    return sort + "&after=" + cursor.token(store.requestedPage(request, Filters.NONE).binding());
  }

  private static @Nullable Object value(byte kind, ByteBuffer rest) {
    return switch (kind & 7) {
      case 0 -> null;
      case 1 -> rest.remaining() < Long.BYTES ? Long.valueOf(kind) : (Object) rest.getLong();
      case 2 -> rest.remaining() < Long.BYTES ? Double.valueOf(kind) : (Object) rest.getDouble();
      case 3 -> bytes(rest);
      case 4 -> "1";
      default -> new String(bytes(rest), UTF_8);
    };
  }

  private static byte[] bytes(ByteBuffer rest) {
    byte[] bytes = new byte[rest.remaining() / 2];
    rest.get(bytes);
    return bytes;
  }

  private static void search(ListingStore store, String query) {
    Listing listing = store.listing();
    try (JsonGenerator json = JsonMapper.shared().createGenerator(new StringWriter())) {
      json.writeStartArray();
      PageRequest request = PageRequest.parse(query, listing.pageRules());
      ListingStore.RequestedPage requested =
          store.requestedPage(request, listing.filters().parse(request.parameters()));
      store.page(Calls.scope(listing, Map.of()), requested, () -> json);
      json.writeEndArray();
    } catch (PageParameterException refused) {
      // As it must be.
    }
  }
}
