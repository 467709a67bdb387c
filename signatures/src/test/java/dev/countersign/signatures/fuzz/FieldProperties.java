package dev.countersign.signatures.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.signatures.fields.FieldParseException;
import java.util.Optional;
import java.util.function.Function;

/**
 * The properties of every text, for each type of structured field.
 *
 * @param parse reads a field value
 * @param serialize writes one
 * @param naive the canonical text by the reference; empty if it refuses the text
 */
record FieldProperties<T>(
    Function<String, T> parse,
    Function<T, String> serialize,
    Function<String, Optional<String>> naive) {

  /** Returns the value of the input, if it has one. */
  Optional<T> check(byte[] input) {
    String text = new String(input, UTF_8);
    Optional<T> value = parsed(text);
    FuzzFinding.unlessEqual(value.map(serialize), naive.apply(text));
    value.ifPresent(this::checkFixedPoint);
    return value;
  }

  private Optional<T> parsed(String text) {
    try {
      return Optional.of(parse.apply(text));
    } catch (FieldParseException e) {
      FuzzFinding.unless(e.position() >= 0 && e.position() <= text.length(), "points outside");
      FuzzFinding.unless(e.caret().contains("^ expected " + e.expectation()), "draws no caret");
      return Optional.empty();
    }
  }

  private void checkFixedPoint(T value) {
    String canonical = serialize.apply(value);
    T again = parse.apply(canonical);
    FuzzFinding.unlessEqual(again, value);
    FuzzFinding.unlessEqual(serialize.apply(again), canonical);
  }
}
