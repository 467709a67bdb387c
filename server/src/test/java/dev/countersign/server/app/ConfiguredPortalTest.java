package dev.countersign.server.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.StandardEnvironment;

class ConfiguredPortalTest {

  @Test
  void of_settings_isThePublicUrlElseThePortOfThisMachine() {
    assertThat(url(Map.of())).isEqualTo("http://localhost:8081/portal");
    assertThat(url(Map.of("server.port", 9000))).isEqualTo("http://localhost:9001/portal");
    assertThat(url(Map.of("server.port", 9000, "countersign.portal.port", 9443)))
        .isEqualTo("http://localhost:9443/portal");
    assertThat(url(Map.of("server.port", 9000, "countersign.portal.port", "api")))
        .isEqualTo("http://localhost:9000/portal");
    assertThat(url(Map.of("server.ssl.key-store", "keys.p12")))
        .isEqualTo("http://localhost:8081/portal");
    assertThat(url(Map.of("server.ssl.key-store", "keys.p12", "countersign.portal.port", "api")))
        .isEqualTo("https://localhost:8080/portal");
    assertThat(
            url(
                Map.of(
                    "countersign.portal.port",
                    9001,
                    "countersign.portal.address",
                    "::1",
                    "server.ssl.key-store",
                    "keys.p12")))
        .isEqualTo("https://[0:0:0:0:0:0:0:1]:9001/portal");
    for (String any : new String[] {"0.0.0.0", "::"}) {
      assertThat(url(Map.of("countersign.portal.address", any)))
          .as("every address includes this machine's own")
          .isEqualTo("http://localhost:8081/portal");
    }
    assertThat(url(Map.of("countersign.portal.address", "localhost", "server.ssl.key-store", "x")))
        .as("the name, which is in the certificate")
        .isEqualTo("https://localhost:8081/portal");
    assertThat(url(Map.of("countersign.portal.public-url", "https://x.example/portal")))
        .isEqualTo("https://x.example/portal");
  }

  private static String url(Map<String, Object> settings) {
    return ConfiguredPortal.of(
            new StandardEnvironment() {
              @Override
              protected void customizePropertySources(MutablePropertySources sources) {
                sources.addLast(new MapPropertySource("test", settings));
              }
            })
        .get();
  }
}
