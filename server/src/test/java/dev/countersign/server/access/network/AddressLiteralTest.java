package dev.countersign.server.access.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressLiteralTest {

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, 203.0.113.7",
    "0.0.0.0, 0.0.0.0",
    "255.255.255.255, 255.255.255.255",
    "::1, 0:0:0:0:0:0:0:1",
    "2001:db8::7, 2001:db8:0:0:0:0:0:7",
    "::ffff:203.0.113.7, 203.0.113.7",
  })
  void parse_literal_isTheAddress(String text, String address) {
    assertThat(AddressLiteral.parse(text).getHostAddress()).isEqualTo(address);
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, 203.0.113.7",
    "203.0.113.7:51234, 203.0.113.7",
    "203.0.113.7:0, 203.0.113.7",
    "203.0.113.7:65535, 203.0.113.7",
    "2001:db8::7, 2001:db8:0:0:0:0:0:7",
    "[2001:db8::7], 2001:db8:0:0:0:0:0:7",
    "[2001:db8::7]:443, 2001:db8:0:0:0:0:0:7",
    "[::ffff:203.0.113.7]:443, 203.0.113.7",
    "2001:db8::7:443, 2001:db8:0:0:0:0:7:443",
  })
  void ofForwarded_addressWithOrWithoutPort_isTheAddress(String text, String address) {
    assertThat(AddressLiteral.ofForwarded(text).getHostAddress()).isEqualTo(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "unknown",
        "_hidden",
        "localhost:80",
        "203.0.113.7:",
        "203.0.113.7:65536",
        "203.0.113.7:999999",
        "203.0.113.7:-1",
        "203.0.113.7:٨٠",
        "203.0.113.7:80:80",
        "203.0.113.7 :80",
        "203.0.113.07:80",
        "203.0.113.999:80",
        "203.0.113:80",
        "[203.0.113.7]",
        "[203.0.113.7]:80",
        "[2001:db8::7",
        "2001:db8::7]",
        "[2001:db8::7]443",
        "[2001:db8::7]:",
        "[2001:db8::7]:65536",
        "[2001:db8::7]:80]",
        "[[2001:db8::7]]:80",
        "[fe80::1%eth0]:80",
        "fe80::1%eth0",
        "[]",
        "[:]",
        "\"203.0.113.7\"",
        "\"[2001:db8::7]:443\"",
        "for=203.0.113.7",
      })
  void ofForwarded_other_isRefused(String text) {
    assertThatThrownBy(() -> AddressLiteral.ofForwarded(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  // 256.1.1.1 and similar texts would be sent to a name server; 010.1.1.1 is ambiguous.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "localhost",
        "256.1.1.1",
        "999.1.1.1",
        "010.1.1.1",
        "1.2.3",
        "1.2.3.4.5",
        "1.2.3.4 ",
        "1.2.3.4:80",
        "[::1]",
        "fe80::1%eth0",
        ".:1",
        ":",
        "1::2::3",
        "12345::",
        "::1.2.3.999",
        "unknown",
        "_hidden",
        "１.2.3.4",
      })
  void parse_other_isRefused(String text) {
    assertThatThrownBy(() -> AddressLiteral.parse(text))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void ofPeer_linkLocalWithItsZone_isTheAddress() {
    assertThat(AddressLiteral.ofPeer("fe80:0:0:0:fc:ff:fe00:1%eth0").getHostAddress())
        .isEqualTo("fe80:0:0:0:fc:ff:fe00:1");
  }
}
