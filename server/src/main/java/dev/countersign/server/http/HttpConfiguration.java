package dev.countersign.server.http;

import dev.countersign.server.access.Operation;
import dev.countersign.server.access.RequestAuthenticator;
import dev.countersign.server.access.outcome.RequestObserver;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Configures what surrounds the checks of a request: the filter that requires them, the log, and
 * the answers to refused requests.
 */
@Configuration(proxyBeanMethods = false)
class HttpConfiguration {
  @Bean
  RequestLines requestLines() {
    return new RequestLines(System::nanoTime, RequestLines.FLUSH_LIMIT, System.err);
  }

  @Bean
  ProblemWriter problemWriter(ErrorProperties errors) {
    return new ProblemWriter(errors.signatureBase());
  }

  @Bean
  FilterRegistrationBean<SignatureFilter> signatureFilter(
      RequestAuthenticator authenticator,
      ProblemWriter problems,
      OpenPaths openPaths,
      List<Operation.Finder> operations) {
    FilterRegistrationBean<SignatureFilter> registration =
        new FilterRegistrationBean<>(
            new SignatureFilter(authenticator, problems, openPaths, operations));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  @Bean
  RouterFunction<ServerResponse> operations() {
    return SignatureFilter.operations();
  }

  @Bean
  RequestLog requestLog(RequestLines lines, ObjectProvider<RequestObserver> observer, Clock clock) {
    return new RequestLog(lines, observation(observer, clock));
  }

  @Bean
  MeterBinder httpMeters(RequestLog log, RequestLines lines) {
    return registry -> {
      Gauge.builder("countersign.requests.in.flight", log, RequestLog::inFlight)
          .description("Requests that have begun and not ended")
          .register(registry);
      FunctionCounter.builder("countersign.log.lines.dropped", lines, RequestLines::dropped)
          .description("Lines of unverified requests that the log was too slow for")
          .register(registry);
    };
  }

  private static @Nullable RequestObservation observation(
      ObjectProvider<RequestObserver> provider, Clock clock) {
    RequestObserver observer = provider.getIfAvailable();
    return observer == null ? null : new RequestObservation(observer, clock);
  }
}
