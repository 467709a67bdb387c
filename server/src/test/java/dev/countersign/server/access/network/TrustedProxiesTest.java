package dev.countersign.server.access.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.web.MockHttpServletRequest;

@ExtendWith(OutputCaptureExtension.class)
class TrustedProxiesTest {
  private static final TrustedProxies PROXIES =
      new TrustedProxies(List.of("10.0.0.0/8", "2001:db8:0:1::/64"));

  private static MockHttpServletRequest from(String peer, String forwardedFor) {
    MockHttpServletRequest request = new MockHttpServletRequest();
    request.setRemoteAddr(peer);
    for (String line : forwardedFor.split("[|]", -1)) {
      request.addHeader("X-Forwarded-For", line);
    }
    return request;
  }

  private static Denial refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    return assertThatExceptionOfType(DeniedException.class).isThrownBy(call).actual().denial();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "203.0.113.7; 203.0.113.7",
        "203.0.113.7:51234; 203.0.113.7",
        "[2001:db8::7]:443; 2001:db8:0:0:0:0:0:7",
        "[2001:db8::7]; 2001:db8:0:0:0:0:0:7",
        "203.0.113.7:51234, 10.1.2.3:80, [2001:db8:0:1::1]:8080; 203.0.113.7",
        "unknown, 203.0.113.7:1; 203.0.113.7",
        "'\"x\"\t,, fe80::1%eth0, 203.0.113.7'; 203.0.113.7",
        ", 203.0.113.7; 203.0.113.7",
        "; 10.9.9.9",
        ", ,; 10.9.9.9",
        ", , 10.1.2.3; 10.1.2.3",
        "10.1.2.3, 10.1.2.4; 10.1.2.3",
        "203.0.113.7 | 10.1.2.3; 203.0.113.7",
        "203.0.113.7 | 198.51.100.1; 198.51.100.1",
      })
  void addressOf_firstElementFromTheRightThatIsNoProxy_decides(String chain, String address) {
    String header = chain == null ? "" : chain;
    assertThat(PROXIES.addressOf(from("10.9.9.9", header)).getHostAddress()).isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "unknown; X-Forwarded-For has \"unknown\"",
        "203.0.113.7,; X-Forwarded-For has an empty text",
        "203.0.113.7, , 10.1.2.3; X-Forwarded-For has an empty text",
        "203.0.113.7, unknown, 10.1.2.3; X-Forwarded-For has \"unknown\"",
        "fe80::1%eth0; X-Forwarded-For has \"fe80::1%eth0\"",
        "203.0.113.7:99999; X-Forwarded-For has \"203.0.113.7:99999\"",
        "for=203.0.113.7; X-Forwarded-For has \"for=203.0.113.7\"",
      })
  void addressOf_decidingElementUnreadable_isRefusedWithANoteForTheOperator(
      String chain, String note) {
    Denial refused = refusal(() -> PROXIES.addressOf(from("10.9.9.9", chain)));
    assertThat(refused.reason()).isEqualTo(Reason.REQUEST_MALFORMED);
    assertThat(refused.note()).isEqualTo(note);
    assertThat(refused.detail()).startsWith("X-Forwarded-For ").doesNotContain("unknown", "203.0");
  }

  @Test
  void addressOf_longValue_isCutInTheNote() {
    Denial refused = refusal(() -> PROXIES.addressOf(from("10.9.9.9", "x\n\u00e9".repeat(5_000))));
    assertThat(refused.note()).hasSizeLessThan(100).endsWith("\u2026\"").doesNotContain("\n");
  }

  @Test
  void addressOf_peerThatIsNoProxy_isThePeer() {
    assertThat(PROXIES.addressOf(from("198.51.100.9", "unknown")).getHostAddress())
        .isEqualTo("198.51.100.9");
    assertThat(new TrustedProxies(List.of()).addressOf(from("10.9.9.9", "x")).getHostAddress())
        .isEqualTo("10.9.9.9");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "203.0.113.7; https; https",
        "203.0.113.7; HTTPS; https",
        "203.0.113.7, 10.1.2.3; https; https",
        "203.0.113.7, 10.1.2.3; https, http; https",
        "203.0.113.7, 10.1.2.3; http, https; http",
        "198.51.100.1, 203.0.113.7, 10.1.2.3; gopher, https, http; https",
        "10.1.2.3, 10.1.2.4; https, http; https",
        ", 10.1.2.4; http, https; https",
        "203.0.113.7; https, HTTPS, https; https",
      })
  void schemeOf_placeOfTheCaller_decides(String chain, String proto, String scheme) {
    MockHttpServletRequest request = from("10.9.9.9", chain);
    request.addHeader("X-Forwarded-Proto", proto);
    assertThat(PROXIES.schemeOf(request)).isEqualTo(scheme);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "203.0.113.7; https, http",
        "203.0.113.7, 10.1.2.3; https, http, http",
        "203.0.113.7, 10.1.2.3; ,https",
        ", ; https, http",
        "203.0.113.7; gopher",
        "203.0.113.7; 'https,'",
        "203.0.113.7; \"https\"",
        "203.0.113.7; ''",
      })
  void schemeOf_other_isRefusedNamingTheHeader(String chain, String proto) {
    MockHttpServletRequest request = from("10.9.9.9", chain);
    request.addHeader("X-Forwarded-Proto", proto);
    Denial refused = refusal(() -> PROXIES.schemeOf(request));
    assertThat(refused.reason()).isEqualTo(Reason.REQUEST_MALFORMED);
    assertThat(refused.detail()).startsWith("X-Forwarded-Proto of a proxy must ");
    assertThat(refused.note()).startsWith("X-Forwarded-Proto has ");
  }

  @Test
  void schemeOf_withoutTheHeaderOrAProxy_isThatOfTheConnection() {
    assertThat(PROXIES.schemeOf(from("10.9.9.9", "unknown"))).isEqualTo("http");
    MockHttpServletRequest direct = from("198.51.100.9", "203.0.113.7");
    direct.addHeader("X-Forwarded-Proto", "gopher, https");
    assertThat(PROXIES.schemeOf(direct)).isEqualTo("http");
  }

  @Test
  void manyPublicAddresses_areWarnedOfWithTheirNumber(CapturedOutput output) {
    new TrustedProxies(List.of("10.0.0.0/8", "203.0.0.0/8"));
    assertThat(output).doesNotContain("public IPv4 addresses");

    new TrustedProxies(List.of("203.0.0.0/8", "198.51.100.7"));
    assertThat(output)
        .contains("access.trusted-proxies trusts 16,777,217 public IPv4 addresses; each of them");
  }
}
