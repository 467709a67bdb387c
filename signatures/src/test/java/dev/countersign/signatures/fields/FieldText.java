package dev.countersign.signatures.fields;

import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.domains.DomainContextBase;

/** Texts built from pieces that matter to the parser; some are fields, most are not. */
final class FieldText extends DomainContextBase {
  private static final String[] MARKS = {
    "\"", "\\", "\\\"", ":", "?", "@", "%", "%\"", "(", ")", ";", "=", ",", " ", "\t", ", ", "-",
    "."
  };
  private static final String[] WORDS = {
    "a",
    "b",
    "*",
    "A",
    "_",
    "1",
    "0",
    "12345678901234",
    "YQ==",
    "YQ",
    "Y",
    "?1",
    "?0",
    "c3",
    "bc",
    "a=1",
    "b;x",
    "\"s\"",
    "(1 2)",
    ":YQ:",
    ";y=2",
    "@5",
    "%\"%c3%bc\"",
    "1.5",
    "tok/en"
  };
  private static final String[] FOREIGN = {"\u00fc", "\u0000", "\u007f", "\n", "\ud800"};

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.frequencyOf(
            Tuple.of(8, Arbitraries.of(MARKS)),
            Tuple.of(12, Arbitraries.of(WORDS)),
            Tuple.of(1, Arbitraries.of(FOREIGN)))
        .list()
        .ofMaxSize(6)
        .map(pieces -> String.join("", pieces));
  }
}
