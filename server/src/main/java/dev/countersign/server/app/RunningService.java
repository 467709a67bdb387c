package dev.countersign.server.app;

import dev.countersign.server.commands.CommandException;
import dev.countersign.server.config.Configuration;
import dev.countersign.server.config.CountersignProperties;
import dev.countersign.server.config.StartupFailure;
import dev.countersign.server.http.Drain;
import dev.countersign.server.metrics.MetricsPort;
import dev.countersign.server.nodes.Heartbeat;
import dev.countersign.server.operators.signin.OneTimeLinkService;
import dev.countersign.server.portal.PortalProperties;
import dev.countersign.server.portal.PortalServer;
import dev.countersign.server.store.Database;
import dev.countersign.server.store.StoreUnavailableException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.autoconfigure.ServerProperties;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.dao.DataAccessException;

/** A service that has started and serves requests. */
public final class RunningService implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RunningService.class);
  private static final String SHUTDOWN_HOOK = "spring.main.register-shutdown-hook";
  // How long a node drains if others can take its requests. Load balancers usually check readiness
  // every 2 s.
  private static final Duration DRAIN_DELAY = Duration.ofSeconds(5);

  private final ConfigurableApplicationContext context;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Drain drain;
  private final AtomicBoolean isEnding = new AtomicBoolean();

  private RunningService(ConfigurableApplicationContext context) {
    this.context = context;
    this.drain = context.getBean(Drain.class);
    context.addApplicationListener(
        (ApplicationListener<ContextClosedEvent>) event -> closed.countDown());
  }

  /**
   * Starts a service with the settings of a configuration file.
   *
   * @param configuration the file to read
   * @param settings further settings, {@code key=value}, which override the file and the
   *     environment
   * @throws CommandException with one line for the operator, if the service cannot start
   */
  public static RunningService start(
      ServeOptions options, Path configuration, List<String> settings) {
    return start(
        options, Configuration.application(ServiceConfiguration.class, configuration), settings);
  }

  /** Starts a service with the built-in settings. Reads neither a file nor the environment. */
  static RunningService startBuiltIn(ServeOptions options, List<String> settings) {
    return start(options, Configuration.builtIn(ServiceConfiguration.class), settings);
  }

  private static RunningService start(
      ServeOptions options, SpringApplicationBuilder application, List<String> settings) {
    application
        .web(WebApplicationType.SERVLET)
        // Spring's hook would wait until the start is over, and a start may wait for a database.
        // Without the hook, a signal during the start ends the process at once.
        .registerShutdownHook(false)
        .initializers(
            new MetricsPort(),
            context ->
                ((GenericApplicationContext) context)
                    .registerBean(ServeOptions.class, () -> options));
    try {
      RunningService started =
          new RunningService(
              application.run(settings.stream().map(s -> "--" + s).toArray(String[]::new)));
      started.part(Database.class).startCompleted();
      started.registerShutdownHook();
      return started;
    } catch (RuntimeException e) {
      throw StartupFailure.of(e);
    }
  }

  private void registerShutdownHook() {
    if (!context.getEnvironment().getProperty(SHUTDOWN_HOOK, Boolean.class, true)) {
      return;
    }
    Thread end = new Thread(this::end, "shutdown");
    try {
      Runtime.getRuntime().addShutdownHook(end);
    } catch (IllegalStateException ending) {
      // The process is already ending. As during the start, it ends without closing the service.
      return;
    }
    context.addApplicationListener((ApplicationListener<ContextClosedEvent>) event -> forget(end));
  }

  /** Stops the service when its process ends, and flushes the log. */
  void end() {
    isEnding.set(true);
    drain();
    close();
    Runnable flush = LoggingSystem.get(RunningService.class.getClassLoader()).getShutdownHandler();
    if (flush != null) {
      flush.run();
    }
  }

  /**
   * Handles a signal: the first one ends the process with 128 plus its number as exit code, as
   * usual. Each further one ends the drain.
   */
  void stop(int signal) {
    if (isEnding.getAndSet(true)) {
      drain.endNow();
    } else {
      System.exit(128 + signal);
    }
  }

  /** Takes readiness down, and lets load balancers and clients notice before the port closes. */
  private void drain() {
    try {
      AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
      Duration delay = drainDelay();
      if (delay.isPositive()) {
        LOG.info(
            "the service stops in {} s, so that load balancers and clients turn to other nodes;"
                + " another signal stops it now",
            delay.toSeconds());
        drain.run(
            Objects.requireNonNull(((ServletWebServerApplicationContext) context).getWebServer()),
            delay);
      }
    } catch (RuntimeException e) {
      LOG.warn("the service stops at once: {}", e.getMessage());
    }
  }

  private Duration drainDelay() {
    Duration configured = context.getBean(CountersignProperties.class).drainDelay();
    if (configured != null) {
      return configured;
    }
    // On SQLite, the row of a process that was killed looks like another node for half a minute.
    return part(Database.class).dialect().isShared() && part(Heartbeat.class).hasOtherNodes()
        ? DRAIN_DELAY
        : Duration.ZERO;
  }

  /** Removes the hook of a service that was closed; the process may continue, as in a test. */
  private static void forget(Thread hook) {
    if (!Thread.currentThread().equals(hook)) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException ending) {
        // The process ends, and with it the hook.
      }
    }
  }

  /** Returns the URL of the service on this machine. */
  public String localUrl() {
    return ConfiguredPortal.url(hasTls(), "localhost", port());
  }

  private int port() {
    return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
  }

  private boolean hasTls() {
    return Ssl.isEnabled(context.getBean(ServerProperties.class).getSsl());
  }

  /**
   * Returns the configured URL of the portal, or else its URL on this machine; empty if the portal
   * is disabled.
   */
  public Optional<String> portalUrl() {
    PortalProperties portal = context.getBean(CountersignProperties.class).portal();
    if (!portal.enabled()) {
      return Optional.empty();
    }
    if (portal.sharesApiPort()) {
      return Optional.of(ConfiguredPortal.url(portal, hasTls(), "localhost", port()));
    }
    PortalServer own = part(PortalServer.class);
    return Optional.of(ConfiguredPortal.url(portal, hasTls(), own.host(), own.port()));
  }

  /**
   * Creates this node's link for the first administrator. Returns empty if no link is needed, or if
   * the portal or sign-in by password is disabled. If the store is lost, the service keeps running:
   * the result is empty, and the log says that there is no link.
   */
  public Optional<String> firstLink() {
    try {
      return makeFirstLink();
    } catch (StoreUnavailableException | DataAccessException lost) {
      LOG.warn(
          "it is not known whether an administrator exists, so no link for the first one was made;"
              + " restart the service to get it: {}",
          lost.getMessage());
      return Optional.empty();
    }
  }

  private Optional<String> makeFirstLink() {
    return portalUrl()
        .filter(url -> context.getBean(CountersignProperties.class).portal().passwords())
        .flatMap(url -> part(OneTimeLinkService.class).makeFirst(node()).map(link -> link.at(url)));
  }

  // The name of this node. It stays the same after a restart, so that a new link replaces the link
  // of the last start.
  private String node() {
    String host;
    try {
      host = InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException unnamed) {
      host = "localhost";
    }
    return host + ":" + part(ServeOptions.class).data().toAbsolutePath().normalize();
  }

  /** Returns the port of the metrics; empty if there is none. */
  public Optional<Integer> metricsPort() {
    return Optional.ofNullable(
        context.getEnvironment().getProperty("local.management.port", Integer.class));
  }

  /** Returns a bean of the service. */
  public <T> T part(Class<T> type) {
    return context.getBean(type);
  }

  /** Waits until Ctrl-C or a signal stops the service. */
  void awaitEnd() throws InterruptedException {
    closed.await();
  }

  @Override
  public void close() {
    context.close();
  }
}
