package dev.countersign.server.listings;

import dev.countersign.pagination.PageEnvelope;
import dev.countersign.pagination.PageLinks;
import dev.countersign.pagination.PageParameterException;
import dev.countersign.pagination.PageRequest;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.outcome.DeniedException;
import dev.countersign.server.access.outcome.JsonResponse;
import dev.countersign.server.access.outcome.StoredAnswer;
import dev.countersign.server.once.ReplayGuard;
import dev.countersign.server.tables.ValueSyntax;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.servlet.function.ServerResponse;
import org.springframework.web.util.UriUtils;
import tools.jackson.core.JsonGenerator;

/** Handles the requests of one listing. */
final class ListingHandler {
  // Design note: a longer Link header is not sent. It repeats the URL up to five times, and many
  // proxies and clients accept at most 8 KB of header lines in total. If the lines were longer, the
  // caller would lose the whole page.
  private static final int MAXIMUM_LINK_LENGTH = 6 * 1024;

  private final Listing listing;
  private final ListingStore store;
  private final ListingSettings settings;
  private final ReplayGuard replayGuard;
  private final RecordReader reader;
  private final GeneratedValues generatedValues;

  ListingHandler(ListingStore store, ReplayGuard replayGuard, ListingSettings settings) {
    this.listing = store.listing();
    this.store = store;
    this.settings = settings;
    this.replayGuard = replayGuard;
    this.reader = new RecordReader(listing.fields());
    this.generatedValues = new GeneratedValues(listing.fields(), settings);
  }

  Listing listing() {
    return listing;
  }

  /** Handles GET and HEAD of the collection. */
  ServerResponse list(SignedRequest signed) {
    return signed.client().answer(() -> page(signed));
  }

  private ServerResponse page(SignedRequest signed) {
    CallerScope scope = scope(signed.client(), listing.readPermission());
    ListingStore.RequestedPage requested = requestedPage(signed);
    PageRequest request = requested.request();
    replayGuard.claimNonce(signed);
    JsonAnswer json = new JsonAnswer();
    ListingStore.WrittenPage written = store.page(scope, requested, json::beginPage);
    PageEnvelope envelope =
        PageEnvelope.of(request, written.total(), written.hasNext(), written.written());
    boolean omit = settings.pagination().pageable() == PaginationProperties.Pageable.OMIT;
    ByteArrayOutputStream body = json.endPage(omit ? envelope.withoutPageable() : envelope);
    return JsonResponse.ok(body)
        .with(linkHeader(signed, request, envelope, written.cursor()))
        .build();
  }

  private static Map<String, String> linkHeader(
      SignedRequest signed, PageRequest request, PageEnvelope envelope, Optional<String> cursor) {
    String uri = signed.targetUri();
    PageLinks numbered = PageLinks.of(uri, request, envelope);
    PageLinks links =
        cursor.map(token -> PageLinks.of(uri, request, envelope, token)).orElse(numbered);
    if (links.toLinkHeader().length() <= MAXIMUM_LINK_LENGTH) {
      return Map.of("Link", links.toLinkHeader());
    }
    if (request.after() != null) {
      // There is no other way to the next page.
      return links.next().isEmpty() ? Map.of() : Map.of("Link", links.toNextLinkHeader());
    }
    return numbered.toLinkHeader().length() <= MAXIMUM_LINK_LENGTH
        ? Map.of("Link", numbered.toLinkHeader())
        : Map.of();
  }

  /** Handles GET and HEAD of one record. The path's last segment is still percent-encoded. */
  ServerResponse one(SignedRequest signed, String segment) {
    return signed.client().answer(() -> record(signed, segment));
  }

  private ServerResponse record(SignedRequest signed, String segment) {
    CallerScope scope = scope(signed.client(), listing.readPermission());
    requireNoParameters(signed);
    replayGuard.claimNonce(signed);
    Object key = key(segment).orElseThrow(ListingHandler::noSuchRecord);
    JsonAnswer json = new JsonAnswer();
    if (!store.find(scope, key, json::begin)) {
      throw noSuchRecord();
    }
    return JsonResponse.ok(json.end()).build();
  }

  /** Handles POST to the collection. */
  ServerResponse create(SignedRequest signed) {
    CallerScope scope = scope(signed.client(), listing.createPermission());
    requireNoParameters(signed);
    Map<Field, @Nullable Object> values = reader.read(signed.json(), scope);
    scope.require(values);
    StoredAnswer.Done answer =
        replayGuard.perform(
            signed, sql -> created(signed, json -> insert(scope, sql, values, json)));
    return JsonResponse.of(answer).build();
  }

  /**
   * Returns the scope of a client for an operation.
   *
   * @throws DeniedException {@link Reason#ROLE_MISSING} or {@link Reason#SCOPE_MISSING}
   */
  CallerScope scope(CallingClient client, Permission permission) {
    return client.require(permission, () -> CallerScope.of(listing, client));
  }

  /**
   * Requires that the parameters of a request for a page are valid.
   *
   * @throws PageParameterException if they are not
   */
  void requireParameters(SignedRequest signed) {
    scope(signed.client(), listing.readPermission());
    requestedPage(signed);
  }

  private ListingStore.RequestedPage requestedPage(SignedRequest signed) {
    PageRequest page = PageRequest.parse(signed.rawQuery(), listing.pageRules());
    return store.requestedPage(page, listing.filters().parse(page.parameters()));
  }

  private static void requireNoParameters(SignedRequest signed) {
    String query = signed.rawQuery();
    if (query != null && !query.isEmpty()) {
      // Empty pairs have no name.
      String name = query.replaceFirst("^&+", "").replaceAll("[=&].*", "");
      throw new DeniedException(
          Reason.PARAMETER_UNKNOWN,
          "this operation has no query parameters; remove "
              + (name.isEmpty() ? "the query" : name.substring(0, Math.min(name.length(), 64))));
    }
  }

  private Optional<Object> key(String segment) {
    try {
      return ValueSyntax.parse(
          listing.key().type(), UriUtils.decode(segment, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      // A segment with invalid percent-encoding identifies no record.
      return Optional.empty();
    }
  }

  private static DeniedException noSuchRecord() {
    return new DeniedException(Reason.NOT_FOUND, "the collection has no record with this key");
  }

  /** Inserts a record, writes it and returns its key. */
  private String insert(
      CallerScope scope, JdbcClient sql, Map<Field, @Nullable Object> values, JsonGenerator json) {
    return store.insert(scope, sql, generatedValues.complete(values), json);
  }

  private static StoredAnswer created(
      SignedRequest signed, Function<JsonGenerator, String> insert) {
    String[] key = new String[1];
    String body = JsonAnswer.text(json -> key[0] = insert.apply(json));
    String location =
        signed.uriWithoutQuery() + "/" + UriUtils.encodePathSegment(key[0], StandardCharsets.UTF_8);
    return new StoredAnswer.Done(201, Map.of("Location", location), body);
  }
}
