package dev.countersign.signatures.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import dev.countersign.signatures.base.RequestMessage;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of an adapter for requests: it presents the bytes from the wire, whatever their
 * meaning.
 */
public abstract class RequestMessageContract extends MessageContract<RequestMessage> {

  /** Targets in which every byte matters. */
  private static final List<String> TARGETS =
      List.of(
          "/",
          "/a/b",
          "/a/",
          "//a//b//",
          "/a/./b/../c",
          "/../a",
          "/%2e%2E/a",
          "/%2F",
          "/a%2fb",
          "/a%5Cb",
          "/%41%7e~",
          "/%C3%A9/%c3%a9",
          "/%E9",
          "/a%00",
          "/a%20b%0D%0A",
          "/a+b",
          "/a;p=1;q/b;r",
          "/a!$&'()*,:=@",
          "/?",
          "/a?",
          "/a?b",
          "/a?b=c&",
          "/a?&&=&b",
          "/a?b=%2F%2f&c=+&d=%20&e=%C3%A9",
          "/a?b?c/d:e@f",
          "/a?http://b/c",
          "/a?sort=name,asc&sort=id%2Cdesc",
          "/a?b=1;c=2",
          "/a?b=[1]",
          "/a?b={1}",
          "/a?b=%");

  private static List<String> targets() {
    return TARGETS;
  }

  /** Targets of the contract that the library refuses or cannot send. */
  protected Set<String> refusedTargets() {
    return Set.of();
  }

  @Override
  WireMessage plain() {
    return WireMessage.of("GET / HTTP/1.1");
  }

  private static void assertSameRequest(WireExchange<RequestMessage> wireExchange) {
    NaiveRequest sent = new NaiveRequest("http", wireExchange.wire());
    assertThat(wireExchange.message().method()).isEqualTo(sent.method());
    assertThat(wireExchange.message().requestTarget()).isEqualTo(sent.requestTarget());
    assertThat(wireExchange.message().targetUri()).isEqualTo(sent.targetUri());
    assertThat(wireExchange.message().bodyFraming()).isEqualTo(sent.bodyFraming());
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "HEAD", "DELETE", "OPTIONS", "PATCH", "get", "Get", "M-SEARCH"})
  void method_isAsSent(String method) throws Exception {
    WireExchange<RequestMessage> wireExchange = exchange(WireMessage.of(method + " /a HTTP/1.1"));

    assertThat(wireExchange.message().method()).isEqualTo(method);
    assertSameRequest(wireExchange);
  }

  @ParameterizedTest
  @MethodSource("targets")
  void target_isAsSent(String target) throws Exception {
    WireMessage wanted = WireMessage.of("GET " + target + " HTTP/1.1");
    for (WireExchange<RequestMessage> wireExchange :
        exchangeUnless(refusedTargets().contains(target), wanted)) {
      assertThat(wireExchange.wire().startLine()).isEqualTo(wanted.startLine());
      assertSameRequest(wireExchange);
    }
  }

  @Test
  void refusedTargets_areOfTheContract() {
    assertThat(TARGETS).containsAll(refusedTargets());
  }

  @Test
  void target_inAbsoluteForm_isAsSent() throws Exception {
    WireMessage wanted =
        WireMessage.of("GET http://localhost/a?b HTTP/1.1").plus("Host", " localhost");
    for (WireExchange<RequestMessage> wireExchange : exchangeUnless(Leeway.ABSOLUTE_FORM, wanted)) {
      boolean lost = leeways().contains(Leeway.ABSOLUTE_FORM_BECOMES_ORIGIN_FORM);
      assertThat(wireExchange.message().requestTarget())
          .isEqualTo(lost ? "/a?b" : "http://localhost/a?b");
      assertThat(wireExchange.message().targetUri()).isEqualTo("http://localhost/a?b");
    }
  }

  @Test
  void target_asterisk_isAsSent() throws Exception {
    WireMessage wanted = WireMessage.of("OPTIONS * HTTP/1.1");
    for (WireExchange<RequestMessage> wireExchange : exchangeUnless(Leeway.ASTERISK_FORM, wanted)) {
      assertSameRequest(wireExchange);
    }
  }

  @Test
  void body_none_isNone() throws Exception {
    assertFraming(BodyFraming.NONE, WireMessage.of("GET / HTTP/1.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "DELETE"})
  void body_ofLength_isPresentUnlessTheLengthIsZero(String method) throws Exception {
    WireMessage wanted = WireMessage.of(method + " / HTTP/1.1");
    assertFraming(BodyFraming.NONE, wanted.withBody(""));
    assertFraming(BodyFraming.PRESENT, wanted.withBody("a"));
    assertFraming(BodyFraming.PRESENT, wanted.withBody("abc".repeat(5000)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"GET", "POST", "DELETE"})
  void body_chunked_isUnknown(String method) throws Exception {
    WireMessage wanted = WireMessage.of(method + " / HTTP/1.1");
    assertFraming(BodyFraming.UNKNOWN, wanted.withChunked("abc"));
    assertFraming(BodyFraming.UNKNOWN, wanted.withChunked(""));
  }

  private void assertFraming(BodyFraming framing, WireMessage wanted) throws Exception {
    WireExchange<RequestMessage> wireExchange = exchange(wanted);

    assertThat(wireExchange.message().bodyFraming()).isEqualTo(framing);
    assertThat(wireExchange.wire().content()).isEqualTo(wanted.content());
    assertSameRequest(wireExchange);
  }

  /** RFC 9421 section 2.2: a field cannot replace a derived component. */
  @ParameterizedTest
  @ValueSource(strings = {"@method", "@target-uri", "@authority", "@path", ":method", ":path"})
  void field_namedAsAComponent_isNone(String name) throws Exception {
    WireMessage wanted = WireMessage.of("GET /real HTTP/1.1").plus(name, " DELETE");
    for (WireExchange<RequestMessage> wireExchange :
        exchangeUnless(refusedNames().contains(name), wanted)) {
      assertSameRequest(wireExchange);
      assertThat(wireExchange.message().fieldLines(name)).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"X-HTTP-Method-Override", "X-Forwarded-Host", "X-Forwarded-Proto"})
  void field_thatOthersObey_changesNothing(String name) throws Exception {
    assertSameRequest(exchange(WireMessage.of("GET /real HTTP/1.1").plus(name, " DELETE")));
  }
}
