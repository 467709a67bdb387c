package dev.countersign.signatures;

import static dev.countersign.signatures.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One query parameter, in its canonical spelling (RFC 9421 section 2.2.8). */
class QueryParamTest {
  private static final int MANY = 40_000;

  private static AnyRequest query(String query) {
    return AnyRequest.of("GET", "https://a.example/b?" + query);
  }

  private static String identifier(String encodedName) {
    return "\"@query-param\";name=\"" + encodedName + "\"";
  }

  private static String value(String query, String encodedName) {
    return Values.of(query(query), identifier(encodedName));
  }

  @ParameterizedTest
  @CsvSource({
    "a=1, a, 1",
    "a=1&b=2&c=3, b, 2",
    "a=, a, ''",
    "a, a, ''",
    "b&a&c, a, ''",
    "&&a=1&&, a, 1",
    "=1, '', 1",
    "=, '', ''",
    "a==, a, %3D",
    "a=b=c, a, b%3Dc",
    "a=b+c, a, b%20c",
    "a=b%20c, a, b%20c",
    "a=b%2Bc, a, b%2Bc",
    "a=b%2bc, a, b%2Bc",
    "a=+, a, %20",
    "a=%62, a, b",
    "%61=b, a, b",
    "a=~, a, %7E",
    "a=%7E, a, %7E",
    "a=*-._, a, *-._",
    "a=!'(), a, %21%27%28%29",
    "a=b/c?d@e:f, a, b%2Fc%3Fd%40e%3Af",
    "a=b%26c, a, b%26c",
    "a=b;c, a, b%3Bc",
    "a=%F0%9F%92%A9, a, %F0%9F%92%A9",
    "a=%c3%a9, a, %C3%A9",
    "%C3%A9=a, %C3%A9, a",
    "%c3%a9=a, %C3%A9, a",
    "b+c=a, b%20c, a",
    "a=%zz, a, %25zz",
    "a=%, a, %25",
    "a=%4, a, %254",
    "a=%4g, a, %254g",
    "a=%%41, a, %25A",
    "a=%00, a, %00",
    "a=%0D%0A, a, %0D%0A",
    "a=%EF%BB%BFb, a, %EF%BB%BFb",
    "A=1&a=2, a, 2",
  })
  void value_isDecodedAndReencoded(String query, String name, String value) {
    assertThat(value(query, name)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "a=1&a=2, a",
    "a=1&a=1, a",
    "a&a, a",
    "a=1&%61=2, a",
    "b+c=1&b%20c=2, b%20c",
    "%C3%A9=1&%c3%a9=2, %C3%A9",
    "=1&=2, ''",
    "a=1&b=2&a, a",
  })
  void name_thatOccursTwiceInAnySpelling_isRefused(String query, String name) {
    assertThat(Values.assertRefused(query(query), identifier(name)))
        .hasMessageContaining("more than once");
  }

  @ParameterizedTest
  @CsvSource({
    "'', a",
    "'', ''",
    "&, ''",
    "a=1, ''",
    "a=1, A",
    "a=1, b",
    "a=1, a=1",
    "a=1, ' a'",
    "ab=1, a",
    "b=a, a",
  })
  void name_thatDoesNotOccur_isRefused(String query, String name) {
    assertThat(Values.assertRefused(query(query), identifier(name)))
        .hasMessageContaining("no such parameter");
  }

  @Test
  void name_withoutAnyQuery_isRefused() {
    Values.assertRefused(AnyRequest.of("GET", "https://a.example/a=1"), identifier("a"));
    Values.assertRefused(AnyRequest.of("GET", "https://a.example/#?a=1"), identifier("a"));
  }

  /** Two spellings of a name would be two components, so only the canonical one may be covered. */
  @ParameterizedTest
  @CsvSource({
    "b%20c=1, 'b c'",
    "b%20c=1, b+c",
    "%c3%a9=1, %c3%a9",
    "~=1, ~",
    "%61=1, %61",
    "a%zz=1, a%zz",
  })
  void name_thatIsNotCanonical_isRefused(String query, String name) {
    assertThat(Values.assertRefused(query(query), identifier(name)))
        .hasMessageContaining("no such parameter");
  }

  @ParameterizedTest
  @ValueSource(strings = {"%ff", "%c3", "%c3%28", "%ed%a0%80", "%f4%90%80%80", "%c0%af", "x%80y"})
  void value_thatIsNotUtf8_isRefused(String value) {
    assertThat(Values.assertRefused(query("a=" + value), identifier("a")))
        .hasMessageContaining("UTF-8");
    assertThat(value("a=1&b=" + value + "&" + value + "=c", "a")).isEqualTo("1");
    Values.assertRefused(query(value + "=a"), identifier("%EF%BF%BD"));
  }

  /** A URI has only ASCII characters. A surrogate must not be encoded as a question mark. */
  @ParameterizedTest
  @ValueSource(strings = {"\u00e9", "\ud83d\udca9", "\ud83d", "\u2028", "\u0000", "\n", " "})
  void value_withACharacterNotAllowedInUris_isRefused(String value) {
    Values.assertRefused(query("a=b" + value), identifier("a"));
    assertThat(value("a=1&b=" + value + "&" + value + "=c", "a")).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"@query-param\"",
        "\"@query-param\";name",
        "\"@query-param\";name=a",
        "\"@query-param\";name=:YQ==:",
        "\"@query-param\";name=1",
        "\"@query-param\";key=\"a\"",
        "\"@query-param\";name=\"a\";sf",
        "\"@query-param\";name=\"a\";bs",
        "\"@query-param\";name=\"a\";tr",
        "\"@query-param\";name=\"a\";x",
        "\"@query-param\";name=\"b\";name=\"a\"",
        "\"@query\";name=\"a\"",
        "\"@method\";name=\"a\"",
        "\"host\";name=\"a\"",
      })
  void identifier_withWrongParameters_isRefused(String identifier) {
    Values.assertRefused(query("a=1").plus("Host", "a.example"), identifier);
  }

  @Test
  void oneOfManyParameters_isFoundInLinearTime() {
    AnyRequest request = query(many(300_000, "p%d=%d", "&"));
    String last = soon(() -> Values.of(request, identifier("p299999")));
    assertThat(last).isEqualTo("299999");
    soon(() -> Values.assertRefused(request, identifier("q")));
    AnyRequest withoutValues = query(many(300_000, "p%d", "&"));
    assertThat(soon(() -> Values.of(withoutValues, identifier("p299999")))).isEmpty();
    String percentSigns = "%25".repeat(300_000);
    assertThat(soon(() -> value("a=" + percentSigns, "a"))).isEqualTo(percentSigns);
  }

  @Test
  void manyParameters_allCovered_areFoundInLinearTime() {
    AnyRequest request = query(many(MANY, "p%d=%d", "&"));
    SignatureInput input =
        SignatureInput.parse("(" + many(MANY, "\"@query-param\";name=\"p%d\"", " ") + ")");
    String text =
        soon(() -> SignatureBase.of(input, request, StructuredFieldRegistry.registered()).text());
    assertThat(text.lines()).hasSize(MANY + 1).contains(identifier("p7") + ": 7");
  }

  private static String many(int count, String format, String separator) {
    return IntStream.range(0, count)
        .mapToObj(i -> format.replace("%d", "" + i))
        .collect(Collectors.joining(separator));
  }
}
