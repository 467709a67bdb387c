package dev.countersign.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Plots the times of pages by their position in the largest list, as an SVG with one chart for each
 * database.
 */
public final class ListPicture {
  private static final int WIDTH = 880;
  private static final int HEIGHT = 420;
  private static final int TOP = 72;
  private static final int BOTTOM = 330;
  private static final int MARGIN = 64;
  private static final int GAP = 76;
  private static final int LEGEND = 24;

  /** The requests of {@link ListTimes} that are drawn. */
  private static final List<Series> SERIES =
      List.of(
          new Series("cursor none", "Countersign, by cursor", "#1a7f37", ""),
          new Series("page cached", "Countersign, by number, cached total", "#0969da", ""),
          new Series("page exact", "Countersign, by number, exact total", "#0969da", "6 4"),
          new Series("Spring Data window", "Spring Data JPA, Window", "#bc4c00", ""),
          new Series("Spring Data page", "Spring Data JPA, Page", "#b3261e", "6 4"));

  private record Series(String request, String name, String color, String dashes) {}

  private record Point(String database, String request, double position, double microseconds) {}

  private final List<Point> points;
  private final Scale scale;
  private final Formatter svg = new Formatter(Locale.ROOT);

  private ListPicture(List<Point> points) {
    this.points = points;
    this.scale = Scale.of(points);
  }

  /**
   * Renders a picture.
   *
   * @param args the file that {@link ListTimes} wrote, the number of records of the largest list,
   *     and the file for the picture
   */
  public static void main(String[] args) throws IOException {
    if (args.length != 3) {
      throw new IllegalArgumentException(
          "give a file of times, a number of records, and a file for the picture");
    }
    Files.writeString(
        Path.of(args[2]), draw(Files.readAllLines(Path.of(args[0])), Long.parseLong(args[1])));
  }

  static String draw(List<String> lines, long records) {
    List<Point> points =
        lines.stream()
            .map(line -> line.split("\t"))
            .filter(
                cell ->
                    cell[1].equals("position")
                        && cell[2].equals("number,asc")
                        && cell[4].startsWith("large"))
            .map(
                cell ->
                    new Point(
                        cell[0], cell[5], Double.parseDouble(cell[3]), Double.parseDouble(cell[7])))
            .toList();
    if (points.isEmpty()) {
      throw new IllegalArgumentException("the file has no times of the largest list by number");
    }
    return new ListPicture(points).render(records);
  }

  private String render(long records) {
    List<String> databases = points.stream().map(Point::database).distinct().toList();
    svg.format(
        """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img" aria-labelledby="t d" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="13">
          <title id="t">The time of a page over its position in the list</title>
          <desc id="d">%s</desc>
          <rect width="%d" height="%d" rx="10" fill="#ffffff"/>
          <text x="%d" y="28" fill="#1f2328" font-weight="600">A page of 20 of %,d records, sorted by a text (logarithmic scale)</text>
        """,
        WIDTH,
        HEIGHT,
        databases.stream().map(this::description).collect(Collectors.joining(" ")),
        WIDTH,
        HEIGHT,
        MARGIN,
        records);
    int width = (WIDTH - MARGIN - 24 - GAP * (databases.size() - 1)) / databases.size();
    int left = MARGIN;
    for (String database : databases) {
      svg.format(
          "  <text x=\"%d\" y=\"54\" fill=\"#1f2328\">%s</text>\n", left, displayName(database));
      axes(left, width);
      lines(database, left, width);
      left += width + GAP;
    }
    legend();
    return svg.format("</svg>\n").toString();
  }

  private static String displayName(String database) {
    return switch (database) {
      case "sqlite" -> "SQLite";
      case "postgresql" -> "PostgreSQL";
      default -> database;
    };
  }

  private String description(String database) {
    return displayName(database)
        + ", first and last page: "
        + SERIES.stream()
            .filter(series -> !line(series, database).isEmpty())
            .map(
                series -> {
                  List<Point> line = line(series, database);
                  return series.name
                      + " "
                      + time(line.getFirst().microseconds)
                      + " and "
                      + time(line.getLast().microseconds);
                })
            .collect(Collectors.joining("; "))
        + ".";
  }

  private List<Point> line(Series series, String database) {
    return points.stream()
        .filter(point -> point.database.equals(database) && point.request.equals(series.request))
        .toList();
  }

  private static String time(double microseconds) {
    return microseconds < 1e4
        ? String.format(Locale.ROOT, "%.1f ms", microseconds / 1e3)
        : microseconds < 1e6
            ? String.format(Locale.ROOT, "%.0f ms", microseconds / 1e3)
            : String.format(Locale.ROOT, "%.1f s", microseconds / 1e6);
  }

  /** The vertical axis: a logarithmic scale between two powers of ten, in microseconds. */
  private record Scale(int from, int to) {
    static Scale of(List<Point> points) {
      double least = points.stream().mapToDouble(Point::microseconds).min().orElseThrow();
      double greatest = points.stream().mapToDouble(Point::microseconds).max().orElseThrow();
      return new Scale((int) Math.floor(Math.log10(least)), (int) Math.ceil(Math.log10(greatest)));
    }

    double y(double microseconds) {
      return BOTTOM - (Math.log10(microseconds) - from) / (to - from) * (BOTTOM - TOP);
    }
  }

  private void axes(int left, int width) {
    for (int power = scale.from; power <= scale.to; power++) {
      double y = scale.y(Math.pow(10, power));
      svg.format("  <path d=\"M%d %.1fH%d\" stroke=\"#d0d7de\"/>\n", left, y, left + width);
      svg.format(
          "  <text x=\"%d\" y=\"%.1f\" fill=\"#57606a\" text-anchor=\"end\">%s</text>\n",
          left - 8, y + 4, decade(power));
    }
    List<String> names = List.of("first page", "middle", "last page");
    List<String> anchors = List.of("start", "middle", "end");
    for (int i = 0; i < names.size(); i++) {
      svg.format(
          "  <text x=\"%d\" y=\"%d\" fill=\"#57606a\" text-anchor=\"%s\">%s</text>\n",
          left + width * i / 2, BOTTOM + 20, anchors.get(i), names.get(i));
    }
  }

  private void lines(String database, int left, int width) {
    for (Series series : SERIES) {
      List<Point> line = line(series, database);
      String path =
          line.stream()
              .map(
                  point ->
                      String.format(
                          Locale.ROOT,
                          "%.1f %.1f",
                          left + point.position * width,
                          scale.y(point.microseconds)))
              .collect(Collectors.joining("L"));
      if (!line.isEmpty()) {
        svg.format(
            "  <path d=\"M%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
            path, series.color, dashes(series));
      }
    }
  }

  private static String dashes(Series series) {
    return series.dashes.isEmpty() ? "" : " stroke-dasharray=\"" + series.dashes + "\"";
  }

  private static String decade(int power) {
    return power < 3
        ? String.format(Locale.ROOT, "%d µs", (long) Math.pow(10, power))
        : power < 6
            ? String.format(Locale.ROOT, "%d ms", (long) Math.pow(10, power - 3))
            : String.format(Locale.ROOT, "%d s", (long) Math.pow(10, power - 6));
  }

  private void legend() {
    int column = (WIDTH - LEGEND) / 3;
    for (int i = 0; i < SERIES.size(); i++) {
      Series series = SERIES.get(i);
      int x = LEGEND + i % 3 * column;
      int y = BOTTOM + 48 + i / 3 * 24;
      svg.format(
          "  <path d=\"M%d %dh24\" stroke=\"%s\" stroke-width=\"2\"%s/>\n",
          x, y - 4, series.color, dashes(series));
      svg.format("  <text x=\"%d\" y=\"%d\" fill=\"#1f2328\">%s</text>\n", x + 32, y, series.name);
    }
  }
}
