package dev.countersign.pagination;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Compares every walk over every small list to lists that are cut naively. */
class WalkTest {
  private static final String BASE = "https://api.example.com/v1/numbers";

  static IntStream sizes() {
    return IntStream.rangeClosed(1, 9);
  }

  /** The elements that a list of this total has on a page, element by element. */
  private static List<Integer> naive(int total, long offset, int size) {
    List<Integer> elements = new ArrayList<>();
    for (int element = 0; element < total; element++) {
      if (element >= offset && element < offset + size) {
        elements.add(element);
      }
    }
    return elements;
  }

  private static List<Integer> all(int total) {
    return naive(total, 0, Integer.MAX_VALUE);
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void pages_walkedByNumber_visitEachElementOnce(int size) {
    for (int total = 0; total <= 40; total++) {
      List<Integer> visited = new ArrayList<>();
      long number = 0;
      Page<Integer> page;
      do {
        page = read("page=" + number + "&size=" + size, total);
        assertThat(page.envelope().number()).isEqualTo(number);
        visited.addAll(page.content());
        number++;
      } while (!page.envelope().last());
      assertThat(visited).isEqualTo(all(total));
      assertThat(page.envelope().totalPages()).hasValue(total == 0 ? 0 : number);
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void envelope_everyOffset_agreesWithTheNaiveList(int size) {
    for (int total = 0; total <= 40; total++) {
      for (int offset = 0; offset <= total + 2 * size; offset++) {
        PageEnvelope envelope = read("offset=" + offset + "&size=" + size, total).envelope();
        List<Integer> content = naive(total, offset, size);
        List<Integer> before = naive(total, 0, offset);
        List<Integer> after = naive(total, offset + size, Integer.MAX_VALUE);
        assertThat(envelope.first()).isEqualTo(offset == 0);
        assertThat(envelope.last()).isEqualTo(after.isEmpty());
        assertThat(envelope.empty()).isEqualTo(content.isEmpty());
        assertThat(envelope.numberOfElements()).isEqualTo(content.size());
        assertThat(envelope.number()).isEqualTo((int) Math.floor((double) offset / size));
        assertThat(envelope.totalPages()).hasValue((int) Math.ceil((double) total / size));
        if (offset <= total) {
          assertThat(before.size() + content.size() + after.size()).isEqualTo(total);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void next_fromEveryOffset_visitsTheRestOnceAndEndsAtLast(int size) {
    for (int total = 0; total <= 25; total++) {
      for (int offset = 0; offset <= total + size; offset++) {
        String uri = BASE + "?offset=" + offset + "&size=" + size;
        String last = links(uri, total).last().orElseThrow();
        List<String> walk = walk(uri, total, PageLinks::next);
        assertThat(elements(walk, total))
            .isEqualTo(naive(total, offset, Integer.MAX_VALUE - offset));
        if (offset < total) {
          assertThat(walk.get(walk.size() - 1)).isEqualTo(last);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void next_fromFirst_visitsAll(int size) {
    for (int total = 0; total <= 40; total++) {
      String first = links(BASE + "?size=" + size, total).first();
      assertThat(elements(walk(first, total, PageLinks::next), total)).isEqualTo(all(total));
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void prev_fromEveryOffset_missesNothingAndEndsAtFirst(int size) {
    for (int total = 0; total <= 25; total++) {
      for (int offset = 0; offset <= total + size; offset++) {
        String uri = BASE + "?size=" + size + "&offset=" + offset;
        List<String> walk = walk(uri, total, PageLinks::prev);
        assertThat(walk.get(walk.size() - 1)).isEqualTo(links(uri, total).first());
        assertThat(elements(walk, total)).containsAll(naive(total, 0, offset));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("sizes")
  void prev_fromEveryPage_visitsEachElementBeforeOnce(int size) {
    for (int total = 0; total <= 40; total++) {
      for (int number = 0; number * size < total + size; number++) {
        String uri = BASE + "?size=" + size + "&page=" + number;
        List<String> walk = walk(uri, total, PageLinks::prev);
        assertThat(elements(walk, total))
            .containsExactlyInAnyOrderElementsOf(naive(total, 0, (number + 1) * size));
      }
    }
  }

  private static Page<Integer> read(String query, int total) {
    PageRequest request = PageRequest.parse(query, PageRules.defaults());
    return Page.of(request, total, naive(total, request.offset(), request.size()));
  }

  private static PageLinks links(String uri, int total) {
    String query = URI.create(uri).getRawQuery();
    PageRequest request = PageRequest.parse(query, PageRules.defaults());
    return PageLinks.of(uri, request, PageEnvelope.of(request, total, 0));
  }

  private static List<String> walk(
      String from, int total, Function<PageLinks, Optional<String>> step) {
    List<String> visited = new ArrayList<>();
    Optional<String> uri = Optional.of(from);
    while (uri.isPresent()) {
      visited.add(uri.get());
      assertThat(visited).as("a walk that ends").hasSizeLessThan(100);
      uri = step.apply(links(uri.get(), total));
    }
    return visited;
  }

  private static List<Integer> elements(List<String> walk, int total) {
    return walk.stream()
        .flatMap(uri -> read(URI.create(uri).getRawQuery(), total).content().stream())
        .toList();
  }
}
