package dev.countersign.server.http;

import dev.countersign.server.access.AccessProperties;
import dev.countersign.server.access.LoadShedder;
import org.apache.catalina.core.StandardHost;
import org.apache.coyote.ContinueResponseTiming;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Configures Tomcat: its valves, error reports and protocols. */
@Configuration(proxyBeanMethods = false)
class TomcatConfiguration {
  @Bean
  Drain drain() {
    return new Drain();
  }

  @Bean
  WebServerFactoryCustomizer<TomcatServletWebServerFactory> engine(
      RequestLog requestLog,
      ProblemWriter problems,
      AccessProperties access,
      LoadShedder loadShedder) {
    return factory -> {
      // The log comes second, so that a request is no longer in flight while its body is discarded.
      factory.addEngineValves(new BodyDrainValve(requestLog), requestLog);
      factory.addContextCustomizers(
          context -> {
            StandardHost host = (StandardHost) context.getParent();
            host.setErrorReportValveClass("");
            host.getPipeline().addValve(new EngineRejections(problems));
          });
      Http2 setting = factory.getHttp2();
      boolean http2 = setting != null && setting.isEnabled();
      // Switches off Spring's own HTTP/2, because it would accept upgrades from HTTP/1.1.
      factory.setHttp2(new Http2());
      factory.addConnectorCustomizers(
          connector -> {
            if (http2) {
              connector.addUpgradeProtocol(new DirectHttp2(access.bodyTimeout()));
            }
            StrictAdapter.addTo(connector);
            var http = (AbstractHttp11Protocol<?>) connector.getProtocolHandler();
            // Without virtual threads, Tomcat creates its own pool of threads, which is bounded.
            if (http.getExecutor() != null) {
              http.setExecutor(loadShedder.counting(http.getExecutor()));
            }
            // Sends 100 (Continue) when the body is first read. By then, the signature has been
            // checked.
            http.setContinueResponseTiming(ContinueResponseTiming.ON_REQUEST_BODY_READ.toString());
            // Limits the time of each read of a body, so that a client cannot stall in the middle
            // of a body.
            http.setDisableUploadTimeout(false);
            http.setConnectionUploadTimeout((int) access.bodyTimeout().toMillis());
          });
    };
  }
}
