package dev.countersign.signatures.diagnosis;

import static dev.countersign.signatures.diagnosis.TestedBases.causeOf;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The causes for URIs; {@code -} means that no cause may be named. */
class UriCausesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SCHEME_DIFFERS | https://a/ | http://a/",
        "SCHEME_DIFFERS | https://a/ | http://10.0.0.1:8080/",
        "- | https://a/ | ftp://a/",
        "URI_CASE | HTTPS://a/ | https://a/",
        "URI_CASE | https://API.example.com/ | https://api.example.com/",
        "URI_CASE | https://API.example.com:443/ | https://api.example.com/",
        "AUTHORITY_DIFFERS | https://api.example.com/ | https://10.0.0.1/",
        "AUTHORITY_DIFFERS | https://api.example.com/ | https://10.0.0.1:8080/",
        "AUTHORITY_DIFFERS | https://[::1]/ | https://[::2]/",
        "USER_INFO | https://me:secret@a/ | https://a/",
        "- | https://me@a/ | https://you@a/",
        "DEFAULT_PORT | https://a:443/ | https://a/",
        "DEFAULT_PORT | http://a:80/ | http://a/",
        "DEFAULT_PORT | https://[::1]:443/ | https://[::1]/",
        "DEFAULT_PORT | HTTPS://a:443/ | HTTPS://a/",
        "PORT_DIFFERS | https://a:80/ | https://a/",
        "PORT_DIFFERS | http://a:443/ | http://a/",
        "PORT_DIFFERS | https://a:8443/ | https://a/",
        "PORT_DIFFERS | https://a:8443/ | https://a:443/",
        "- | a | b",
        "- | /a | https://a/a",
        "- | 1 :// | 2 ://",
      })
  void schemeAndAuthority_ofTargetUri_haveTheirCause(String cause, String one, String other) {
    assertCause("\"@target-uri\"", cause, one, other);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EMPTY_PATH | https://a | https://a/",
        "EMPTY_PATH | https://a?b | https://a/?b",
        "TRAILING_SLASH | https://a/b/ | https://a/b",
        "TRAILING_SLASH | https://a/b/?c | https://a/b?c",
        "PATH_NORMALISED | https://a//b | https://a/b",
        "PATH_NORMALISED | https://a/b/./c | https://a/b/c",
        "PATH_NORMALISED | https://a/b/../c | https://a/c",
        "PATH_NORMALISED | https://a/b/c/.. | https://a/b/",
        "PATH_NORMALISED | https://a/b/c/../. | https://a/b/",
        "PATH_NORMALISED | https://a/b/. | https://a/b/",
        "PATH_NORMALISED | https://a/b/.. | https://a/",
        "- | https://a/.b | https://a/b",
        "- | https://a/b.. | https://a/b",
        "PATH_PREFIX | https://a/api/v1/b | https://a/v1/b",
        "PATH_PREFIX | https://a/api/v1/b?c=1 | https://a/v1/b?c=1",
        "- | https://a/xv1/b | https://a/v1/b",
        "- | https://a/api/ | https://a/",
        "- | https://a/v1/b | https://a/v2/b",
        "PATH_RE_ENCODED | https://a/b%2Cc | https://a/b,c",
        "PATH_RE_ENCODED | https://a/%7Eb | https://a/~b",
        "PATH_RE_ENCODED | https://a/b%2Fc | https://a/b/c",
        "HEX_CASE | https://a/b%2cc%c3%a9 | https://a/b%2Cc%C3%A9",
        "- | https://a/b+c | https://a/b%20c",
        "- | https://a/b%2 | https://a/b",
        "- | https://a/b%zz | https://a/b%yy",
        "- | https://a/b%2c%Zz | https://a/b%2C%zz",
        "ENCODED_TWICE | https://a/b%252Cc | https://a/b%2Cc",
        "- | https://a/b%25252Cc | https://a/b%2Cc",
        "FRAGMENT | https://a/b#c | https://a/b",
        "FRAGMENT | https://a/b?c#d | https://a/b?c",
        "- | https://a/b#c | https://a/b#d",
      })
  void path_ofTargetUri_hasItsCause(String cause, String one, String other) {
    assertCause("\"@target-uri\"", cause, one, other);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EMPTY_QUERY | https://a/b? | https://a/b",
        "QUERY_MISSING | https://a/b?c=1 | https://a/b",
        "QUERY_MISSING | https://a/b?c=1 | https://a/b?",
        "QUERY_MISSING | https://a/b?c=1#d | https://a/b",
        "QUERY_RE_ENCODED | https://a/b?c=d,e | https://a/b?c=d%2Ce",
        "QUERY_RE_ENCODED | https://a/b?c=d,e&f=g%20h | https://a/b?c=d%2Ce&f=g+h",
        "QUERY_RE_ENCODED | https://a/b?c=d+e | https://a/b?c=d%2Be",
        "PLUS_FOR_SPACE | https://a/b?c=d+e | https://a/b?c=d%20e",
        "PLUS_FOR_SPACE | https://a/b?c=d+e,f | https://a/b?c=d%20e%2Cf",
        "- | https://a/b?c=d+e | https://a/b?c=d_e",
        "- | https://a/b?c=d+e&f=1 | https://a/b?c=d%20e&f=2",
        "HEX_CASE | https://a/b?c=%2c | https://a/b?c=%2C",
        "- | https://a/b?c=%2c&d=1 | https://a/b?c=%2C&d=2",
        "ENCODED_TWICE | https://a/b?c=d%252Ce | https://a/b?c=d%2Ce",
        "ENCODED_TWICE | https://a/b?c=d%2520e | https://a/b?c=d%20e",
        "QUERY_ORDER | https://a/b?c=1&d=2 | https://a/b?d=2&c=1",
        "QUERY_ORDER | https://a/b?c=1&c=2 | https://a/b?c=2&c=1",
        "- | https://a/b?c=1&d=2 | https://a/b?d=1&c=2",
        "QUERY_PARAMETER_MISSING | https://a/b?c=1&d=2 | https://a/b?c=1",
        "QUERY_PARAMETER_MISSING | https://a/b?c=1&d=2 | https://a/b?d=2",
        "QUERY_PARAMETER_MISSING | https://a/b?c=1&x=&d=2 | https://a/b?c=1&d=2",
        "- | https://a/b?c=1&d=2 | https://a/b?c=2",
        "- | https://a/b?c=11 | https://a/b?c=1",
        "- | https://a/b?c=1 | https://a/b?c=2",
      })
  void query_ofTargetUri_hasItsCause(String cause, String one, String other) {
    assertCause("\"@target-uri\"", cause, one, other);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "@scheme | SCHEME_DIFFERS | https | http",
        "@scheme | URI_CASE | HTTPS | https",
        "@scheme | - | https | wss",
        "@authority | DEFAULT_PORT | a:443 | a",
        "@authority | DEFAULT_PORT | a:80 | a",
        "@authority | PORT_DIFFERS | a:8080 | a",
        "@authority | PORT_DIFFERS | a:80 | a:443",
        "@authority | AUTHORITY_DIFFERS | a | b",
        "@authority | URI_CASE | A | a",
        "host | AUTHORITY_DIFFERS | a | b:8080",
        "@path | TRAILING_SLASH | /a/ | /a",
        "@path | PATH_PREFIX | /api/a | /a",
        "@path | - | /ab | b",
        "@path | PATH_RE_ENCODED | /a%2Cb | /a,b",
        "@path | - | /a | /b",
        "@query | QUERY_MISSING | ?a=1 | ?",
        "@query | QUERY_RE_ENCODED | ?a=%2C | ?a=,",
        "@query | QUERY_ORDER | ?a&b | ?b&a",
        "@query-param | PLUS_FOR_SPACE | a+b | a%20b",
        "@query-param | QUERY_RE_ENCODED | a,b | a%2Cb",
        "@query-param | - | a&b | b&a",
        "@request-target | QUERY_MISSING | /a?b=1 | /a",
        "@request-target | PATH_PREFIX | /api/a?b | /a?b",
        "@request-target | - | * | /",
        "@method | METHOD_CASE | post | POST",
        "@method | METHOD_DIFFERS | POST | GET",
        "@method | - | POST | get",
        "@method | - | '' | GET",
        "@status | - | 200 | 304",
      })
  void component_otherThanTargetUri_hasItsCause(
      String name, String cause, String one, String other) {
    assertCause('"' + name + '"', cause, one, other);
  }

  /** Checks that both orders of the two values have the same cause. */
  private static void assertCause(String identifier, String cause, String one, String other) {
    Optional<LikelyCause> expected =
        cause.equals("-") ? Optional.empty() : Optional.of(LikelyCause.valueOf(cause));
    assertThat(causeOf(identifier, one, other)).isEqualTo(expected);
    assertThat(causeOf(identifier, other, one)).isEqualTo(expected);
  }
}
