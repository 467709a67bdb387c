package dev.countersign.signatures;

import static dev.countersign.signatures.Soon.soon;
import static dev.countersign.signatures.base.FieldType.DICTIONARY;
import static dev.countersign.signatures.base.FieldType.ITEM;
import static dev.countersign.signatures.base.FieldType.LIST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import dev.countersign.signatures.base.VerificationException;
import dev.countersign.signatures.base.VerificationFailure;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Fields by their structure: {@code sf} and {@code key} (RFC 9421 sections 2.1.1 and 2.1.2). */
class StructuredComponentTest {
  private static final StructuredFieldRegistry TYPES =
      StructuredFieldRegistry.registered()
          .with("X-L", LIST)
          .with("x-d", DICTIONARY)
          .with("X-I", ITEM);

  private static AnyRequest field(String name, String... lines) {
    AnyRequest request = AnyRequest.GET;
    for (String line : lines) {
      request = request.plus(name, line);
    }
    return request;
  }

  private static String strict(String name, String... lines) {
    return Values.of(field(name, lines), "\"" + name + "\";sf", TYPES);
  }

  private static String member(String key, String... lines) {
    return Values.of(field("x-d", lines), "\"x-d\";key=\"" + key + "\"", TYPES);
  }

  @Test
  void sf_ofEachType_isCanonical() {
    assertThat(strict("x-l", " a ,b;x  ,( c   d );y=1.0", "\"e\"\t"))
        .isEqualTo("a, b;x, (c d);y=1.0, \"e\"");
    assertThat(strict("x-d", "a=1,    b=2;x=1;y=2,   c=(a   b   c), d=?1;z, e=?0", "f=:YQ:"))
        .isEqualTo("a=1, b=2;x=1;y=2, c=(a b c), d;z, e=?0, f=:YQ==:");
    assertThat(strict("x-i", " 1.50; a=?1;  b ")).isEqualTo("1.5;a;b");
    assertThat(strict("x-i", "@1659578233")).isEqualTo("@1659578233");
    assertThat(strict("x-i", "%\"f%c3%bc\"")).isEqualTo("%\"f%c3%bc\"");
    assertThat(strict("x-l", "")).isEmpty();
    assertThat(strict("x-d", "")).isEmpty();
  }

  @Test
  void sf_ofTwoSpellingsOfOneValue_isTheSame() {
    assertThat(strict("x-d", "a=1, b=?1")).isEqualTo(strict("x-d", "a=1 ,\tb"));
    assertThat(strict("x-d", "a=1", "b")).isEqualTo(strict("x-d", "a=1,b"));
    assertThat(strict("x-d", "b, a=1")).isNotEqualTo(strict("x-d", "a=1, b"));
    assertThat(strict("x-d", "a=1\r\n ,b")).isEqualTo("a=1, b");
  }

  @ParameterizedTest
  @CsvSource({
    "x-l, a b",
    "x-l, 'a,'",
    "x-l, (a",
    "x-l, a=1",
    "x-d, A=1",
    "x-d, 1",
    "x-d, 'a=1,'",
    "x-d, a=",
    "x-d, 'a=1, , b'",
    "x-i, ''",
    "x-i, 'a, b'",
    "x-i, a b",
    "x-i, (a)",
    "x-i, é",
    "x-d, a=é",
    "x-l, '\"'",
  })
  void sf_ofAnotherTypeOrNone_isRefused(String name, String line) {
    String identifier = "\"" + name + "\";sf";
    VerificationException refusal = Values.assertRefused(field(name, line), identifier, TYPES);
    assertThat(refusal).hasMessageContaining("structured");
  }

  @Test
  void sf_ofAnItemInTwoLines_isRefused() {
    Values.assertRefused(field("x-i", "1", "2"), "\"x-i\";sf", TYPES);
    Values.assertRefused(field("x-i", "1", "1"), "\"x-i\";sf", TYPES);
    Values.assertRefused(field("x-i", "1", ""), "\"x-i\";sf", TYPES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-unknown", "host", "date", "content-type", "cookie"})
  void sfAndKey_ofAFieldThatIsNotKnown_areRefused(String name) {
    AnyRequest request = field(name, "a=1");
    assertThat(Values.assertRefused(request, "\"" + name + "\";sf", TYPES))
        .hasMessageContaining("not known to be a structured field");
    Values.assertRefused(request, "\"" + name + "\";key=\"a\"", TYPES);
    assertThat(Values.of(request, "\"" + name + "\"")).isEqualTo("a=1");
  }

  @Test
  void fieldTypes_ofAProfile_areThoseOfItsVerifier() {
    AnyRequest request =
        AliceSigning.forged(field("x-d", "a=1,b"), "(\"x-d\";sf)", "\"x-d\";sf: a=1, b");
    SignatureProfile profile = SignatureProfile.covering();
    Verdicts.refused(VerificationFailure.COMPONENTS_WRONG, profile, request);
    Verdicts.accepted(profile.withFieldType("X-D", DICTIONARY), request);
    Verdicts.refused(
        VerificationFailure.COMPONENTS_WRONG, profile.withFieldType("x-d", ITEM), request);
    Verdicts.refused(
        VerificationFailure.SIGNATURE_MISMATCH,
        profile.withFieldType("x-d", LIST),
        AliceSigning.forged(field("x-d", "a"), "(\"x-d\";sf)", "\"x-d\";sf: a, b"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a=1, a=2", "a, a", "a=1;x;x", "a=(b;x;x c)", "a=(b);x=1;x=2", "b=1, a, b=2"})
  void dictionary_thatRepeatsAKey_cannotBeCovered(String line) {
    AnyRequest request = field("x-d", line);
    assertThat(Values.assertRefused(request, "\"x-d\";sf", TYPES))
        .hasMessageContaining("occurs twice");
    Values.assertRefused(request, "\"x-d\";key=\"a\"", TYPES);
    assertThat(Values.of(request, "\"x-d\"")).isEqualTo(line);
  }

  @Test
  void dictionary_thatRepeatsAKeyInAnotherLine_cannotBeCovered() {
    AnyRequest request = field("x-d", "a=1, b=2", "a=3");
    Values.assertRefused(request, "\"x-d\";sf", TYPES);
    Values.assertRefused(request, "\"x-d\";key=\"a\"", TYPES);
    Values.assertRefused(request, "\"x-d\";key=\"b\"", TYPES);
  }

  @ParameterizedTest
  @CsvSource({"x-l, a;x;x", "x-l, 'b, (a;x;x)'", "x-l, (a);x;y;x", "x-i, a;x=1;x=2"})
  void listOrItem_thatRepeatsAParameter_cannotBeCovered(String name, String line) {
    Values.assertRefused(field(name, line), "\"" + name + "\";sf", TYPES);
  }

  @Test
  void key_selectsOneMemberWithItsParameters() {
    String line = "  a=1,    b=2;x=1;y=2,   c=(a   b   c), d, e=?0, f;z";
    assertThat(member("a", line)).isEqualTo("1");
    assertThat(member("b", line)).isEqualTo("2;x=1;y=2");
    assertThat(member("c", line)).isEqualTo("(a b c)");
    assertThat(member("d", line)).isEqualTo("?1");
    assertThat(member("e", line)).isEqualTo("?0");
    assertThat(member("f", line)).isEqualTo("?1;z");
    assertThat(member("b", "a=1", "b=2", "c=3")).isEqualTo("2");
    String both = "\"x-d\";key=\"a\";sf";
    assertThat(Values.of(field("x-d", line), both, TYPES)).isEqualTo("1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "z", "a ", "a=1", "*"})
  void key_ofAnAbsentMember_isRefused(String key) {
    String identifier = "\"x-d\";key=\"" + key + "\"";
    Values.assertRefused(field("x-d", "a=1"), identifier, TYPES);
    Values.assertRefused(field("x-d", ""), identifier, TYPES);
    Values.assertRefused(field("x-d"), identifier, TYPES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x-l", "x-i"})
  void key_ofAFieldThatIsNoDictionary_isRefused(String name) {
    assertThat(Values.assertRefused(field(name, "a"), "\"" + name + "\";key=\"a\"", TYPES))
        .hasMessageContaining("dictionary");
  }

  @Test
  void key_ofAMalformedDictionary_isRefused() {
    Values.assertRefused(field("x-d", "a=1, b="), "\"x-d\";key=\"a\"", TYPES);
    Values.assertRefused(field("x-d", "a=1", ""), "\"x-d\";key=\"a\"", TYPES);
  }

  @Test
  void sfAndKey_withTrOrReq_readTheTrailersOrTheRequest() {
    AnyRequest request = field("x-d", "a=1").plusTrailer("X-D", "a=2,b");
    AnyResponse response = AnyResponse.to(request).plus("X-D", "a=3 ,b");
    assertThat(Values.of(response, "\"x-d\";sf", TYPES)).isEqualTo("a=3, b");
    assertThat(Values.of(response, "\"x-d\";key=\"a\";req", TYPES)).isEqualTo("1");
    assertThat(Values.of(response, "\"x-d\";tr;key=\"a\";req", TYPES)).isEqualTo("2");
    assertThat(Values.of(response, "\"x-d\";req;sf;tr", TYPES)).isEqualTo("a=2, b");
    Values.assertRefused(response, "\"x-d\";tr;sf", TYPES);
  }

  @Test
  void manyMembers_coveredOneByOne_areFoundQuickly() {
    int many = 40_000;
    AnyRequest request = field("x-d", many(many, "k%d=%d", ", "));
    SignatureInput input = SignatureInput.parse("(" + many(many, "\"x-d\";key=\"k%d\"", " ") + ")");
    String text = soon(() -> SignatureBase.of(input, request, TYPES).text());
    assertThat(text.lines()).hasSize(many + 1).contains("\"x-d\";key=\"k7\": 7");
  }

  @Test
  void manyComponents_withEqualHashes_areDistinguishedQuickly() {
    String components =
        IntStream.range(0, 1 << 16)
            .mapToObj(StructuredComponentTest::colliding)
            .collect(Collectors.joining(" ", "(", ")"));
    SignatureInput input = SignatureInput.parse(components);
    assertThat(input.components().stream().mapToInt(Object::hashCode).distinct().count()).isOne();
    VerificationException refusal =
        soon(
            () ->
                Verdicts.is(
                    VerificationFailure.COMPONENTS_WRONG,
                    () -> SignatureBase.of(input, AnyRequest.GET, TYPES)));
    assertThat(refusal).hasMessageContaining("no such field");
  }

  /** Returns one of 2^16 names with equal hashes. The hashes of "an" and "c0" are equal. */
  private static String colliding(int bits) {
    StringBuilder name = new StringBuilder("\"k");
    for (int i = 0; i < 16; i++) {
      name.append((bits >> i & 1) == 0 ? "an" : "c0");
    }
    return name.append('"').toString();
  }

  private static String many(int count, String format, String separator) {
    return IntStream.range(0, count)
        .mapToObj(i -> format.replace("%d", "" + i))
        .collect(Collectors.joining(separator));
  }
}
