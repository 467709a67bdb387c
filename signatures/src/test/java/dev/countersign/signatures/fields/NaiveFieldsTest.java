package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.countersign.signatures.Vectors;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks the reference itself with the working group's vectors. */
class NaiveFieldsTest {

  @TestFactory
  Stream<DynamicTest> naive_vector() {
    return FieldVector.in(Vectors.folder("structured-fields")).stream()
        .map(vector -> dynamicTest(vector.displayName(), () -> check(vector)));
  }

  private static void check(FieldVector vector) {
    assertThat(canonical(vector.type(), vector.raw()))
        .isEqualTo(vector.mustFail() ? Optional.empty() : Optional.of(vector.canonical()));
  }

  static Optional<String> canonical(VectorType type, String text) {
    return switch (type) {
      case ITEM -> NaiveFields.item(text);
      case LIST -> NaiveFields.list(text);
      case DICTIONARY -> NaiveFields.dictionary(text);
    };
  }
}
