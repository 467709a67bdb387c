package dev.countersign.benchmarks;

import dev.countersign.pagination.PageLinks;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Times pages of three lists that differ in their number of records: by number and by cursor, with
 * each kind of total, in each sort, beside the same pages of a service that uses Spring Data JPA.
 *
 * <p>The requests of a group are called in turn in random order, so that other load on the machine
 * affects all of them; the slow ones are called less often. The first of a group is the yardstick:
 * the first page of the smallest list, with an exact total, in the same sort.
 */
public final class ListTimes {
  private static final String CUSTOMER = "customer-0";
  private static final String FILTER = "&status=SETTLED";
  private static final String ASCENDING = ",asc";
  private static final List<String> LISTS = List.of("small", "medium", "large");
  private static final List<String> SORTS =
      List.of("id", "number", "amount", "reference", "bookedAt");
  private static final String EXACT = "page exact";
  private static final String CACHED = "page cached";
  private static final String NONE = "page none";
  private static final String CURSOR = "cursor none";
  private static final int PAGE = 20;
  private static final int STEP_OF_WALK = 100;
  // Farther into a list with a filter, SQLite reads a page by number for longer than the 10 s that
  // a request may take.
  private static final int FAR = 100_000;
  private static final int STEPS_BETWEEN_YARDSTICKS = 50;
  private static final int PARTS = 10;
  private static final int WARM_UP = 1_500;
  private static final int ATTEMPTS = 3;
  private static final int MIN_CALLS = 3;
  private static final int MAX_CALLS = 200;
  private static final int SEED = 20_261_129;
  private static final Pattern TOTAL = Pattern.compile("\"totalElements\":(\\d+)");
  private static final Pattern RECORD =
      Pattern.compile("\"id\":(\\d+),\"number\":\"(P\\d+)\"(?!.*\"number\":\"P)", Pattern.DOTALL);
  private static final Pattern LINK = Pattern.compile("(?im)^link: (.*)$");
  private static final Pattern COUNT = Pattern.compile("\"numberOfElements\":(\\d+)");

  private final TimedCalls service;
  private final TimedCalls springData;
  private final Output output;
  private final double seconds;
  private final Random random = new Random(SEED);

  private ListTimes(TimedCalls service, TimedCalls springData, Output output, double seconds) {
    this.service = service;
    this.springData = springData;
    this.output = output;
    this.seconds = seconds;
  }

  /**
   * Prints the times, and appends them to a file as tab-separated values.
   *
   * @param args the service's URL, the clientId, the file of its private key, the URL of the
   *     service that uses Spring Data, the name of the database, the seconds for which each request
   *     of a group is repeated, the file
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 7) {
      throw new IllegalArgumentException(
          "give URL, clientId, private key file, URL of Spring Data, database, seconds, file");
    }
    try (TimedCalls service = new TimedCalls(args[0], args[1], Path.of(args[2]));
        TimedCalls springData = new TimedCalls(args[3])) {
      Output output = new Output(args[4], Path.of(args[6]));
      ListTimes times = new ListTimes(service, springData, output, Double.parseDouble(args[5]));
      times.warmUp();
      times.firstPages();
      times.positions("id");
      times.positions("number");
      times.sorts();
      times.walk();
    }
  }

  /** The name of the database, and the file to which its times are appended. */
  private record Output(String database, Path file) {}

  /** The part, sort and position that the requests of a group share. */
  private record Group(String part, String sort, double position) {}

  /** A request of a group. */
  private record Timed(String list, String what, TimedCalls calls, String target) {}

  private Timed ours(String list, String what, String query) {
    return new Timed(list, what, service, "/ledger/v1/" + list + query);
  }

  private Timed theirs(String list, String what, String query) {
    return new Timed(
        list, what, springData, "/" + list + "/" + what + query + "&customer=" + CUSTOMER);
  }

  private static String size(String query) {
    return "?size=" + PAGE + query;
  }

  private static String sort(String sort) {
    return "&sort=" + sort;
  }

  private static String theirSort(String field, String direction) {
    return sort(field + direction) + (field.equals("id") ? "" : sort("id" + direction));
  }

  private Timed yardstick(String query) {
    return ours("small", EXACT, size(query));
  }

  private Timed cursor(String list, String sorted, String after) {
    return ours(list, CURSOR, size(sorted + "&totals=none&after=" + after));
  }

  private void warmUp() throws IOException {
    for (int i = 0; i < WARM_UP; i++) {
      call(yardstick("&page=" + i % 2));
      call(cursor("small", "", ""));
      call(theirs("small", "page", size("&page=" + i % 2 + theirSort("number", ASCENDING))));
      call(theirs("small", "window", size(theirSort("number", ASCENDING))));
    }
  }

  private void firstPages() throws IOException {
    List<Timed> requests = new ArrayList<>(List.of(yardstick("")));
    for (String list : LISTS) {
      requests.add(ours(list, EXACT, size("")));
      requests.add(ours(list + "-cached", CACHED, size("")));
      requests.add(ours(list, NONE, size("&totals=none")));
      requests.add(cursor(list, "", ""));
      requests.add(theirs(list, "page", size(theirSort("id", ASCENDING))));
      requests.add(theirs(list, "window", size(theirSort("id", ASCENDING))));
    }
    compare(new Group("first", "id,asc", 0), requests);
  }

  /**
   * Compares pages by number and by cursor, at eleven positions of the largest list and at three of
   * each other list.
   */
  private void positions(String field) throws IOException {
    String sorted = sort(field + ASCENDING);
    String theirSort = theirSort(field, ASCENDING);
    for (String list : LISTS) {
      long total = total(list, "");
      int parts = list.equals("large") ? PARTS : 2;
      for (int part = 0; part <= parts; part++) {
        long page = Math.min(total * part / parts, total - PAGE) / PAGE;
        String number = size(sorted + "&page=" + page);
        String after = "";
        String key = "";
        if (page > 0) {
          after = cursorOf(list, sorted, page);
          Matcher last = match(RECORD);
          key = "&id=" + last.group(1) + "&number=" + last.group(2);
        }
        compare(
            new Group("position", field + ASCENDING, (double) part / parts),
            List.of(
                yardstick(sorted),
                ours("small", NONE, size(sorted + "&totals=none")),
                cursor("small", sorted, ""),
                ours(list, EXACT, number),
                ours(list + "-cached", CACHED, number),
                ours(list, NONE, number + "&totals=none"),
                cursor(list, sorted, after),
                theirs(list, "page", size(theirSort + "&page=" + page)),
                theirs(list, "window", size(theirSort + key))));
      }
    }
  }

  private void sorts() throws IOException {
    for (String field : SORTS) {
      for (String direction : List.of(ASCENDING, ",desc")) {
        for (String filter : List.of("", FILTER)) {
          String query = sort(field + direction) + filter;
          String theirs = size(theirSort(field, direction) + filter);
          List<Timed> requests =
              new ArrayList<>(List.of(yardstick(query), cursor("small", query, "")));
          for (String list : LISTS) {
            long far = Math.min(total(list, filter) / 2, FAR) / PAGE;
            requests.add(ours(list, EXACT, size(query)));
            requests.add(ours(list + "-cached", CACHED, size(query)));
            requests.add(ours(list, NONE, size(query + "&totals=none")));
            requests.add(cursor(list, query, cursorOf(list, query, far)));
            requests.add(theirs(list, "page", theirs));
            if (!field.equals("reference")) {
              requests.add(theirs(list, "window", theirs));
            }
          }
          compare(new Group("sort", field + direction + filter, 0), requests);
        }
      }
    }
  }

  /**
   * Reads every record of the largest list by cursor. Prints the times of the steps in each tenth,
   * and their ratio to the first step of the smallest list, which is timed in between.
   */
  private void walk() throws IOException {
    String query = "?size=" + STEP_OF_WALK + "&totals=none&sort=number&after=";
    Timed yardstick = ours("small", "", query);
    long total = total("large", "");
    int tenth = (int) Math.max(1, total / STEP_OF_WALK / PARTS);
    System.out.printf(
        Locale.ROOT,
        "%n%s, a walk of %d records in steps of %d%n%-8s %12s %12s %12s %8s %8s%n",
        output.database(),
        total,
        STEP_OF_WALK,
        "tenth",
        "median us",
        "p99 us",
        "slowest us",
        "ratio",
        "p99");
    long walked = 0;
    String after = "";
    for (int part = 1; !after.isEmpty() || part == 1; part++) {
      List<Double> steps = new ArrayList<>();
      List<Double> first = new ArrayList<>();
      do {
        if (steps.size() % STEPS_BETWEEN_YARDSTICKS == 0) {
          first.add(call(yardstick));
        }
        steps.add(call(ours("large", "", query + after)));
        walked += Long.parseLong(match(COUNT).group(1));
        after = cursor(service.answer(), "next").orElse("");
      } while (!after.isEmpty() && steps.size() < tenth);
      double[] all = sorted(steps);
      double[] small = sorted(first);
      System.out.printf(
          Locale.ROOT,
          "%-8d %12.0f %12.0f %12.0f %8.2f %8.2f%n",
          part,
          quantile(all, 0.5),
          quantile(all, 0.99),
          all[all.length - 1],
          quantile(all, 0.5) / quantile(small, 0.5),
          quantile(all, 0.99) / quantile(small, 0.99));
    }
    if (walked != total) {
      throw new IOException("the walk must have " + total + " records, had " + walked);
    }
  }

  private long total(String list, String filter) throws IOException {
    call(ours(list + "-cached", "", "?size=1" + filter));
    return Long.parseLong(match(TOTAL).group(1));
  }

  private Matcher match(Pattern pattern) throws IOException {
    Matcher matcher = pattern.matcher(service.answer());
    if (!matcher.find()) {
      throw new IOException("there is no " + pattern + " in " + service.answer());
    }
    return matcher;
  }

  /** Returns the cursor of a page, from the page before it. */
  private String cursorOf(String list, String query, long page) throws IOException {
    callFirst(ours(list, "", size(query + "&totals=none&page=" + (page - 1))));
    return cursor(service.answer(), PageLinks.CURSOR_RELATION)
        .orElseThrow(() -> new IOException("there is no cursor in " + service.answer()));
  }

  /** Returns the cursor of the records that follow in the list; empty if none do. */
  static Optional<String> cursor(String answer, String relation) {
    String head = answer.substring(0, answer.indexOf("\r\n\r\n"));
    return PageLinks.cursor(
        LINK.matcher(head).results().map(link -> link.group(1)).toList(), relation);
  }

  /**
   * Makes the first call of a request. A page far into a list may not be in any cache yet, and the
   * service refuses a request that takes longer than 10 s, so the call is tried again.
   */
  private static void callFirst(Timed request) throws IOException {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        call(request);
        return;
      } catch (IOException refused) {
        System.out.println("again, after a refusal: " + request.target());
      }
    }
    call(request);
  }

  /** Returns the microseconds of a call. */
  private static double call(Timed request) throws IOException {
    return request.calls().call(request.calls().get(request.target()), 200) / 1e3;
  }

  private void compare(Group group, List<Timed> requests) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "%n%s, %s, sort=%s, position %.1f%n",
        output.database(),
        group.part(),
        group.sort(),
        group.position());
    List<List<Double>> times = new ArrayList<>();
    List<Integer> pending = new ArrayList<>();
    for (Timed request : requests) {
      callFirst(request);
      pending.add(times.size());
      times.add(new ArrayList<>());
    }
    while (!pending.isEmpty()) {
      Collections.shuffle(pending, random);
      for (int i : pending) {
        times.get(i).add(call(requests.get(i)));
      }
      pending.removeIf(i -> isEnough(times.get(i)));
    }
    print(group, requests, times.stream().map(ListTimes::sorted).toList());
  }

  private boolean isEnough(List<Double> times) {
    double sum = times.stream().mapToDouble(time -> time).sum();
    return times.size() >= MAX_CALLS || (times.size() >= MIN_CALLS && sum >= seconds * 1e6);
  }

  private void print(Group group, List<Timed> requests, List<double[]> times) throws IOException {
    System.out.printf(
        Locale.ROOT,
        "%-14s %-20s %6s %11s %11s %8s %8s%n",
        "list",
        "request",
        "calls",
        "median us",
        "p90 us",
        "ratio",
        "of kind");
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < requests.size(); i++) {
      Timed request = requests.get(i);
      double median = quantile(times.get(i), 0.5);
      double ratio = median / quantile(times.getFirst(), 0.5);
      String label = (request.calls() == springData ? "Spring Data " : "") + request.what();
      System.out.printf(
          Locale.ROOT,
          "%-14s %-20s %6d %11.0f %11.0f %8.2f %8s%n",
          request.list(),
          label,
          times.get(i).length,
          median,
          quantile(times.get(i), 0.9),
          ratio,
          ratioOfKind(requests, times, i));
      lines.add(
          String.join(
              "\t",
              output.database(),
              group.part(),
              group.sort(),
              Double.toString(group.position()),
              request.list(),
              label,
              Integer.toString(times.get(i).length),
              Double.toString(median),
              Double.toString(ratio)));
    }
    Files.write(output.file(), lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** Returns the ratio to the same kind of request of the smallest list; "-" if it has none. */
  private static String ratioOfKind(List<Timed> requests, List<double[]> times, int index) {
    Timed request = requests.get(index);
    for (int i = 0; i < requests.size(); i++) {
      Timed other = requests.get(i);
      if (other.list().startsWith("small")
          && other.what().equals(request.what())
          && other.calls() == request.calls()) {
        return String.format(
            Locale.ROOT, "%.2f", quantile(times.get(index), 0.5) / quantile(times.get(i), 0.5));
      }
    }
    return "-";
  }

  private static double[] sorted(List<Double> values) {
    double[] sorted = values.stream().mapToDouble(value -> value).toArray();
    Arrays.sort(sorted);
    return sorted;
  }

  private static double quantile(double[] sorted, double part) {
    return sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
  }
}
