package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.protocol.HostName;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Random;
import org.apache.tomcat.util.http.parser.Host;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The sentences about hosts agree with the parsers that refuse them: Tomcat's and Java's. */
class HostNameTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "countersign_api | the host \"countersign_api\" has the character \"_\" (U+005F): a host has"
            + " only letters, digits, hyphens and dots; give the machine or container another name,"
            + " for example the network alias countersign-api",
        "countersign_api:8080 | the host \"countersign_api\" has the character \"_\" (U+005F)",
        "_api | give the machine or container another name",
        "münchen.de | the host \"m?nchen.de\" has the character U+00FC: write the name in ASCII,"
            + " xn--mnchen-3ya.de",
        "api-.x | the host \"api-.x\" has the part \"api-\": a part between dots begins and ends with"
            + " a letter or a digit",
        "-a:80 | the host \"-a\" has the part \"-a\"",
        "a..b | the host \"a..b\" begins with a dot, or has two dots in a row",
        ".a | begins with a dot",
        "a b | the host \"a b\" has the character U+0020: a host has only letters",
        "a%41 | the host \"a%41\" has the character \"%\" (U+0025)",
        "a:b | the host \"a:b\" is not an IPv6 address in brackets, such as [2001:db8::7]",
        "::1 | is not an IPv6 address in brackets",
        "[fe80::1%eth0] | is not an IPv6 address in brackets",
        ":80 | the host is missing",
        "*.example.com | the host \"*.example.com\" has the character \"*\" (U+002A)",
      })
  void problem_namesTheCharacterAndTheFix(String host, String sentence) {
    assertThat(HostName.problem(host)).get().asString().contains(sentence);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "localhost:8080",
        "API.example.com",
        "api.example.com.",
        "a--b",
        "1a",
        "xn--mnchen-3ya.de",
        "1.2.3.4:80",
        "[2001:db8::7]",
        "[::ffff:1.2.3.4]:443",
        "a:",
        "a.1b",
        "1.2.3.256",
      })
  void problem_ofAHostThatIsAccepted_isNone(String host) {
    assertThat(HostName.problem(host)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://a_b/x, a_b",
    "http://user:secret@a_b:80/x, a_b",
    "https://münchen.de, m?nchen.de",
    "https://1.2.3.256, 1.2.3.256",
    "https://a.1b:80/x, a.1b",
  })
  void problem_ofAUri_isThatOfItsHost(String uri, String host) {
    assertThat(HostName.problem(URI.create(uri)))
        .get()
        .asString()
        .startsWith("the host \"" + host + "\" ")
        .doesNotContain("secret");
  }

  @Test
  void problem_ofAUriWithoutOrWithAGoodHost_isNone() {
    assertThat(HostName.problem(URI.create("http://user@api.example.com:1/a_b"))).isEmpty();
    assertThat(HostName.problem(URI.create("mailto:a_b"))).isEmpty();
  }

  /**
   * A Host header that Tomcat refuses has a sentence, and no other has one. The same is true of a
   * URI and Java; whatever Java accepts as a host, Tomcat accepts too.
   */
  @Test
  void problem_ofAnyHost_agreesWithTheParsers() {
    Random random = new Random(31);
    String characters = "aZ09--..__:[]%~!ü1";
    for (int i = 0; i < 20_000; i++) {
      StringBuilder host = new StringBuilder();
      for (int length = 1 + random.nextInt(8); length > 0; length--) {
        host.append(characters.charAt(random.nextInt(characters.length())));
      }
      String text = host.toString();
      assertThat(HostName.problem(text).isEmpty()).as(text).isEqualTo(isAcceptedByTomcat(text));
      try {
        URI uri = new URI("http://" + text + "/");
        if (uri.getRawAuthority() != null) {
          assertThat(HostName.problem(uri).isEmpty()).as(text).isEqualTo(uri.getHost() != null);
        }
      } catch (URISyntaxException e) {
        // Not a URI at all, whose error names the position.
      }
    }
  }

  private static boolean isAcceptedByTomcat(String host) {
    try {
      Host.parse(host);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
