package dev.countersign.server.access;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.server.TestService;
import dev.countersign.server.access.directory.AttributeValue;
import dev.countersign.server.access.directory.CommittedClients;
import dev.countersign.server.access.directory.Permission;
import dev.countersign.server.access.directory.RegisteredClient;
import dev.countersign.server.access.network.NetworkWhitelist;
import dev.countersign.server.access.network.PublicUrls;
import dev.countersign.server.access.network.TrustedProxies;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.VerificationKey;
import dev.countersign.signatures.keys.CryptoProvider;
import java.net.URI;
import java.security.KeyPair;
import java.time.Clock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

/** Requests that were signed and then authenticated, for tests of the later steps. */
public final class SignedCalls {
  private static final String CLIENT_ID = "partner";
  private static final CryptoProvider CRYPTO = TestService.CRYPTO;
  private static final Clock CLOCK = Clock.systemUTC();
  private static final KeyPair KEYS = TestService.newKeyPair();

  private static volatile @Nullable RegisteredClient latest;

  private SignedCalls() {}

  /** The client of the latest request, as if it was committed. */
  public static CommittedClients committed() {
    return (sql, clientId) -> Optional.ofNullable(latest);
  }

  /**
   * A request as the signature filter passes it to a handler.
   *
   * @param target path and query
   * @param body empty for none
   * @param permissions what the client may do
   */
  public static MockHttpServletRequest signed(
      String method, String target, byte[] body, Set<Permission> permissions) {
    return signed(method, target, body, permissions, Map.of(), Map.of());
  }

  /**
   * A request of a client with attributes.
   *
   * @param headers more header fields, such as Idempotency-Key
   */
  public static MockHttpServletRequest signed(
      String method,
      String target,
      byte[] body,
      Set<Permission> permissions,
      Map<String, AttributeValue> attributes,
      Map<String, String> headers) {
    return signed(CLIENT_ID, method, target, body, permissions, attributes, headers);
  }

  /** A request of a client with this clientId. */
  public static MockHttpServletRequest signed(
      String clientId,
      String method,
      String target,
      byte[] body,
      Set<Permission> permissions,
      Map<String, AttributeValue> attributes,
      Map<String, String> headers) {
    MockHttpServletRequest request = request(method, target, body);
    SignableRequest signable =
        SignableRequest.of(method, "https://api.example.com" + target, CLOCK.instant())
            .withBody(body, CRYPTO);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      signable = signable.withHeader(header.getKey(), header.getValue());
    }
    signable.signedBy(signer(clientId)).forEach(request::addHeader);
    authenticator(clientId, permissions, attributes)
        .authenticate(request, caller -> {})
        .attachTo(request);
    return request;
  }

  /** Receives the same bytes again, of a client without permissions and attributes. */
  static MockHttpServletRequest receivedAgain(MockHttpServletRequest sent) {
    byte[] body = sent.getContentAsByteArray();
    MockHttpServletRequest request =
        request(sent.getMethod(), sent.getRequestURI(), body == null ? new byte[0] : body);
    for (String name : Collections.list(sent.getHeaderNames())) {
      if (request.getHeader(name) == null) {
        request.addHeader(name, sent.getHeader(name));
      }
    }
    authenticator(CLIENT_ID, Set.of(), Map.of())
        .authenticate(request, caller -> {})
        .attachTo(request);
    return request;
  }

  private static MockHttpServletRequest request(String method, String target, byte[] body) {
    int mark = target.indexOf('?');
    MockHttpServletRequest request =
        new MockHttpServletRequest(method, mark < 0 ? target : target.substring(0, mark));
    request.setQueryString(mark < 0 ? null : target.substring(mark + 1));
    request.setScheme("https");
    request.addHeader("Host", "api.example.com");
    request.setContent(body);
    return request;
  }

  private static MessageSigner signer(String clientId) {
    return new MessageSigner(
        PartnerProfile.REQUEST,
        new SigningKey(clientId, SignatureAlgorithm.RSA_V1_5_SHA256, KEYS.getPrivate(), CRYPTO));
  }

  private static VerificationKey verificationKey() {
    return new VerificationKey(
        SignatureAlgorithm.RSA_V1_5_SHA256, KEYS.getPublic(), CryptoProvider.jdk());
  }

  private static RequestAuthenticator authenticator(
      String clientId, Set<Permission> permissions, Map<String, AttributeValue> attributes) {
    RegisteredClient client =
        new RegisteredClient(
            clientId,
            true,
            NetworkWhitelist.parse(List.of("127.0.0.1")),
            permissions,
            attributes,
            List.of(new RegisteredClient.Key("SHA256:x", verificationKey(), null)));
    latest = client;
    AccessProperties access =
        new AccessProperties(
            AccessProperties.DateRule.REQUIRED,
            AccessProperties.LabelRule.SIG,
            Duration.ofSeconds(300),
            Duration.ofSeconds(30),
            List.of(),
            DataSize.ofMegabytes(1),
            Duration.ofSeconds(10),
            0,
            0,
            0,
            Duration.ofSeconds(60));
    return new RequestAuthenticator(
        access,
        new TrustedProxies(List.of()),
        PublicUrls.of(List.<URI>of()),
        keyid -> keyid.equals(clientId) ? Optional.of(client) : Optional.empty(),
        NodeFitnessTest.fit(),
        CRYPTO,
        CLOCK);
  }
}
