package dev.countersign.server.listings.suggestions;

import dev.countersign.protocol.PlainText;
import dev.countersign.server.listings.ListingProperties;
import dev.countersign.server.listings.ListingProperties.FieldProperties;
import dev.countersign.server.listings.ListingProperties.Unique;
import dev.countersign.server.listings.suggestions.Suggestion.Served;
import dev.countersign.server.listings.suggestions.Suggestion.Unfit;
import dev.countersign.server.listings.suggestions.Suggestion.Unreadable;
import dev.countersign.server.tables.SortOrder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Writes suggestions as a YAML document for {@code countersign.yaml}. Comments say what the reader
 * must know.
 */
public final class SuggestionDocument {
  private static final Pattern PLAIN = Pattern.compile("[A-Za-z/_][A-Za-z0-9/_.-]*");
  // YAML 1.1 reads these as booleans or null.
  private static final Set<String> RESERVED =
      Set.of("y", "n", "yes", "no", "true", "false", "on", "off", "null");
  private static final int MAX_AREA_LENGTH = 57;

  private final List<Suggestion> suggestions;
  private final StringBuilder yaml = new StringBuilder();

  private SuggestionDocument(List<Suggestion> suggestions) {
    this.suggestions = suggestions;
  }

  /** Writes the document. Without a suggested listing, it consists of comments. */
  public static String write(List<Suggestion> suggestions) {
    return new SuggestionDocument(suggestions).written();
  }

  private String written() {
    List<Served> served = all(Served.class);
    if (!served.isEmpty()) {
      line("# Remove the listings and fields that partners must not see.");
      line("# create: true would let partners add records.");
      line("countersign:");
      line("  listings:");
      served.forEach(this::listing);
      roles(served);
    }
    List<Unfit> unfit = all(Unfit.class);
    if (!unfit.isEmpty()) {
      line("# Not suggested:");
      unfit.forEach(one -> comment("", "- " + one.table().text() + ": " + one.reason()));
    }
    List<Unreadable> unreadable = all(Unreadable.class);
    if (!unreadable.isEmpty()) {
      line("# The user may not read these tables. To serve one, run:");
      unreadable.forEach(one -> comment("", "- " + one.grant()));
    }
    return yaml.toString();
  }

  private <T extends Suggestion> List<T> all(Class<T> kind) {
    return suggestions.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private void listing(Served suggestion) {
    ListingProperties definition = suggestion.definition();
    line("    - path: " + scalar(definition.path()));
    line("      table: " + scalar(definition.table()));
    line("      key: " + scalar(definition.key()));
    if (definition.unique() == Unique.ASSUMED) {
      comment("      ", suggestion.about());
      line("      unique: assumed");
    }
    line("      fields:");
    definition.fields().forEach(this::field);
    suggestion.leftOut().forEach(column -> comment("        ", column));
    if (!definition.sortable().isEmpty()) {
      line("      sortable: " + flow(definition.sortable()));
    }
    if (definition.order() == SortOrder.DATABASE) {
      comment("      ", "the indexes sort text and NULL as the database does");
      line("      order: database");
    }
  }

  private void field(String name, FieldProperties field) {
    String column = field.column() == null ? "" : ", column: " + scalar(field.column());
    line("        " + scalar(name) + ": { type: " + scalar(field.type()) + column + " }");
  }

  private void roles(List<Served> served) {
    Map<String, List<String>> permissions = new LinkedHashMap<>();
    for (Served one : served) {
      String area = one.definition().path().split("/", -1)[1];
      permissions
          .computeIfAbsent(area, first -> new ArrayList<>())
          .add(one.listing().readPermission().toString());
    }
    line("  roles:");
    DistinctNames names = new DistinctNames();
    permissions.forEach(
        (area, all) -> {
          String shortArea = area.substring(0, Math.min(area.length(), MAX_AREA_LENGTH));
          line("    " + scalar(names.give(shortArea + "-viewer", "")) + ":");
          all.forEach(permission -> line("      - " + quoted(permission)));
        });
  }

  private void comment(String indent, String text) {
    line(indent + "# " + PlainText.wholeLine(text).strip());
  }

  private void line(String line) {
    yaml.append(line).append('\n');
  }

  private static String flow(List<String> names) {
    return names.stream()
        .map(SuggestionDocument::scalar)
        .collect(Collectors.joining(", ", "[", "]"));
  }

  private static String scalar(String text) {
    boolean isPlain =
        PLAIN.matcher(text).matches() && !RESERVED.contains(text.toLowerCase(Locale.ROOT));
    return isPlain ? text : quoted(text);
  }

  /**
   * Writes a double-quoted scalar (YAML 1.2, section 7.3.1) in ASCII, because the reader's terminal
   * may not use UTF-8.
   */
  private static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            c -> {
              if (c == '"' || c == '\\') {
                quoted.append('\\').appendCodePoint(c);
              } else if (c >= ' ' && c <= '~') {
                quoted.appendCodePoint(c);
              } else {
                quoted.append(String.format(Locale.ROOT, "\\U%08X", c));
              }
            });
    return quoted.append('"').toString();
  }
}
