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
  private final Extent most;
  private long began;
  private long written;
  private long pagesWritten;
  private @Nullable ListPage<JsonNode> latest;

  /** The requested part of a list. */
  record Extent(long items, long pages) {}

  /**
   * @param most the maximum number of items and pages that was requested
   */
  ListRun(ItemWriter rows, Progress progress, BooleanSupplier interrupted, Extent most) {
    this.rows = rows;
    this.progress = progress;
    this.interrupted = interrupted;
    this.most = most;
  }

  /**
   * Writes the pages.
   *
   * @throws CliException when the run stops before the end of the list
   */
  void write(Iterator<ListPage<JsonNode>> pages) throws IOException {
    try {
      while (!stopsHere() && pages.hasNext()) {
        write(pages.next());
      }
    } catch (CountersignException failed) {
      throw stopsHere() ? interruption() : CliException.of(failed);
    } finally {
      progress.clear();
      rows.end();
    }
    if (stopsHere()) {
      throw interruption();
    }
  }

  /** The item to resume at; empty before the first page is written. */
  OptionalLong nextItem() {
    return latest == null ? OptionalLong.empty() : OptionalLong.of(latest.nextOffset());
  }

  /** The number of items written. */
  long written() {
    return written;
  }

  /** Further options for a run that resumes this one. */
  List<String> toGoOn() {
    return rows.toGoOn();
  }

  /** The number of items that follow the written ones, according to the latest page. */
  long behind() {
    return latest == null ? 0 : Math.max(0, latest.totalElements() - latest.nextOffset());
  }

  private void write(ListPage<JsonNode> page) throws IOException {
    if (latest == null) {
      began = page.offset();
    }
    progress.clear();
    rows.write(page.content());
    latest = page;
    written += page.content().size();
    pagesWritten++;
    long all = Math.min(most.items(), Math.max(0, page.totalElements() - began));
    long pages = (all + page.size() - 1) / page.size();
    progress.draw(new Progress.Count(written, all), new Progress.Count(pagesWritten, pages));
  }

  private boolean stopsHere() {
    return interrupted.getAsBoolean() && !isWhole();
  }

  private boolean isWhole() {
    return latest != null
        && (latest.last() || written >= most.items() || pagesWritten >= most.pages());
  }

  private CliException interruption() {
    return new CliException(ExitCode.INTERRUPTED, "interrupted", "after " + written + " items");
  }
}
