package dev.countersign.server.http;

import java.util.Set;

/**
 * The paths that anybody may read without a signature, besides the health probes. They are compared
 * with the raw path, so no other spelling of a path matches.
 *
 * @param paths the raw paths, such as {@code /openapi.yaml}
 */
public record OpenPaths(Set<String> paths) {
  public OpenPaths {
    paths = Set.copyOf(paths);
  }
}
