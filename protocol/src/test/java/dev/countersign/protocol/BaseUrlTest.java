package dev.countersign.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.URI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BaseUrlTest {
  @ParameterizedTest
  @CsvSource({
    "http://api.example.com/x, true",
    "HTTP://127.0.0.1.example.com, true",
    "http://localhost.example.com, true",
    "https://api.example.com, false",
    "http://localhost:8080, false",
    "http://LOCALHOST, false",
    "http://127.0.0.1, false",
    "http://[::1]:8080, false",
  })
  void requests_overHttpToAnotherMachine_areExposed(String url, boolean exposed) {
    assertThat(new BaseUrl(URI.create(url)).exposesRequests()).isEqualTo(exposed);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ftp://h/a                | the base must be http(s)://host…, was ftp://h/a",
        "api.example.com          | the base must be http(s)://host…, was api.example.com",
        "https:///keys            | the base must be http(s)://host…, was https:///keys",
        "me:secret@h.example      | the base must be http(s)://host…, was h.example",
        "me:secret@h.example?x    | the base must be http(s)://host…, was h.example",
        "me:sec?ret@h.example     | the base must be http(s)://host…,"
            + " was an address without a host",
        "http:/x?token=secret     | the base must be http(s)://host…, was http:/x",
        "http:/x?a=b@c&d=secret   | the base must be http(s)://host…,"
            + " was an address without a host",
        "http:/x#a=b@c&d=secret   | the base must be http(s)://host…,"
            + " was an address without a host",
        "https://me:secret@a_b    | the host \"a_b\" has the character \"_\" (U+005F): a host has only"
            + " letters, digits, hyphens and dots; give the machine or container another name, for"
            + " example the network alias a-b, or let nginx send the caller's host with"
            + " proxy_set_header Host $http_host",
        "http://[fe80::1%25eth0]:8 | the host \"[fe80::1%25eth0]\" is not an IPv6 address in"
            + " brackets, without a zone, such as [2001:db8::7]",
        "https://h:99999/a        | the host \"h\" has the port \"99999\": a port is at most 65535",
        "https://me:secret@h:1/a  | the base must have no user, query or fragment;"
            + " without them it is https://h:1/a",
        "https://h?x=secret       | the base must have no user, query or fragment;"
            + " without them it is https://h",
        "https://h/a#secret       | the base must have no user, query or fragment;"
            + " without them it is https://h/a",
      })
  void baseUrl_thatIsInvalid_isRejectedWithoutRevealingSecrets(String url, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BaseUrl(URI.create(url)))
        .withMessage(message);
  }

  @ParameterizedTest
  @CsvSource({
    "https://h,        /x,            https://h/x",
    "https://h/,       /x,            https://h/x",
    "https://h/p,      x,             https://h/p/x",
    "https://h/p/,     x?a=b,         https://h/p/x?a=b",
    "https://h/p//,    /x,            https://h/p/x",
    "https://h/p,      ?a=b,          https://h/p?a=b",
    "https://h/p/,     '',            https://h/p",
    "https://h/p,      https://H:443, https://H:443",
    "http://h:80/p,    HTTP://h/x,    HTTP://h/x",
  })
  void target_ofTheSameOrigin_isBelowTheBaseOrAbsolute(String base, String target, String url) {
    assertThat(new BaseUrl(URI.create(base)).resolve(target)).hasToString(url);
  }

  @ParameterizedTest
  @CsvSource({
    "https://other.example/x",
    "http://h/x",
    "https://h:8443/x",
    "https://me:secret@h/x",
    "ftp://h/x",
    "https:///x",
  })
  void target_ofAnotherOrigin_isRejectedWithoutRevealingSecrets(String target) {
    BaseUrl base = new BaseUrl(URI.create("https://h/p"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> base.resolve(target))
        .withMessageNotContaining("secret");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> base.requireSameOrigin(URI.create(target)));
  }

  @ParameterizedTest
  @CsvSource({
    "https://h/a,  HTTPS://H:443/b, true",
    "http://h,     http://h:80,     true",
    "http://h,     https://h,       false",
    "https://h,    https://h:444,   false",
    "https://h,    https://i,       false",
  })
  void origin_isSchemeHostAndPort(String one, String other, boolean same) {
    assertThat(BaseUrl.isSameOrigin(URI.create(one), URI.create(other))).isEqualTo(same);
  }
}
