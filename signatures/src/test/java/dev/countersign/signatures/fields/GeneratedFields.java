package dev.countersign.signatures.fields;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;

/** Values of every type of RFC 9651, made without the parser, as input of properties. */
final class GeneratedFields extends DomainContextBase {
  private static final long MAX_INTEGER = 999_999_999_999_999L;
  private static final String LOWER = "abcdefghijklmnopqrstuvwxyz";
  private static final String TOKEN_START = LOWER + LOWER.toUpperCase(Locale.ROOT) + "*";
  private static final String DIGITS = "0123456789";

  @Provide
  Arbitrary<BareItem> bareItems() {
    return Arbitraries.oneOf(
        Arbitraries.longs().between(-MAX_INTEGER, MAX_INTEGER).map(IntegerItem::new),
        decimals(),
        Arbitraries.strings().withCharRange(' ', '~').ofMaxLength(20).map(StringItem::new),
        word(TOKEN_START, TOKEN_START + DIGITS + "!#$%&'+-.^_`|~:/").map(TokenItem::new),
        Arbitraries.bytes().array(byte[].class).ofMaxSize(20).map(ByteSequence::of),
        Arbitraries.of(BooleanItem.TRUE, BooleanItem.FALSE),
        Arbitraries.longs().between(-MAX_INTEGER, MAX_INTEGER).map(DateItem::new),
        displayStrings());
  }

  private static Arbitrary<BareItem> decimals() {
    BigInteger maximum = BigInteger.valueOf(MAX_INTEGER);
    return Arbitraries.bigIntegers()
        .between(maximum.negate(), maximum)
        .map(thousandths -> new DecimalItem(new BigDecimal(thousandths, 3)));
  }

  /** Code points, not chars: a Display String has no unpaired surrogates. */
  private static Arbitrary<BareItem> displayStrings() {
    return Arbitraries.integers()
        .between(0, Character.MAX_CODE_POINT)
        .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
        .list()
        .ofMaxSize(12)
        .map(points -> points.stream().map(Character::toString).reduce("", String::concat))
        .map(DisplayString::new);
  }

  private static Arbitrary<String> word(String first, String others) {
    return Combinators.combine(
            Arbitraries.chars().with(first.toCharArray()),
            Arbitraries.strings().withChars(others.toCharArray()).ofMaxLength(8))
        .as((start, end) -> start + end);
  }

  private static Arbitrary<String> keys() {
    return word(LOWER + "*", LOWER + DIGITS + "_-.*");
  }

  @Provide
  Arbitrary<Parameters> parameters() {
    return named(bareItems(), 3).map(Parameters::of).withoutEdgeCases();
  }

  private static <T> Arbitrary<Map<String, T>> named(Arbitrary<T> values, int maximum) {
    return Combinators.combine(keys(), values)
        .as(Map::entry)
        .list()
        .ofMaxSize(maximum)
        .map(
            entries -> {
              Map<String, T> named = new LinkedHashMap<>();
              entries.forEach(entry -> named.put(entry.getKey(), entry.getValue()));
              return named;
            });
  }

  @Provide
  Arbitrary<Item> items() {
    return Combinators.combine(bareItems(), parameters()).as(Item::new);
  }

  @Provide
  Arbitrary<InnerList> innerLists() {
    return Combinators.combine(items().list().ofMaxSize(4), parameters())
        .as(InnerList::new)
        .withoutEdgeCases();
  }

  private Arbitrary<Member> members() {
    return Arbitraries.oneOf(items().map(Member.class::cast), innerLists().map(Member.class::cast));
  }

  @Provide
  Arbitrary<FieldList> lists() {
    return members().list().ofMaxSize(4).map(FieldList::of).withoutEdgeCases();
  }

  @Provide
  Arbitrary<Dictionary> dictionaries() {
    return named(members(), 4).map(Dictionary::of).withoutEdgeCases();
  }
}
