package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import dev.countersign.signatures.Vectors;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * The HTTP working group's own tests for structured fields. Cases that a parser may refuse ({@code
 * can_fail}) must pass here: RFC 9651 asks parsers to accept them.
 */
class StructuredFieldVectorsTest {

  @Test
  void vectors_areAllThere() {
    assertThat(parsing()).hasSize(1591);
    assertThat(serializing()).hasSize(544);
  }

  @TestFactory
  Stream<DynamicTest> parse_vector() {
    return tests(parsing(), StructuredFieldVectorsTest::parse);
  }

  @TestFactory
  Stream<DynamicTest> serialize_vector() {
    return tests(serializing(), StructuredFieldVectorsTest::serialize);
  }

  private static void parse(FieldVector vector) {
    if (vector.mustFail()) {
      refuse(vector);
      return;
    }
    Object value = vector.type().parse(vector.raw());
    assertThat(value).isEqualTo(vector.type().build(vector.expected()));
    assertThat(VectorType.serialize(value)).isEqualTo(vector.canonical());
    assertThat(vector.type().parse(vector.canonical())).isEqualTo(value);
  }

  private static void refuse(FieldVector vector) {
    FieldParseException failure =
        catchThrowableOfType(FieldParseException.class, () -> vector.type().parse(vector.raw()));
    assertThat(failure).isNotNull();
    assertThat(failure.position()).isBetween(0, vector.raw().length());
    assertThat(failure.caret()).matches("[ -~\ufffd]*\n *\\^ expected [ -~]+");
  }

  private static void serialize(FieldVector vector) {
    if (vector.mustFail()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> VectorType.serialize(vector.type().build(vector.expected())));
      return;
    }
    assertThat(VectorType.serialize(vector.type().build(vector.expected())))
        .isEqualTo(vector.canonical());
  }

  private static Stream<DynamicTest> tests(List<FieldVector> vectors, Consumer<FieldVector> test) {
    return vectors.stream().map(v -> dynamicTest(v.displayName(), () -> test.accept(v)));
  }

  private static List<FieldVector> parsing() {
    return FieldVector.in(Vectors.folder("structured-fields"));
  }

  private static List<FieldVector> serializing() {
    return FieldVector.in(Vectors.folder("structured-fields/serialisation-tests"));
  }
}
