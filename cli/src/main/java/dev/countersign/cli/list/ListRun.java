package dev.countersign.cli.list;

import dev.countersign.cli.terminal.CliException;
import dev.countersign.cli.terminal.ExitCode;
import dev.countersign.client.CountersignException;
import dev.countersign.client.ListPage;
import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One run over the pages of a list. It writes only whole pages, so the item to resume at is known
 * exactly. It also completes the output if the run stops early, so the output is always valid.
 */
final class ListRun {
  private final ItemWriter rows;
  private final Progress progress;
  private final BooleanSupplier interrupted;
  private final Extent limit;
  // The number of items from the first item of this run to the end of the list, as counted for the
  // first page.
  private OptionalLong total = OptionalLong.empty();
  private long written;
  private long pagesWritten;
  private @Nullable ListPage<JsonNode> latest;

  /** The requested part of a list. */
  record Extent(long items, long pages) {}

  /**
   * @param limit the maximum number of items and pages that was requested
   */
  ListRun(ItemWriter rows, Progress progress, BooleanSupplier interrupted, Extent limit) {
    this.rows = rows;
    this.progress = progress;
    this.interrupted = interrupted;
    this.limit = limit;
  }

  /**
   * Writes the pages.
   *
   * @throws CliException when the run stops before the end of the list
   */
  void write(Iterator<ListPage<JsonNode>> pages) throws IOException {
    try {
      while (!isCutOff() && pages.hasNext()) {
        write(pages.next());
      }
    } catch (CountersignException failed) {
      throw isCutOff() ? interruption() : CliException.of(failed);
    } finally {
      progress.clear();
      rows.end();
    }
    if (isCutOff()) {
      throw interruption();
    }
  }

  /** The page that was written last; null before the first page. */
  @Nullable ListPage<?> latest() {
    return latest;
  }

  /** The number of items written. */
  long written() {
    return written;
  }

  /** Further options for a run that resumes this one. */
  List<String> resumeOptions() {
    return rows.resumeOptions();
  }

  /** Returns whether items follow the written ones, according to the latest page. */
  boolean isCutShort() {
    return latest != null && !latest.last();
  }

  /** The number of items that follow the written ones; empty if the list was not counted. */
  OptionalLong remaining() {
    return total.isEmpty() ? total : OptionalLong.of(Math.max(0, total.getAsLong() - written));
  }

  /**
   * The number of items from the start of a page to the end of the list; empty if it is unknown.
   * The offset of a page read by a cursor may count items that are gone, so the number may
   * contradict the page.
   */
  private static OptionalLong following(ListPage<?> page) {
    if (page.totalElements().isEmpty()) {
      return OptionalLong.empty();
    }
    long left = Math.max(0, page.totalElements().getAsLong() - page.offset());
    boolean isContradictory = !page.last() && left <= page.content().size();
    return isContradictory ? OptionalLong.empty() : OptionalLong.of(left);
  }

  private void write(ListPage<JsonNode> page) throws IOException {
    if (latest == null) {
      total = following(page);
    }
    progress.clear();
    rows.write(page.content());
    latest = page;
    written += page.content().size();
    pagesWritten++;
    OptionalLong items =
        total.isEmpty() ? total : OptionalLong.of(Math.min(limit.items(), total.getAsLong()));
    OptionalLong pages =
        items.isEmpty()
            ? items
            : OptionalLong.of((items.getAsLong() + page.size() - 1) / page.size());
    progress.draw(new Progress.Count(written, items), new Progress.Count(pagesWritten, pages));
  }

  private boolean isCutOff() {
    return interrupted.getAsBoolean() && !isComplete();
  }

  private boolean isComplete() {
    return latest != null
        && (latest.last() || written >= limit.items() || pagesWritten >= limit.pages());
  }

  private CliException interruption() {
    return new CliException(ExitCode.INTERRUPTED, "interrupted", "after " + written + " items");
  }
}
