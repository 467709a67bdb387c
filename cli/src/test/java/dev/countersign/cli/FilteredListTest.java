package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A service with 1,000 items, of which 250 are active. */
class FilteredListTest {
  private static final int ALL = 1_000;
  private static final int ACTIVE = 250;

  private final List<String> queries = new CopyOnWriteArrayList<>();
  private volatile int breaksAt = ALL;
  @TempDir private Path home;
  private FixedService service;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    service = FixedService.start(this::page);
    shell = service.shell(home);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  private String page(String query) {
    queries.add(query);
    int total = query.contains("status=ACTIVE") ? ACTIVE : ALL;
    int offset = Integer.parseInt(query.replaceAll(".*offset=", ""));
    int end = Math.min(offset + 100, total);
    if (offset >= breaksAt) {
      return "";
    }
    String items =
        IntStream.range(offset, end)
            .mapToObj(i -> "{\"id\":" + i + "}")
            .collect(Collectors.joining(","));
    return String.format(
        Locale.ROOT,
        """
        {"content":[%s],"last":%s,"first":%s,"totalPages":%d,"totalElements":%d,"size":100,
         "number":%d,"numberOfElements":%d,"empty":false,
         "sort":{"empty":true,"sorted":false,"unsorted":true}}
        """,
        items,
        end == total,
        offset == 0,
        (total + 99) / 100,
        total,
        offset / 100,
        end - offset);
  }

  private Run list(String... options) {
    return shell.run(
        Stream.concat(Stream.of("list", "/items", "--format", "jsonl"), Stream.of(options))
            .toArray(String[]::new));
  }

  @Test
  void where_repeated_sendsAlternativesAndRanges() {
    Run run =
        list(
            "--where",
            "status=ACTIVE",
            "--where=bookedAt.gte=2026-11-20T00:00:00+01:00",
            "--where",
            "status=FROZEN",
            "--where",
            "note=a=b, c & d",
            "--where",
            "amount.lt=-5",
            "--sort",
            "id");

    assertThat(run.code()).isZero();
    assertThat(queries)
        .containsExactly(
            "status=ACTIVE&status=FROZEN&note=a=b, c & d&bookedAt.gte=2026-11-20T00:00:00+01:00"
                + "&amount.lt=-5&sort=id,asc&size=100&offset=0");
  }

  @ParameterizedTest
  @CsvSource({"f.gte=1", "f.gt=1", "f.lte=1", "f.lt=1", "f=", "f=x.y", "f=page"})
  void where_ofEachKind_isTheParameterOfTheService(String filter) {
    assertThat(list("--where", filter).code()).isZero();
    assertThat(queries).containsExactly(filter + "&size=100&offset=0");
  }

  @Test
  void progress_ofAFilteredList_countsTheItemsFound() {
    shell.with(new TestTerminal());

    Run run = list("--all", "--where", "status=ACTIVE");

    assertThat(run.out()).hasLineCount(ACTIVE);
    assertThat(run.err()).contains("100 of 250 items").contains("1 of 3 pages");
  }

  @Test
  void where_withoutAll_saysHowManyFilteredItemsFollow() {
    assertThat(list("--where", "status=ACTIVE").err()).contains("100 items printed, 150 follow");
  }

  @Test
  void where_listThatBreaks_isResumedWithTheSameFilters() {
    breaksAt = 200;
    String filters = "status=ACTIVE&note=it's&amount.gte=5&size=100&offset=";

    Run begun =
        list(
            "--all", "--where", "status=ACTIVE", "--where", "note=it's", "--where", "amount.gte=5");

    assertThat(begun.code()).isEqualTo(3);
    assertThat(begun.err())
        .endsWith(
            "\nresume with: countersign list /items --all --where status=ACTIVE"
                + " --where 'note=it'\\''s' --where amount.gte=5 --offset 200 --format jsonl\n");

    breaksAt = ALL;
    Run rest =
        list(
            "--all",
            "--where",
            "status=ACTIVE",
            "--where",
            "note=it's",
            "--where",
            "amount.gte=5",
            "--offset",
            "200");
    assertThat(rest.out()).hasLineCount(ACTIVE - 200);
    assertThat(queries).contains(filters + 0).endsWith(filters + 200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "status | --where: 'status' must be FIELD=VALUE or, for a range, FIELD.gte=VALUE,"
            + " FIELD.gt=VALUE, FIELD.lte=VALUE or FIELD.lt=VALUE; see countersign list --help",
        "amount.ge=5 | --where: 'amount.ge=5' must be FIELD=VALUE or, for a range, FIELD.gte=",
        "a.b.gte=5 | --where: 'a.b.gte=5' must be FIELD=VALUE",
        "amount>=5 | --where: 'amount>=5' must be FIELD=VALUE or, for a range",
        "=5 | --where: '=5' must be FIELD=VALUE",
        ".gte=5 | --where: '.gte=5' must be FIELD=VALUE",
        "sort=id | --where: 'sort' is a parameter for paging, not a field; use --sort;",
        "page.gte=1 | --where: 'page' is a parameter for paging, not a field; use --page;",
        "size=1 | --where: 'size' is a parameter for paging, not a field; use --size;",
        "offset=1 | --where: 'offset' is a parameter for paging, not a field; use --offset;",
        "after=x | --where: 'after' is a parameter for paging, not a field; use --after;",
        "totals=none | --where: 'totals' is a parameter for paging, not a field; use --no-totals;",
      })
  void where_mistyped_exits2WithTheRule(String filter, String message) {
    Run run = list("--where", filter);

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: " + message).hasLineCount(1);
    assertThat(queries).isEmpty();
  }

  @Test
  void where_boundTwiceOrTooManyValues_isAUsageError() {
    assertThat(list("--where", "amount.gte=5", "--where", "amount.gte=6").err())
        .startsWith("usage: amount.gte is given twice; ");
    assertThat(
            list(IntStream.range(0, 51)
                    .boxed()
                    .flatMap(i -> Stream.of("--where", "id=" + i))
                    .toArray(String[]::new))
                .err())
        .startsWith("usage: id must have 1 to 50 values, has 51");
  }
}
