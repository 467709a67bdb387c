package dev.countersign.client;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Shuts down an {@link HttpClient} through methods that Java 21 added. On older versions, the
 * methods of this class do nothing, and those with a result return false.
 */
record HttpClientShutdown(HttpClient client) {

  void shutdown() {
    call("shutdown");
  }

  void shutdownNow() {
    call("shutdownNow");
  }

  void close() {
    call("close");
  }

  boolean isTerminated() {
    return Boolean.TRUE.equals(call("isTerminated"));
  }

  boolean awaitTermination(Duration duration) throws InterruptedException {
    Optional<Method> method = method("awaitTermination", Duration.class);
    try {
      return method.isPresent() && Boolean.TRUE.equals(method.get().invoke(client, duration));
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      throw failure(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private @Nullable Object call(String name) {
    Optional<Method> method = method(name);
    try {
      return method.isPresent() ? method.get().invoke(client) : null;
    } catch (InvocationTargetException e) {
      throw failure(e);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static RuntimeException failure(InvocationTargetException e) {
    return e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e);
  }

  private static Optional<Method> method(String name, Class<?>... parameters) {
    try {
      return Optional.of(HttpClient.class.getMethod(name, parameters));
    } catch (NoSuchMethodException e) {
      return Optional.empty();
    }
  }
}
