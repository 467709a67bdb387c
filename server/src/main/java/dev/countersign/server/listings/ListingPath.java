package dev.countersign.server.listings;

import dev.countersign.server.access.directory.Permission;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The path of a collection: {@code /area/version/collection}. */
public record ListingPath(String area, String version, String collection) {
  private static final Pattern FORM =
      Pattern.compile("/([a-z0-9][a-z0-9-]*)/([a-z0-9][a-z0-9.-]*)/([a-z0-9][a-z0-9-]*)");
  private static final Set<String> RESERVED_AREAS =
      Set.of("actuator", "portal", "error", "integrations");

  /** Returns whether an area is reserved for the service itself. */
  public static boolean isReserved(String area) {
    return RESERVED_AREAS.contains(area);
  }

  static ListingPath parse(String path) {
    Matcher matcher = FORM.matcher(path);
    if (!matcher.matches()) {
      throw new ListingException(
          "a listing's path must be /area/version/collection with a-z, 0-9 and -, was " + path);
    }
    if (isReserved(matcher.group(1))) {
      throw new ListingException(
          "listing " + path + ": the area " + matcher.group(1) + " is reserved for the service");
    }
    return new ListingPath(matcher.group(1), matcher.group(2), matcher.group(3));
  }

  /** Returns the permission to list records and to read one. */
  Permission readPermission() {
    return permission("read");
  }

  Permission permission(String operation) {
    return Permission.of(area + ":" + collection + ":" + operation);
  }

  @Override
  public String toString() {
    return "/" + area + "/" + version + "/" + collection;
  }
}
