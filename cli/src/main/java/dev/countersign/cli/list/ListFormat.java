package dev.countersign.cli.list;

import java.io.Writer;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The output formats of {@code countersign list}. */
public enum ListFormat {
  TABLE,
  JSON,
  JSONL,
  CSV;

  /** Returns whether the format has a header line and columns. */
  boolean hasColumns() {
    return this == TABLE || this == CSV;
  }

  /** The format as typed. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  ItemWriter writer(
      Writer out, @Nullable Columns columns, boolean header, Consumer<String> warnings) {
    return switch (this) {
      case TABLE -> new TableWriter(out, columns, header);
      case JSON -> new JsonArrayWriter(out);
      case JSONL -> new JsonLinesWriter(out);
      case CSV -> new CsvItemWriter(out, columns, header, warnings);
    };
  }
}
