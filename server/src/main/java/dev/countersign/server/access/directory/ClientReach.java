package dev.countersign.server.access.directory;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Finds the listings of which a client sees nothing, before it calls: its roles permit it to read a
 * scoped listing, but it lacks an attribute of the scope.
 *
 * @param roles the roles of the configuration
 * @param attributes the attributes of the configuration
 * @param listings the listings that have a scope
 */
public record ClientReach(Roles roles, Attributes attributes, List<ScopedListing> listings) {

  public ClientReach {
    listings = List.copyOf(listings);
  }

  /**
   * A listing that shows each client only its own records.
   *
   * @param path its path
   * @param permission the permission to read it
   * @param attributes the attributes of its scope
   */
  public record ScopedListing(String path, Permission permission, Set<String> attributes) {}

  /**
   * A listing of which a client sees nothing.
   *
   * @param path its path
   * @param missing the attributes of its scope that the client lacks, in alphabetical order
   */
  public record UnseenListing(String path, List<String> missing) {

    /** Returns a phrase such as "sees nothing of /billing/v1/invoices: no customerId". */
    public String sentence() {
      return "sees nothing of " + path + ": no " + String.join(", no ", missing);
    }
  }

  /**
   * Returns the listings that a client may read but sees nothing of. An attribute that admits
   * nothing counts as missing.
   *
   * @param roleNames the client's roles
   * @param settings the client's attributes
   */
  public List<UnseenListing> unseen(
      Collection<String> roleNames, Map<String, AttributeSetting> settings) {
    Set<Permission> permissions = roles.permissionsOf(roleNames);
    Set<String> admitted = attributes.admitted(settings).keySet();
    return listings.stream()
        .filter(listing -> permissions.contains(listing.permission()))
        .map(listing -> new UnseenListing(listing.path(), missing(listing, admitted)))
        .filter(listing -> !listing.missing().isEmpty())
        .toList();
  }

  private static List<String> missing(ScopedListing listing, Set<String> admitted) {
    return listing.attributes().stream().filter(name -> !admitted.contains(name)).sorted().toList();
  }
}
