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
        "_api | for example the network alias api, or let nginx send the caller's host with"
            + " proxy_set_header Host $http_host",
        "straße.de | the host \"stra?e.de\" has the character U+00DF: write the name in ASCII",
        "a$ | has the character \"$\" (U+0024): a host has only letters, digits, hyphens and dots;"
            + " use a name without it",
        "münchen.de | the host \"m?nchen.de\" has the character U+00FC: write the name in ASCII,"
            + " xn--mnchen-3ya.de",
        "api-.x | the host \"api-.x\" has the part \"api-\": a part between dots begins and ends with"
            + " a letter or a digit",
        "-a:80 | the host \"-a\" has the part \"-a\"",
        "a..b | the host \"a..b\" begins with a dot, or has two dots in a row",
        ".a | begins with a dot",
        "a b | the host \"a b\" has the character U+0020: a host has only letters",
        "a%41 | the host \"a%41\" has the character \"%\" (U+0025)",
        "a:b:c | the host \"a:b:c\" is not an IPv6 address in brackets, without a zone, such as"
            + " [2001:db8::7]",
        "a:8x | the host \"a\" has the port \"8x\": a port has only digits",
        "http://a | the host \"http\" has the port \"//a\": a port has only digits",
        "u:secret@a:80 | the host \"a:80\" has a user before it: remove the user and the @",
        "[::01.2.3.4] | is not an IPv6 address in brackets",
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
        "[::1.2.3.4]",
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
    "https://a:65536, a",
    "https://a:99999999999, a",
    "https://[fe80::1%25eth0]:80, [fe80::1%25eth0]",
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
    assertThat(HostName.problem(URI.create("http://api.example.com/a@b"))).isEmpty();
  }

  /** The password has a slash, so that the URI's host is the user. */
  @Test
  void problem_ofAUriWithAnAtBehindItsHost_repeatsNoPartOfThePassword() {
    assertThat(HostName.problem(URI.create("http://user:sec/ret@api.example.com")))
        .hasValue("an @ is behind the host: remove the user, or percent-encode the @");
  }

  /** Names in other scripts get their A-labels, but never those of another name. */
  @ParameterizedTest
  @CsvSource({
    "MÜNCHEN.de, xn--mnchen-3ya.de",
    "mu\u0308nchen.de, xn--mnchen-3ya.de",
    "пример.example, xn--e1afmkfd.example",
    "straße.de, ''",
    "οδος\u200d.gr, ''",
    "ｅxample.com, ''",
    "\u007f.example, ''",
  })
  void problem_ofAnInternationalName_proposesOnlyTheSameName(String name, String labels) {
    assertThat(HostName.problem(name))
        .get()
        .asString()
        .endsWith(
            labels.isEmpty()
                ? name.startsWith("\u007f") ? "without it" : "in ASCII"
                : ", " + labels);
  }

  /** No sentence repeats a long value, or a control character. */
  @ParameterizedTest
  @ValueSource(strings = {"_", "-.", "\u0000", "ü", ":8x", "@", ".."})
  void problem_ofALongHost_isShortAndPrintable(String fault) {
    String sentence = HostName.problem("a".repeat(8_000) + fault + "b".repeat(60)).orElseThrow();
    assertThat(sentence).hasSizeLessThan(500).matches("[\\x20-\\x7e…]+");
  }

  /**
   * A Host header that Tomcat refuses has a sentence, and no other has one. A URI has one if Tomcat
   * or Java refuses its host.
   */
  @Test
  void problem_ofAnyHost_agreesWithTheParsers() {
    Random random = new Random(31);
    for (int i = 0; i < 40_000; i++) {
      String text = random.nextBoolean() ? name(random) : literal(random);
      boolean accepted = isAcceptedByTomcat(text);
      assertThat(HostName.problem(text).isEmpty()).as(text).isEqualTo(accepted);
      try {
        URI uri = new URI("http://" + text + "/");
        if (uri.getRawAuthority() != null) {
          assertThat(HostName.problem(uri).isEmpty())
              .as(text)
              .isEqualTo(accepted && uri.getHost() != null && uri.getPort() <= 65_535);
        }
      } catch (URISyntaxException e) {
        assertThat(accepted).as(text).isFalse();
      }
    }
  }

  private static String name(Random random) {
    String[] parts = {
      "a",
      "Z",
      "0",
      "9",
      "255",
      "256",
      "127.0.0.1",
      "xn--",
      "-",
      ".",
      ".",
      "..",
      "_",
      ":",
      "[",
      "]",
      "%41",
      "~",
      "!",
      "$",
      "*",
      "ü",
      "\u007f",
      "\u0001",
      ":80",
      ":8x"
    };
    StringBuilder name = new StringBuilder();
    for (int length = 1 + random.nextInt(6); length > 0; length--) {
      name.append(parts[random.nextInt(parts.length)]);
    }
    return name.toString();
  }

  private static String literal(Random random) {
    String[] parts = {"0", "a", "ffff", "12345", "g", "1.2.3.4", "256.1.1.1", "1.02.3.4", "1.2.3"};
    StringBuilder literal = new StringBuilder("[");
    for (int groups = 1 + random.nextInt(9); groups > 0; groups--) {
      boolean isFirst = literal.length() == 1;
      literal.append(random.nextInt(6) == 0 ? "::" : isFirst ? "" : ":");
      literal.append(parts[random.nextInt(random.nextInt(6) == 0 ? parts.length : 3)]);
    }
    String[] ends = {"]", "]", "]", "]:80", "]:", "]x", "%25eth0]", "%1]", "::]", ""};
    return literal + ends[random.nextInt(ends.length)];
  }

  private static boolean isAcceptedByTomcat(String host) {
    try {
      Host.parse(host);
      // StrictAdapter refuses an open bracket, which Tomcat may not notice: [::1.2.3:0
      return !host.startsWith("[") || host.indexOf(']') > 0;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }
}
