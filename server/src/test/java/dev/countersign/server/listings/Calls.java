package dev.countersign.server.listings;

import dev.countersign.server.access.ReplayGuard;
import dev.countersign.server.access.SignedCalls;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.CryptoProvider;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.springframework.mock.web.MockHttpServletRequest;

/** Requests as the signature filter passes them on, with everything else that the handlers need. */
final class Calls {
  private Calls() {}

  static MockHttpServletRequest signed(
      String method, String target, String body, String... permissions) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    MockHttpServletRequest request =
        SignedCalls.signed(
            method,
            target,
            bytes,
            Arrays.stream(permissions).map(Permission::of).collect(Collectors.toSet()));
    request.setContentType(bytes.length == 0 ? null : "application/json");
    return request;
  }

  static ReplayGuard replayGuard(Database database) {
    return new ReplayGuard(database, CryptoProvider.jdk(), Clock.systemUTC());
  }
}
