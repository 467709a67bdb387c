package dev.countersign.server.portal.signin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.server.clients.TestClock;
import dev.countersign.server.portal.OpenIdProperties;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.web.client.ResourceAccessException;

class OpenIdProviderTest {
  private static final OpenIdProperties SETTINGS =
      new OpenIdProperties(
          URI.create("https://id.example"),
          "portal",
          "secret",
          List.of("openid"),
          "groups",
          List.of("ops"),
          List.of());

  private final TestClock clock = new TestClock();
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void registration_afterAFailure_isNotAskedForAgainForTenSeconds() {
    OpenIdProvider provider = new OpenIdProvider(SETTINGS, null, this::unreachable, clock);
    assertThatThrownBy(provider::registration).hasMessage("no route");
    clock.advance(Duration.ofSeconds(10).minusMillis(1));
    assertThatThrownBy(provider::registration).hasMessageContaining("did not answer recently");
    assertThat(asked).hasValue(1);
    clock.advance(Duration.ofMillis(1));
    assertThatThrownBy(provider::registration).hasMessage("no route");
    assertThat(asked).hasValue(2);
  }

  @Test
  void registration_manyAtOnce_askOnce() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    OpenIdProvider provider =
        new OpenIdProvider(SETTINGS, null, issuer -> slow(issuer, answer), clock);
    try (TestThreads people = TestThreads.of(4)) {
      List<Future<ClientRegistration>> all =
          List.of(
              people.submit(provider::registration),
              people.submit(provider::registration),
              people.submit(provider::registration),
              people.submit(provider::registration));
      Thread.sleep(200);
      answer.countDown();
      for (Future<ClientRegistration> one : all) {
        assertThat(Waits.forResult(one).getClientId()).isEqualTo("portal");
      }
    }
    assertThat(asked).hasValue(1);
  }

  @Test
  void describe_providerThatAcceptsAndSaysNothing_endsAtItsTime() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
      OpenIdRequests requests = new OpenIdRequests(Duration.ofSeconds(1), Duration.ofMillis(200));
      assertThatThrownBy(
              () -> requests.describe(URI.create("http://localhost:" + silent.getLocalPort())))
          .isInstanceOf(ResourceAccessException.class);
    }
  }

  private ClientRegistration.Builder unreachable(URI issuer) {
    asked.incrementAndGet();
    throw new IllegalStateException("no route");
  }

  private ClientRegistration.Builder slow(URI issuer, CountDownLatch answer) {
    asked.incrementAndGet();
    try {
      Waits.forLatch(answer);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return ClientRegistration.withRegistrationId("x")
        .authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
        .authorizationUri(issuer + "/authorize")
        .tokenUri(issuer + "/token");
  }
}
