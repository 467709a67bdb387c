package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class PortalPropertiesTest {
  @Test
  void noSetting_hasTheDocumentedDefaults() {
    PortalProperties portal = bound(Map.of());
    assertThat(portal.enabled()).isTrue();
    assertThat(portal.port()).isNull();
    assertThat(portal.idleLimit()).hasMinutes(30);
    assertThat(portal.sessionLimit()).hasHours(12);
  }

  @ParameterizedTest
  @CsvSource({
    "port, 0",
    "port, 65535",
    "port, api",
    "address, 127.0.0.1",
    "idle-limit, 1m",
    "idle-limit, 24h",
    "session-limit, 5m",
    "session-limit, 7d",
    "public-url, http://localhost:8080/portal",
    "public-url, https://ops.example.com/portal",
  })
  void value_withinItsRange_isAccepted(String name, String value) {
    assertThat(bound(Map.of(name, value))).isNotNull();
  }

  @ParameterizedTest
  @CsvSource({
    "port, -1, 'portal.port must be 0 to 65535 or api, was -1'",
    "port, 65536, 'portal.port must be 0 to 65535 or api, was 65536'",
    "port, API, 'portal.port must be 0 to 65535 or api, was API'",
    "port, '', 'portal.port must be 0 to 65535 or api, was '",
    "idle-limit, 59s, 'portal.idle-limit must be 1 to 1440 minutes, was 59 s'",
    "idle-limit, 86401s, 'portal.idle-limit must be 1 to 1440 minutes, was 86401 s'",
    "session-limit, 299s, 'portal.session-limit must be 5 to 10080 minutes, was 299 s'",
    "session-limit, 8d, 'portal.session-limit must be 5 to 10080 minutes, was 691200 s'",
    "passwords, false, portal.passwords is false and portal.openid is not set",
  })
  void value_outsideItsRange_isRefusedWithTheRange(String name, String value, String message) {
    assertRefused(name, value, message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://ops.example.com/portal",
        "https:///portal",
        "https://ops.example.com/portal?a",
        "https://ops.example.com/portal#a",
        "https://ops.example.com/",
        "https://admin@ops.example.com/portal",
      })
  void publicUrl_thatIsNotThePortals_isRefused(String url) {
    assertRefused("public-url", url, "portal.public-url must be a URL such as");
  }

  @Test
  void publicUrl_withAPassword_isRefusedWithoutIt() {
    assertRefused(
        "public-url",
        "https://admin:s3cret@ops.example.com/portal",
        "such as https://ops.example.com/portal, was https://…");
  }

  @Test
  void publicUrl_withAHostThatIsRefused_namesTheCharacter() {
    assertRefused(
        "public-url",
        "https://ops_host/portal",
        "portal.public-url cannot be used: the host \"ops_host\" has the character \"_\" (U+005F)");
  }

  @Test
  void address_besideThePortOfTheApi_isRefused() {
    assertThatThrownBy(() -> bound(Map.of("address", "127.0.0.1", "port", "api")))
        .rootCause()
        .hasMessageContaining("portal.address is the address of the portal's own port");
  }

  @Test
  void ownPort_withoutASetting_isTheOneAfterThatOfTheApi() {
    PortalProperties none = bound(Map.of());
    assertThat(none.ownPort(8080)).isEqualTo(8081);
    assertThat(none.ownPort(0)).as("any free one").isZero();
    assertThat(bound(Map.of("address", "127.0.0.1")).ownPort(8080)).isEqualTo(8081);
    assertThat(bound(Map.of("port", "9443")).ownPort(8080)).isEqualTo(9443);
    assertThatThrownBy(() -> none.ownPort(65_535)).hasMessageContaining("set portal.port");
  }

  @Test
  void portal_isLocal_unlessItsPortOrAddressIsSet() {
    assertThat(bound(Map.of()).isLocal()).isTrue();
    for (Map<String, String> settings :
        List.of(
            Map.of("address", "127.0.0.1"),
            Map.of("port", "9443"),
            Map.of("port", "0"),
            Map.of("port", "api"))) {
      assertThat(bound(settings).isLocal()).as("%s", settings).isFalse();
    }
  }

  private static void assertRefused(String name, String value, String message) {
    assertThatThrownBy(() -> bound(Map.of(name, value)))
        .isInstanceOf(BindException.class)
        .rootCause()
        .hasMessageContaining(message);
  }

  private static PortalProperties bound(Map<String, String> settings) {
    Map<String, String> named = new LinkedHashMap<>();
    settings.forEach((name, value) -> named.put("portal." + name, value));
    return new Binder(new MapConfigurationPropertySource(named))
        .bindOrCreate("portal", PortalProperties.class);
  }
}
