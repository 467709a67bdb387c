package dev.countersign.server.listings;

import dev.countersign.server.TestRequest;
import dev.countersign.server.access.TestCaller;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.once.ReplayGuard;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Creates requests to listings, as the signature filter passes them on, and their scopes. */
final class Calls {
  private Calls() {}

  /** Returns a request of a client without attributes. */
  static TestCaller.Call signed(String method, String target, String body, String... permissions) {
    return signed(method, target, body, Map.of(), permissions);
  }

  /** Returns a request of a client with these attributes. */
  static TestCaller.Call signed(
      String method,
      String target,
      String body,
      Map<String, AttributeValue> attributes,
      String... permissions) {
    return signed(method, target, body, attributes, Map.of(), permissions);
  }

  /** Returns a request of a client with these attributes, with further header fields. */
  static TestCaller.Call signed(
      String method,
      String target,
      String body,
      Map<String, AttributeValue> attributes,
      Map<String, String> headers,
      String... permissions) {
    return call(
        TestCaller.of("partner", permissions(permissions), attributes),
        method,
        target,
        body,
        headers);
  }

  /** Returns a GET request of the client with this clientId, which has no attributes. */
  static TestCaller.Call get(String clientId, String target, String permission) {
    return call(
        TestCaller.of(clientId, permissions(permission), Map.of()), "GET", target, "", Map.of());
  }

  private static TestCaller.Call call(
      TestCaller caller, String method, String target, String body, Map<String, String> headers) {
    TestRequest request = caller.signed(method, target, body);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      request = request.with(header.getKey(), header.getValue());
    }
    return new TestCaller.Call(caller, request);
  }

  private static Set<Permission> permissions(String... permissions) {
    return Arrays.stream(permissions).map(Permission::of).collect(Collectors.toSet());
  }

  /** Returns the scope of a client without attributes. */
  static CallerScope scope(Listing listing) {
    return scope(listing, Map.of());
  }

  /** Returns the scope of a client with these attributes. */
  static CallerScope scope(Listing listing, Map<String, AttributeValue> attributes) {
    TestCaller caller = TestCaller.of("partner", Set.of(), attributes);
    return CallerScope.of(listing, caller.authenticated(caller.signed("GET", "/", "")).client());
  }

  static ReplayGuard replayGuard(Database database) {
    return new ReplayGuard(
        database, TestCaller.committedClients(), CryptoProvider.jdk(), Clock.systemUTC());
  }
}
