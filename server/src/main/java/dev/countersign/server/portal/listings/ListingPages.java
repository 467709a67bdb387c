package dev.countersign.server.portal.listings;

import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.Roles;
import dev.countersign.server.clients.ClientAttention;
import dev.countersign.server.listings.Listing;
import dev.countersign.server.listings.ListingCatalog;
import dev.countersign.server.listings.UnreadableValues;
import dev.countersign.server.listings.totals.Totals;
import dev.countersign.server.portal.ApiAddress;
import dev.countersign.server.portal.NotFoundException;
import dev.countersign.server.store.Database;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The page of the listings. */
@Controller
final class ListingPages {
  private final ListingCatalog listings;
  private final Roles roles;
  private final Database database;
  private final ClientAttention attention;
  private final ApiAddress api;
  private final Totals totals;

  ListingPages(
      ListingCatalog listings,
      Roles roles,
      Database database,
      ClientAttention attention,
      ApiAddress api,
      Totals totals) {
    this.listings = listings;
    this.roles = roles;
    this.database = database;
    this.attention = attention;
    this.api = api;
    this.totals = totals;
  }

  /**
   * A listing as the page shows it.
   *
   * @param fields its fields in words
   * @param sortable the names that {@code sort} accepts, in order
   * @param readers the roles that may read its records
   * @param creators the roles that may create a record; empty if records cannot be created
   * @param narrower the listings over the same table that hide records which this one shows
   * @param unreadable the values of its records that requests could not read
   * @param slowCountAdvice how to make its counts faster; empty until the log has the advice, null
   *     if no count took too long during the last hour
   */
  record Shown(
      Listing listing,
      List<FieldRow> fields,
      List<String> sortable,
      List<String> readers,
      List<String> creators,
      List<ListingCatalog.NarrowerListing> narrower,
      List<UnreadableValues.Shown> unreadable,
      @Nullable String slowCountAdvice) {}

  @GetMapping("/listings")
  String listings(HttpServletRequest request, Model model) {
    model.addAttribute("baseUrl", api.baseUrl(request));
    model.addAttribute("listings", listings.all().stream().map(this::shown).toList());
    return "listings";
  }

  private Shown shown(Listing listing) {
    return new Shown(
        listing,
        listing.fields().stream().map(field -> FieldRow.of(field, listing)).toList(),
        listing.pageRules().sortable().stream().sorted().toList(),
        rolesWith(listing.readPermission()),
        listing.isCreatable() ? rolesWith(listing.createPermission()) : List.of(),
        listings.narrowerThan(listing),
        listings.unreadableValues().of(listing),
        totals.slowCountAdvice(listing.path()).orElse(null));
  }

  private List<String> rolesWith(Permission permission) {
    return roles.names().stream()
        .filter(role -> roles.permissionsOf(List.of(role)).contains(permission))
        .toList();
  }

  /**
   * Counts the records of a listing. The page requests the count after it has loaded, because a
   * large table takes long to count.
   */
  @GetMapping("/listings/total")
  String total(@RequestParam String path, Model model) {
    try {
      model.addAttribute("total", listing(path).count(database));
    } catch (DataAccessException e) {
      model.addAttribute("problem", database.dialect().reason(e));
    }
    return "listing-total";
  }

  /** Shows for which sorts of a listing the database currently uses an index. */
  @GetMapping("/listings/sorts")
  String sorts(@RequestParam String path, Model model) {
    try {
      model.addAttribute("sorts", listing(path).sorts(database));
    } catch (DataAccessException e) {
      model.addAttribute("problem", database.dialect().reason(e));
    }
    return "listing-sorts";
  }

  /** Says which clients may read a listing but see nothing of it. */
  @GetMapping("/listings/unseen")
  String unseen(@RequestParam String path, Model model) {
    Listing listing = listing(path);
    Set<String> attributes = new TreeSet<>(listing.scope().values());
    model.addAttribute("attributes", attributes);
    model.addAttribute(
        "clients", attention.lacking(attributes, rolesWith(listing.readPermission())));
    return "listing-unseen";
  }

  private Listing listing(String path) {
    return listings.all().stream()
        .filter(candidate -> candidate.path().equals(path))
        .findFirst()
        .orElseThrow(() -> new NotFoundException("no listing has the path " + path));
  }
}
