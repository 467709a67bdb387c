package dev.countersign.server.access;

import java.util.Set;

/**
 * What anybody may read without a signature beside the health probes. A path is compared as it is
 * called, so that no spelling of another one can pass for it.
 *
 * @param paths such as {@code /openapi.yaml}
 */
public record OpenPaths(Set<String> paths) {
  public OpenPaths {
    paths = Set.copyOf(paths);
  }
}
