package dev.countersign.server.portal.requests;

import dev.countersign.server.portal.signin.SessionWatch;
import dev.countersign.server.requests.RequestFilter;
import dev.countersign.server.requests.RequestPosition;
import dev.countersign.server.requests.RequestRecordStore;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

/**
 * Streams new requests, as rows of the table, to open pages.
 *
 * <p>Design note: each stream blocks its own virtual thread, which costs next to nothing.
 */
@Controller
final class LiveRequests {
  private final RequestRecordStore records;
  private final RequestTable table;
  private final RowDrawing drawing;
  private final LiveStreamLimiter streams;
  private final SessionWatch sessions;

  LiveRequests(
      RequestRecordStore records,
      RequestTable table,
      RowDrawing drawing,
      LiveStreamLimiter streams,
      SessionWatch sessions) {
    this.records = records;
    this.table = table;
    this.drawing = drawing;
    this.streams = streams;
    this.sessions = sessions;
  }

  /**
   * Sends requests as they are recorded.
   *
   * @param after the position of the newest request of each node when the page was rendered
   * @param lastEventId the last position that the browser received before it reconnected
   */
  @GetMapping("/requests/live")
  void live(
      @ModelAttribute FilterForm form,
      @RequestParam(required = false) @Nullable String after,
      @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId,
      HttpServletRequest request,
      HttpServletResponse response) {
    ReadFilter filter = ReadFilter.of(form);
    if (!filter.isClear()) {
      throw new ResponseStatusException(HttpStatus.BAD_REQUEST);
    }
    RequestPosition start =
        position(lastEventId).or(() -> position(after)).orElseGet(records::position);
    Function<List<RequestRow>, String> rows = drawing.during(request, response);
    try {
      EventStream events = EventStream.open(response);
      Optional<LiveStreamLimiter.Place> place = streams.take();
      if (place.isEmpty()) {
        events.send(
            "end",
            "The number of open live views has reached this node's limit: "
                + LiveStreamLimiter.MOST);
        return;
      }
      try (LiveStreamLimiter.Place taken = place.get()) {
        new LiveStream(events, taken, sessions.of(request), drawn(filter.filter(), rows))
            .run(start);
      }
    } catch (IOException gone) {
      // The browser closed the page. Most streams end like this.
    }
  }

  private LiveStream.Source drawn(RequestFilter filter, Function<List<RequestRow>, String> rows) {
    return (position, limit) -> {
      var tail = records.after(position, filter, limit);
      var newest = table.rows(tail.requests().reversed());
      return new LiveStream.Batch(
          newest.isEmpty() ? null : rows.apply(newest), tail.next(), tail.skipped());
    };
  }

  private static Optional<RequestPosition> position(@Nullable String text) {
    return Optional.ofNullable(text).flatMap(RequestPosition::parse);
  }
}
