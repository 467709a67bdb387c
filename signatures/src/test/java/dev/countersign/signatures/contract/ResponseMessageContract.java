package dev.countersign.signatures.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import dev.countersign.signatures.base.ResponseMessage;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The contract of an adapter for responses: it presents the bytes from the wire. The request is a
 * GET unless a test specifies another method.
 */
public abstract class ResponseMessageContract extends MessageContract<ResponseMessage> {

  /** Like {@link #exchange(WireMessage)}, in response to another method. */
  protected abstract WireExchange<ResponseMessage> exchange(String method, WireMessage wanted)
      throws Exception;

  @Override
  protected final WireExchange<ResponseMessage> exchange(WireMessage wanted) throws Exception {
    return exchange("GET", wanted);
  }

  @Override
  WireMessage plain() {
    return status(200).plus("Content-Length", " 0");
  }

  private static WireMessage status(int code) {
    return WireMessage.of("HTTP/1.1 " + code + " Reason");
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 299, 404, 422, 500, 599})
  void status_isAsSent(int code) throws Exception {
    assertThat(exchange(status(code).plus("Content-Length", " 0")).message().status())
        .isEqualTo(code);
  }

  @Test
  void interimAnswer_isNotTheAnswer() throws Exception {
    WireMessage last = plain().plus("X-Last", " x");
    WireMessage early = status(103).plus("X-Early", " x");
    WireMessage both =
        new WireMessage(early.startLine(), early.fields(), new String(last.bytes(), ISO_8859_1));

    ResponseMessage message = exchange(both).message();

    assertThat(message.status()).isEqualTo(200);
    assertThat(message.fieldLines("x-early")).isEmpty();
    assertThat(message.fieldLines("x-last")).containsExactly("x");
  }

  @Test
  void body_ofLength_isPresentUnlessTheLengthIsZero() throws Exception {
    assertFraming(BodyFraming.NONE, "GET", status(200).withBody(""));
    assertFraming(BodyFraming.PRESENT, "GET", status(200).withBody("abc"));
  }

  @Test
  void body_withoutLength_isUnknown() throws Exception {
    assertFraming(BodyFraming.UNKNOWN, "GET", status(200).withChunked("abc"));
    assertFraming(BodyFraming.UNKNOWN, "GET", status(200).withChunked(""));
    assertFraming(
        BodyFraming.UNKNOWN, "GET", new WireMessage("HTTP/1.1 200 OK", List.of(), "to the end"));
  }

  /** RFC 9112 section 6.3: this applies whatever the fields are. */
  @Test
  void body_whereNoneCanBe_isNone() throws Exception {
    assertFraming(BodyFraming.NONE, "GET", status(204));
    assertFraming(BodyFraming.NONE, "GET", status(304).plus("Content-Length", " 3"));
    assertFraming(BodyFraming.NONE, "HEAD", status(200).plus("Content-Length", " 3"));
    assertFraming(BodyFraming.NONE, "HEAD", status(200));
  }

  private void assertFraming(BodyFraming framing, String method, WireMessage wanted)
      throws Exception {
    assertThat(exchange(method, wanted).message().bodyFraming()).isEqualTo(framing);
  }

  @ParameterizedTest
  @ValueSource(strings = {"@status", ":status"})
  void field_namedAsAComponent_isNone(String name) throws Exception {
    for (WireExchange<ResponseMessage> wireExchange :
        exchangeUnless(refusedNames().contains(name), plain().plus(name, " 500"))) {
      assertThat(wireExchange.message().status()).isEqualTo(200);
      assertThat(wireExchange.message().fieldLines(name)).isEmpty();
    }
  }
}
