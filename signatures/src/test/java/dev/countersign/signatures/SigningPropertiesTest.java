package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.base.ComponentIdentifier;
import dev.countersign.signatures.base.FieldType;
import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.SignatureParameters;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.keys.CryptoProvider;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;

/**
 * Properties of every message, algorithm and choice of components: it verifies as signed, no
 * covered part can change, and every other part can.
 */
class SigningPropertiesTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final Instant NOW = Instant.ofEpochSecond(1709622489);

  /** An exchange, and the components that a signature over it covers. */
  record Signed(
      GeneratedExchange exchange,
      List<ComponentIdentifier> components,
      SignatureAlgorithm algorithm) {}

  @Property(seed = "9421")
  void request_signed_verifies(@ForAll("requests") Signed signed) {
    VerifiedSignature verified = verifyRequest(signed, signed.exchange(), sign(signed));
    assertThat(verified.components()).containsExactlyElementsOf(signed.components());
  }

  @Property(seed = "9421")
  void request_oneChange_failsExactlyWhereItIsCovered(@ForAll("requests") Signed signed) {
    SignedFields fields = sign(signed);
    for (MessageChange messageChange : MessageChange.toRequest(signed.exchange())) {
      GeneratedExchange changed = messageChange.to().apply(signed.exchange());
      if (signed.components().stream().anyMatch(messageChange::shows)) {
        assertThatExceptionOfType(VerificationException.class)
            .as(messageChange.what())
            .isThrownBy(() -> verifyRequest(signed, changed, fields));
      } else {
        assertThat(verifyRequest(signed, changed, fields)).as(messageChange.what()).isNotNull();
      }
    }
  }

  @Property(seed = "9421")
  void request_bodyChanged_fails(
      @ForAll("requests") Signed signed, @ForAll("places") double place) {
    SignedFields fields = sign(signed);
    byte[] other = changed(signed.exchange().body().getBytes(US_ASCII), place);
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> verifier(signed).verify(withSignature(signed.exchange(), fields), other));
  }

  /** Flips one bit of the body, or adds a byte to an empty one. */
  private static byte[] changed(byte[] body, double place) {
    byte[] other = Arrays.copyOf(body, Math.max(1, body.length));
    other[(int) (place * other.length)] ^= 1;
    return other;
  }

  @Property(seed = "9421")
  void signatureFields_oneCharacterChanged_fail(
      @ForAll("requests") Signed signed, @ForAll("places") double place) {
    SignedFields fields = sign(signed);
    String input = fields.signatureInput();
    int at = (int) (place * input.length());
    char other = input.charAt(at) == 'a' ? 'b' : 'a';
    String changed = input.substring(0, at) + other + input.substring(at + 1);
    assertThatExceptionOfType(VerificationException.class)
        .as(changed)
        .isThrownBy(
            () ->
                verifyRequest(
                    signed,
                    signed.exchange(),
                    new SignedFields(changed, fields.signature(), fields.base())));
  }

  @Property(seed = "9421")
  void response_boundToItsRequest_failsWhenEitherChanges(
      @ForAll("requests") Signed signed, @ForAll("statuses") int status) {
    List<ComponentIdentifier> components = new ArrayList<>();
    components.add(ComponentIdentifier.of("@status"));
    if (!signed.exchange().responseBody().isEmpty()) {
      components.add(ComponentIdentifier.of("content-digest"));
    }
    signed.components().forEach(component -> components.add(component.withReq()));
    GeneratedExchange exchange = signed.exchange().withStatus(status);
    SignedFields fields = signer(signed).sign(exchange.response(), "sig", input(components));

    assertThat(verifyResponse(signed, exchange, fields)).isNotNull();
    assertThatExceptionOfType(VerificationException.class)
        .isThrownBy(() -> verifyResponse(signed, exchange.withStatus(status + 1), fields));
    for (MessageChange messageChange : MessageChange.toRequest(exchange)) {
      GeneratedExchange changed = messageChange.to().apply(exchange);
      if (signed.components().stream().anyMatch(messageChange::shows)) {
        assertThatExceptionOfType(VerificationException.class)
            .as(messageChange.what())
            .isThrownBy(() -> verifyResponse(signed, changed, fields));
      } else {
        assertThat(verifyResponse(signed, changed, fields)).as(messageChange.what()).isNotNull();
      }
    }
  }

  private static SignatureProfile profile() {
    return SignatureProfile.covering()
        .withFieldType("x-dict", FieldType.DICTIONARY)
        .withAlgorithms(SignatureAlgorithm.values());
  }

  private static MessageSigner signer(Signed signed) {
    return new MessageSigner(profile(), AlgorithmKeys.signing(signed.algorithm(), JDK));
  }

  private static SignedFields sign(Signed signed) {
    return signer(signed).sign(signed.exchange().request(), "sig", input(signed.components()));
  }

  private static SignatureInput input(List<ComponentIdentifier> components) {
    SignatureParameters parameters = SignatureParameters.none().withCreated(NOW).withKeyid("key");
    return new SignatureInput(components, parameters);
  }

  private static MessageVerifier verifier(Signed signed) {
    VerificationKey key = AlgorithmKeys.verification(signed.algorithm(), JDK);
    KeyLookup keys = keyid -> keyid.equals("key") ? List.of(key) : List.of();
    return new MessageVerifier(profile(), keys, Clock.fixed(NOW, ZoneOffset.UTC), JDK);
  }

  private static VerifiedSignature verifyRequest(
      Signed signed, GeneratedExchange received, SignedFields fields) {
    return verifier(signed)
        .verify(withSignature(received, fields), received.body().getBytes(US_ASCII));
  }

  private static RequestMessage withSignature(GeneratedExchange exchange, SignedFields fields) {
    return exchange
        .withField("signature-input", List.of(fields.signatureInput()))
        .withField("signature", List.of(fields.signature()))
        .request();
  }

  private static VerifiedSignature verifyResponse(
      Signed signed, GeneratedExchange received, SignedFields fields) {
    ResponseMessage response =
        received
            .withResponseField("signature-input", List.of(fields.signatureInput()))
            .withResponseField("signature", List.of(fields.signature()))
            .response();
    return verifier(signed).verify(response, received.responseBody().getBytes(US_ASCII));
  }

  @Provide
  Arbitrary<Signed> requests() {
    return Combinators.combine(exchanges(), Arbitraries.of(SignatureAlgorithm.class))
        .as(Tuple::of)
        .flatMap(
            made ->
                mixes(made.get1())
                    .map(components -> new Signed(made.get1(), components, made.get2())));
  }

  @Provide
  Arbitrary<Double> places() {
    return Arbitraries.doubles().between(0, 0.99);
  }

  @Provide
  Arbitrary<Integer> statuses() {
    return Arbitraries.integers().between(200, 598);
  }

  private static Arbitrary<GeneratedExchange> exchanges() {
    Arbitrary<String> bodies = Arbitraries.strings().ascii().ofMaxLength(40);
    Arbitrary<String> paths =
        Arbitraries.strings().withChars("abc/%2F.~-").ofMaxLength(12).map(path -> '/' + path);
    Arbitrary<Tuple2<String, String>> origins =
        Combinators.combine(
                Arbitraries.of("http", "https"),
                Arbitraries.of("a.example", "b.example:8443", "[2001:db8::1]", "[::1]:8080"))
            .as(Tuple::of);
    return Combinators.combine(
            Arbitraries.of("GET", "POST", "PUT", "M-SEARCH"),
            origins,
            paths,
            parameters(),
            fields(),
            bodies,
            bodies)
        .as(
            (method, origin, path, query, fields, body, responseBody) ->
                new GeneratedExchange(
                        method,
                        origin.get1(),
                        origin.get2(),
                        path,
                        query,
                        fields,
                        body,
                        200,
                        Map.of(),
                        responseBody)
                    .withField("x-dict", List.of("a=1, b=2"))
                    .withDigests());
  }

  private static Arbitrary<Map<String, String>> parameters() {
    Arbitrary<String> values =
        Arbitraries.of("", "1", "a+b", "%20", "caf%C3%A9", "%2B", "x=y", "~");
    return Arbitraries.maps(Arbitraries.of("page", "size", "sort"), values)
        .ofMaxSize(3)
        .map(LinkedHashMap::new);
  }

  private static Arbitrary<Map<String, List<String>>> fields() {
    Arbitrary<String> lines = Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(20);
    return Arbitraries.maps(
            Arbitraries.of("accept", "x-a", "x-b", "cookie"),
            lines.list().ofMinSize(1).ofMaxSize(3))
        .ofMaxSize(4)
        .map(LinkedHashMap::new);
  }

  /** Any components of the request, in any order, and always the digest of a body. */
  private static Arbitrary<List<ComponentIdentifier>> mixes(GeneratedExchange exchange) {
    List<ComponentIdentifier> all = new ArrayList<>();
    List.of("@method", "@target-uri", "@authority", "@scheme", "@request-target", "@path", "@query")
        .forEach(name -> all.add(ComponentIdentifier.of(name)));
    exchange.query().keySet().forEach(name -> all.add(ComponentIdentifier.queryParam(name)));
    exchange
        .fields()
        .forEach(
            (name, lines) -> {
              if (!name.equals("content-digest")) {
                all.add(ComponentIdentifier.of(name));
                all.add(ComponentIdentifier.of(name).withBs());
              }
            });
    all.add(ComponentIdentifier.of("x-dict").withSf());
    all.add(ComponentIdentifier.of("x-dict").withKey("a"));
    all.add(ComponentIdentifier.of("x-dict").withKey("b"));
    return Arbitraries.of(all)
        .set()
        .ofMaxSize(all.size())
        .map(
            some -> {
              List<ComponentIdentifier> components = new ArrayList<>(some);
              if (!exchange.body().isEmpty()) {
                components.add(ComponentIdentifier.of("content-digest"));
              }
              return components;
            });
  }
}
