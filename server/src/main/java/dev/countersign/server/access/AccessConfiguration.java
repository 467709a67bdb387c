package dev.countersign.server.access;

import dev.countersign.server.store.Database;
import dev.countersign.server.store.Rounds;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.Duration;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** Configures the access path, which runs before everything else. */
@Configuration(proxyBeanMethods = false)
class AccessConfiguration {
  private static final Duration PURGED_EVERY = Duration.ofMinutes(1);

  @Bean
  RequestAuthenticator requestAuthenticator(
      AccessProperties access,
      PublicUrls publicUrls,
      ClientDirectory clients,
      CryptoProvider crypto,
      Clock clock) {
    return new RequestAuthenticator(access, publicUrls, clients, crypto, clock);
  }

  @Bean
  Verifications verifications(RequestAuthenticator authenticator) {
    return authenticator.verifications();
  }

  @Bean
  ProblemWriter problemWriter(ErrorProperties errors) {
    return new ProblemWriter(errors.signatureBase());
  }

  @Bean
  OnceOnly onceOnly(Database database, CryptoProvider crypto, Clock clock) {
    return new OnceOnly(database, crypto, clock);
  }

  @Bean
  Rounds regularPurge(OnceOnly onceOnly) {
    return Rounds.start("regular-purge", PURGED_EVERY, onceOnly::purge);
  }

  @Bean
  FilterRegistrationBean<SignatureFilter> signatureFilter(
      RequestAuthenticator authenticator, ProblemWriter problems, OpenPaths openPaths) {
    FilterRegistrationBean<SignatureFilter> registration =
        new FilterRegistrationBean<>(new SignatureFilter(authenticator, problems, openPaths));
    registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
    registration.addUrlPatterns("/*");
    return registration;
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> engine(
      ProblemWriter problems,
      AccessProperties access,
      ObjectProvider<RequestObserver> observer,
      Clock clock) {
    return factory -> {
      factory.addEngineValves(new RequestLog(observation(observer, clock)), new UnreadBody());
      factory.addContextCustomizers(
          context -> {
            StandardHost host = (StandardHost) context.getParent();
            host.setErrorReportValveClass("");
            host.getPipeline().addValve(new EngineRejections(problems));
          });
      Http2 setting = factory.getHttp2();
      boolean http2 = setting != null && setting.isEnabled();
      factory.setHttp2(new Http2()); // Spring's own would take upgrades.
      factory.addConnectorCustomizers(
          connector -> {
            if (http2) {
              connector.addUpgradeProtocol(new DirectHttp2(access.bodyTimeout()));
            }
            StrictAdapter.addTo(connector);
            var http = (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
            // Sends 100 (Continue) when the body is first read, which is after the check signature.
            http.setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
            // Limits the time of an upload, so that a client that stalls in the middle of a body is
            // cut off.
            http.setDisableUploadTimeout(false);
            http.setConnectionUploadTimeout((int) access.bodyTimeout().toMillis());
          });
    };
  }

  private static @Nullable RequestObservation observation(
      ObjectProvider<RequestObserver> provider, Clock clock) {
    RequestObserver observer = provider.getIfAvailable();
    return observer == null ? null : new RequestObservation(observer, clock);
  }
}
