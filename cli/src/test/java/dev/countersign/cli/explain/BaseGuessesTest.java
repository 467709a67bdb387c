package dev.countersign.cli.explain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BaseGuessesTest {
  private static final int MAX_TRIED = 310_000;

  private static BaseGuesses of(String uri, int hosts) {
    EditableBase base =
        EditableBase.of(
            "\"@method\": GET\n\"@target-uri\": "
                + uri
                + "\n\"@signature-params\": (\"@method\" \"@target-uri\");created=1795201375");
    Set<String> names =
        IntStream.range(0, hosts)
            .mapToObj(i -> "host" + i + ".example")
            .collect(Collectors.toCollection(LinkedHashSet::new));
    return new BaseGuesses(base, new UriGuesses(Set.of(), names, Set.of()), new byte[0]);
  }

  private static int tried(BaseGuesses guesses) {
    AtomicInteger tried = new AtomicInteger();
    assertThat(guesses.find(text -> tried.incrementAndGet() < 0)).isEmpty();
    return tried.get();
  }

  @Test
  void guesses_ofManyHostsSlashesAndParameters_areBounded() {
    String uri = "https://api.example.com" + "/path".repeat(150) + "?a=1&b=2&c=3&d=4&e=5";

    assertThat(tried(of(uri, 60))).isBetween(1000, MAX_TRIED);
  }

  @Test
  void guesses_ofALongUri_areFew() {
    String uri = "https://api.example.com/?" + "a=,b&".repeat(3200);

    assertThat(tried(of(uri, 8))).isBetween(10, 20_000);
    assertThat(tried(of(uri.repeat(50), 8))).isLessThan(10);
  }

  @Test
  void guess_withSeveralChanges_isFound() {
    String meant = "http://host3.example/path?a=1";
    BaseGuesses guesses = of("https://api.example.com/api/path/?a=1", 8);

    assertThat(guesses.find(text -> text.contains(meant.replace("/path", "/path/")))).isPresent();
  }
}
