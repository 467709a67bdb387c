package dev.countersign.client;

import dev.countersign.pagination.PageLinks;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A list of a service, which may change between pages, and whose pages may be wrong. */
final class TestRows {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final List<Integer> ids;
  private final Map<Integer, Runnable> changes = new HashMap<>();
  private BiConsumer<Integer, ObjectNode> fault = (page, document) -> {};
  private boolean hasCursors;
  private int served;

  private TestRows(List<Integer> ids) {
    this.ids = new ArrayList<>(ids);
  }

  /** Creates rows with the ids from 1 to this number. */
  static TestRows upTo(int last) {
    return new TestRows(ids(1, last));
  }

  /** Creates rows with these ids. */
  static TestRows of(List<Integer> ids) {
    return new TestRows(ids);
  }

  static List<Integer> ids(int first, int last) {
    return IntStream.rangeClosed(first, last).boxed().toList();
  }

  /** Sets the change to the list after the first page. */
  TestRows changedAfterTheFirstPage(Consumer<List<Integer>> change) {
    return changedAfter(1, change);
  }

  /** Sets the change to the list after this number of pages. */
  TestRows changedAfter(int pages, Consumer<List<Integer>> change) {
    changes.put(pages, () -> change.accept(ids));
    return this;
  }

  /** Sets the faults of pages, by the number of pages served before. */
  TestRows withFault(BiConsumer<Integer, ObjectNode> fault) {
    this.fault = fault;
    return this;
  }

  /**
   * Offers cursors. The ids of the rows must be in ascending order, so that the cursor of a row
   * keeps its place when the row is gone.
   */
  TestRows withCursors() {
    hasCursors = true;
    return this;
  }

  synchronized Reply reply(ServedRequest request) {
    int size = parameter(request, "size");
    String after = text(request, "after");
    int passed = after == null ? parameter(request, "offset") : passed(after);
    ObjectNode document = page(after == null ? passed : place(after), passed, size);
    if ("none".equals(text(request, "totals"))) {
      document.remove(List.of("totalElements", "totalPages"));
    }
    fault.accept(served, document);
    changes.getOrDefault(++served, () -> {}).run();
    Reply reply = Reply.json(document.toString());
    return hasCursors && !document.path("last").asBoolean()
        ? reply.with("Link", link(document, passed, after != null))
        : reply;
  }

  private static String link(ObjectNode document, int passed, boolean byCursor) {
    JsonNode content = document.path("content");
    int last = content.path(content.size() - 1).path("id").asInt();
    return String.format(
        Locale.ROOT,
        "<https://api.example.com/rows?after=%d.%d&x=1>; rel=\"%s\"",
        last,
        passed + content.size(),
        byCursor ? "next" : PageLinks.CURSOR_RELATION);
  }

  /** A cursor is the id of a row, and the number of rows passed. */
  private static int passed(String cursor) {
    return cursor.isEmpty() ? 0 : Integer.parseInt(cursor.split("\\.")[1]);
  }

  private int place(String cursor) {
    int id = cursor.isEmpty() ? 0 : Integer.parseInt(cursor.split("\\.")[0]);
    return (int) ids.stream().takeWhile(before -> before <= id).count();
  }

  static int parameter(ServedRequest request, String name) {
    return Integer.parseInt(Objects.requireNonNull(text(request, name), name));
  }

  private static @Nullable String text(ServedRequest request, String name) {
    return Stream.of(request.query().split("&"))
        .filter(pair -> pair.startsWith(name + '='))
        .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
        .findFirst()
        .orElse(null);
  }

  ObjectNode page(int offset, int size) {
    return page(offset, offset, size);
  }

  private ObjectNode page(int place, int offset, int size) {
    List<Integer> on = ids.stream().skip(place).limit(size).toList();
    ObjectNode document = JSON.createObjectNode();
    on.forEach(id -> document.withArray("content").addObject().put("id", id));
    if (on.isEmpty()) {
      document.putArray("content");
    }
    document.putObject("pageable").put("offset", offset);
    document.put("last", place + size >= ids.size()).put("first", offset == 0);
    document.put("totalPages", (ids.size() + size - 1) / size).put("totalElements", ids.size());
    document.put("size", size).put("number", offset / size);
    return document.put("numberOfElements", on.size()).put("empty", on.isEmpty());
  }
}
