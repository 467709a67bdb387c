package dev.countersign.server.listings;

import dev.countersign.server.access.CallingClient;
import dev.countersign.server.access.NetworkWhitelist;
import dev.countersign.server.access.OnceOnly;
import dev.countersign.server.access.Permission;
import dev.countersign.server.access.RegisteredClient;
import dev.countersign.server.access.SignedRequest;
import dev.countersign.server.store.Database;
import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.mock.web.MockHttpServletRequest;

/**
 * Requests as the signature filter leaves them. Only that filter may make one, so that this fixture
 * reaches around it by reflection: the one place to change when its constructors do.
 */
final class Calls {
  private Calls() {}

  static MockHttpServletRequest signed(
      String method, String target, String body, String... permissions) {
    int mark = target.indexOf('?');
    String path = mark < 0 ? target : target.substring(0, mark);
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    MockHttpServletRequest request = new MockHttpServletRequest(method, path);
    request.setContentType(bytes.length == 0 ? null : "application/json");
    request.setAttribute(
        SignedRequest.class.getName(),
        make(
            SignedRequest.class,
            client(permissions),
            method,
            "https://api.example.com" + target,
            bytes));
    return request;
  }

  static OnceOnly onceOnly(Database database) {
    return make(OnceOnly.class, database);
  }

  private static CallingClient client(String... permissions) {
    Set<Permission> granted =
        Arrays.stream(permissions).map(Permission::of).collect(Collectors.toSet());
    return make(
        CallingClient.class,
        new RegisteredClient(
            "cl-test", true, NetworkWhitelist.parse(List.of("0.0.0.0")), granted, List.of()));
  }

  private static <T> T make(Class<T> type, Object... arguments) {
    try {
      Constructor<?> only = type.getDeclaredConstructors()[0];
      only.setAccessible(true);
      return type.cast(only.newInstance(arguments));
    } catch (ReflectiveOperationException e) {
      throw new AssertionError("the access package makes its types in another way now", e);
    }
  }
}
