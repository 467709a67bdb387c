package dev.countersign.client;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** A list of a service, which may change between pages, and whose pages may be wrong. */
final class TestRows {
  private static final JsonMapper JSON = JsonMapper.shared();

  private final List<Integer> ids;
  private final Map<Integer, Runnable> changes = new HashMap<>();
  private BiConsumer<Integer, ObjectNode> fault = (page, document) -> {};
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

  synchronized Reply reply(ServedRequest request) {
    int size = parameter(request, "size");
    int offset = parameter(request, "offset");
    ObjectNode document = page(offset, size);
    fault.accept(served, document);
    changes.getOrDefault(++served, () -> {}).run();
    return Reply.json(document.toString());
  }

  static int parameter(ServedRequest request, String name) {
    return Stream.of(request.query().split("&"))
        .filter(pair -> pair.startsWith(name + '='))
        .map(pair -> URLDecoder.decode(pair.substring(name.length() + 1), StandardCharsets.UTF_8))
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElseThrow();
  }

  ObjectNode page(int offset, int size) {
    List<Integer> on = ids.stream().skip(offset).limit(size).toList();
    ObjectNode document = JSON.createObjectNode();
    on.forEach(id -> document.withArray("content").addObject().put("id", id));
    if (on.isEmpty()) {
      document.putArray("content");
    }
    document.putObject("pageable").put("offset", offset);
    document.put("last", offset + size >= ids.size()).put("first", offset == 0);
    document.put("totalPages", (ids.size() + size - 1) / size).put("totalElements", ids.size());
    document.put("size", size).put("number", offset / size);
    return document.put("numberOfElements", on.size()).put("empty", on.isEmpty());
  }
}
