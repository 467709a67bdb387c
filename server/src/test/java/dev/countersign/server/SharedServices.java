package dev.countersign.server;

import dev.countersign.server.portal.PortalClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.platform.commons.support.AnnotationSupport;
import org.springframework.util.FileSystemUtils;

/**
 * The services of {@link SharedService}.
 *
 * <p>Design note: Surefire runs each class in its own session, and JUnit's stores end with that
 * session. The services are therefore kept in a static map, and stopped when the JVM ends.
 */
final class SharedServices implements BeforeAllCallback, ParameterResolver {
  private static final Map<Set<String>, TestService> RUNNING = new HashMap<>();
  private static final Set<Class<?>> PARAMETERS =
      Set.of(TestService.class, TestClient.class, PortalClient.class);

  /** The service with these settings. It is started for its first user. */
  static synchronized TestService get(String... settings) {
    return RUNNING.computeIfAbsent(Set.of(settings), SharedServices::start);
  }

  private static TestService start(Set<String> settings) {
    try {
      Path data = Files.createTempDirectory("countersign-shared-");
      List<String> all =
          Stream.concat(
                  // The service stops with the JVM, and a test's open connection must not delay
                  // that.
                  Stream.of(
                      "server.shutdown=immediate",
                      "spring.main.register-shutdown-hook=false",
                      "logging.level.countersign=warn"),
                  settings.stream().sorted())
              .toList();
      TestService service = TestService.startShared(data, all);
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(service, settings, data)));
      return service;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void stop(TestService service, Set<String> settings, Path data) {
    // PostgreSQL stops at the same moment, and a service on it would wait for it to return.
    if (!TestService.isOnPostgresql(settings)) {
      service.stop();
    }
    try {
      FileSystemUtils.deleteRecursively(data);
    } catch (IOException e) {
      System.err.println("The data of a shared service stay in " + data + ": " + e);
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    service(context).fillWallets(declared(context).wallets());
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return PARAMETERS.contains(parameter.getParameter().getType());
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestService service = service(context);
    Class<?> type = parameter.getParameter().getType();
    if (type == TestClient.class) {
      return service.register();
    }
    return type == TestService.class ? service : PortalClient.administrator(service);
  }

  private static TestService service(ExtensionContext context) {
    return get(declared(context).value());
  }

  private static SharedService declared(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getTestMethod(), SharedService.class)
        .or(() -> AnnotationSupport.findAnnotation(context.getTestClass(), SharedService.class))
        .orElseThrow();
  }
}
