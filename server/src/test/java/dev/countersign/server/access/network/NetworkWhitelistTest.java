package dev.countersign.server.access.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.InetAddress;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NetworkWhitelistTest {

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, 203.0.113.7, true",
    "203.0.113.7, 203.0.113.8, false",
    "203.0.113.7/32, 203.0.113.7, true",
    "203.0.113.0/24, 203.0.113.255, true",
    "203.0.113.0/24, 203.0.114.0, false",
    "203.0.113.128/25, 203.0.113.127, false",
    "128.0.0.0/1, 255.255.255.255, true",
    "128.0.0.0/1, 127.255.255.255, false",
    "0.0.0.0/0, 198.51.100.1, true",
    "0.0.0.0/0, 2001:db8::1, false",
    "0.0.0.0/32, 198.51.100.1, false",
    "0.0.0.0, 198.51.100.1, true",
    "0.0.0.0, 2001:db8::1, true",
    "2001:db8::7, 2001:db8::7, true",
    "2001:0DB8:0:0:0:0:0:7, 2001:db8::7, true",
    "2001:db8::7, 2001:db8::8, false",
    "2001:db8::/32, 2001:db8:ffff::1, true",
    "2001:db8::/32, 2001:db9::1, false",
    "2001:db8::/64, 2001:db8::ffff:ffff:ffff:ffff, true",
    "2001:db8::/65, 2001:db8::8000:0:0:0, false",
    "::/0, 2001:db8::1, true",
    "::/0, 198.51.100.1, false",
    "::1, ::1, true",
    "::/1, 8000::1, false",
    "64:ff9b::203.0.113.7, 64:ff9b::cb00:7107, true",
  })
  void allows_entryAndPeer(String entry, String peer, boolean allowed) throws Exception {
    NetworkWhitelist whitelist = NetworkWhitelist.parse(List.of(entry));
    assertThat(whitelist.allows(InetAddress.getByName(peer))).isEqualTo(allowed);
    assertThat(whitelist.entries()).containsExactly(entry);
  }

  @Test
  void allows_ipv4MappedPeer_countsAsIpv4() {
    byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 1, 2, 3, 4};
    assertThat(NetworkWhitelist.parse(List.of("1.2.3.4")).allows(mapped)).isTrue();
    assertThat(NetworkWhitelist.parse(List.of("1.2.3.0/24")).allows(mapped)).isTrue();
    assertThat(NetworkWhitelist.parse(List.of("1.2.3.5")).allows(mapped)).isFalse();
    assertThat(NetworkWhitelist.parse(List.of("::/0")).allows(mapped)).isFalse();
    assertThat(NetworkWhitelist.parse(List.of("0.0.0.0")).allows(mapped)).isTrue();
  }

  @Test
  void allows_everyoneAmongOthers_opensTheWholeList() throws Exception {
    NetworkWhitelist whitelist = NetworkWhitelist.parse(List.of("203.0.113.7", "0.0.0.0"));
    assertThat(whitelist.opensToEveryone()).isTrue();
    assertThat(whitelist.allows(InetAddress.getByName("2001:db8::1"))).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "0.0.0.0, true",
    "0.0.0.0/0, true",
    "::/0, true",
    "2000::/3, true",
    "0.0.0.0/1 128.0.0.0/1, true",
    "128.0.0.0/1 0.0.0.0/1 10.0.0.0/8, true",
    "0.0.0.0/2 64.0.0.0/2 128.0.0.0/2 192.0.0.0/2, true",
    "0.0.0.0/2 64.0.0.0/2 128.0.0.0/2, false",
    "0.0.0.0/1 128.0.0.0/2 192.0.0.0/3 224.0.0.0/4 240.0.0.0/4, true",
    "0.0.0.0/1 128.0.0.0/2 192.0.0.0/3 224.0.0.0/4 240.0.0.0/5, false",
    "2000::/4 3000::/4, true",
    "2000::/4 3000::/5, false",
    "2000::/4 3000::/5 3800::/5, true",
    "::/1, true", // contains 2000::/3
    "8000::/1, false",
    "0.0.0.0/1 8000::/1, false", // half of each is not a whole
    "0.0.0.0/32, false",
    "10.0.0.0/8, false",
  })
  void opensToEveryone_byTheUnionOfTheRanges(String entries, boolean everyone) {
    List<String> list = List.of(entries.split(" "));
    assertThat(NetworkWhitelist.parse(list).opensToEveryone()).isEqualTo(everyone);
  }

  @ParameterizedTest
  @CsvSource({
    "203.0.113.7, 1",
    "203.0.113.0/24 203.0.113.7 203.0.113.0/25, 256",
    "10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16, 0",
    "10.0.0.0/7, 16777216", // 11.0.0.0/8
    "8.0.0.0/8 9.0.0.0/8, 33554432",
    "0.0.0.0/0, 4256038912",
    "0.0.0.0, 4256038912",
    "2001:db8::/32, 0",
    "::/0, 0",
  })
  void publicIpv4Addresses_areCountedOnce(String entries, long count) {
    assertThat(NetworkWhitelist.parse(List.of(entries.split(" "))).publicIpv4Addresses())
        .isEqualTo(count);
  }

  @Test
  void opensToEveryone_ofAThousandScatteredEntries_isDecidedInTime() {
    List<String> entries =
        IntStream.range(1, 1_001)
            .mapToObj(i -> i % 256 + "." + i * 7 % 256 + "." + i * 13 % 256 + "." + i / 4)
            .distinct()
            .toList();
    assertThat(NetworkWhitelist.parse(entries).opensToEveryone()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        " 1.2.3.4",
        "1.2.3.4 ",
        "1.2.3",
        "1.2",
        "1",
        "16909060",
        "1.2.3.4.5",
        "1.2.3.256",
        "010.0.0.1",
        "01.2.3.4",
        "1.2.3.04",
        "0x7f.1",
        "0x7f.0.0.1",
        "0x7f000001",
        "0177.0.0.1",
        "1.2.3.*",
        "1.2.3.1-5",
        "1.2.3._",
        "*",
        "*.*.*.*",
        "1.2.3.4,5",
        "1.2.3.4/",
        "1.2.3.4/33",
        "1.2.3.4/-1",
        "1.2.3.4/032",
        "1.2.3.4/ 32",
        "1.2.3.0/255.255.255.0",
        "/24",
        "/",
        "1.2.3.4//32",
        "1.2.3.4/32/32",
        "localhost",
        "example.com",
        "[::1]",
        "203.0.113.7:443",
        "[2001:db8::7]:443",
        "::1%eth0",
        "fe80::1%1",
        "fe80::1%",
        ":::",
        "1::2::3",
        "12345::",
        "2001:db8::00001",
        "2001:db8::/129",
        "2001:db8:*::",
        "::g",
        "2001:db8:0:0:0:0:0:0:1",
        "2001:db8",
        "::1.2.3",
        "::1.2.3.04",
        "::ffff:0x1.2.3.4",
        "4)+k&C#VzJ4br>0wv%Yp",
        "0b1.2.3.4",
        "\uff11.2.3.4",
        "1.2.3.4\n",
        "1.2.3.4\u0000",
        "00.0.0.0",
        "0",
        "0.0.0",
        "0.0.0.00"
      })
  void parse_looserForm_throws(String entry) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NetworkWhitelist.parse(List.of(entry)))
        .withMessageStartingWith("network whitelist: ")
        .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "10.0.0.1/8 | write 10.0.0.0/8 for the range, or 10.0.0.1 for the single address",
        "2001:db8::1/32 | write 2001:db8::/32 for the range, or 2001:db8::1 for the single address",
        "1.2.3.4/0 | prefix; write 1.2.3.4 for the single address",
        "::ffff:1.2.3.4 | is an IPv4 address in IPv6 form; write it as 1.2.3.4",
        "::ffff:102:304 | write it as 1.2.3.4",
        "::ffff:1.2.3.0/120 | write it as 1.2.3.0/24",
        ":: | write the address that the caller has",
      })
  void parse_nearlyRight_saysWhatToWrite(String entry, String fix) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NetworkWhitelist.parse(List.of(entry)))
        .withMessageContaining(fix);
  }

  @Test
  void parse_sameEntryTwice_isKeptOnce() {
    NetworkWhitelist whitelist =
        NetworkWhitelist.parse(
            List.of("10.0.0.1", "10.0.0.1/32", "2001:db8::1", "2001:DB8::1", "0.0.0.0", "0.0.0.0"));
    assertThat(whitelist.entries()).containsExactly("10.0.0.1", "2001:db8::1", "0.0.0.0");
  }

  @Test
  void parse_noneOrTooMany_throws() {
    List<String> many =
        IntStream.range(0, 1_001).mapToObj(i -> "10.0." + i / 256 + "." + i % 256).toList();
    assertThat(NetworkWhitelist.parse(many.subList(0, 1_000)).entries()).hasSize(1_000);
    for (List<String> entries : List.of(many, Collections.<String>emptyList())) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> NetworkWhitelist.parse(entries))
          .withMessageContaining("1 to 1,000 entries");
    }
  }

  @Test
  void allows_neitherFourNorSixteenBytes_throws() {
    NetworkWhitelist whitelist = NetworkWhitelist.parse(List.of("10.0.0.1"));
    assertThatIllegalArgumentException().isThrownBy(() -> whitelist.allows(new byte[5]));
  }

  @Test
  void opensToEveryone_ofEntriesThatAreDamaged_isFalse() {
    assertThat(NetworkWhitelist.opensToEveryone(List.of("0.0.0.0"))).isTrue();
    assertThat(NetworkWhitelist.opensToEveryone(List.of("10.0.0.0/8"))).isFalse();
    assertThat(NetworkWhitelist.opensToEveryone(List.of("0.0.0.0", "nobody"))).isFalse();
  }
}
