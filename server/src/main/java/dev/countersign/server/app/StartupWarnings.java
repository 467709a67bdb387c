package dev.countersign.server.app;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Warns the operator once, at the start, about risky settings. */
final class StartupWarnings {
  private static final Logger log = LoggerFactory.getLogger(StartupWarnings.class);
  private static final Set<PosixFilePermission> OTHERS =
      EnumSet.of(
          PosixFilePermission.GROUP_READ,
          PosixFilePermission.GROUP_EXECUTE,
          PosixFilePermission.OTHERS_READ,
          PosixFilePermission.OTHERS_EXECUTE);

  private StartupWarnings() {}

  /**
   * Warns if any Host is accepted. If the same client is registered with another service, requests
   * signed for that service also verify here.
   */
  static void warnIfAnyHost(List<URI> publicUrls, @Nullable InetAddress address) {
    if (publicUrls.isEmpty() && (address == null || !address.isLoopbackAddress())) {
      log.warn(
          "countersign.public-urls is not set, so requests verify with any Host; set it to the URLs"
              + " that partners call");
    }
  }

  /**
   * Warns if other users can access the data directory. The service never changes the mode of a
   * directory that already exists.
   */
  static void warnIfDataReadable(Path data) {
    try {
      Set<PosixFilePermission> permissions = Files.getPosixFilePermissions(data);
      if (!Collections.disjoint(permissions, OTHERS)) {
        log.warn(
            "other users of this machine can access the data directory {}; set its mode to 700",
            data.toRealPath());
      }
    } catch (UnsupportedOperationException | IOException e) {
      log.debug("cannot read the mode of the data directory", e);
    }
  }
}
