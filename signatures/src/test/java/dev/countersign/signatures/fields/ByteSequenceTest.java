package dev.countersign.signatures.fields;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSequenceTest {

  @Test
  void of_laterChangeOfTheArray_isNotSeen() {
    byte[] bytes = {1, 2};
    ByteSequence sequence = ByteSequence.of(bytes);

    bytes[0] = 9;

    assertThat(sequence.bytes()).containsExactly(1, 2);
  }

  @Test
  void bytes_changeOfTheAnswer_isNotSeen() {
    ByteSequence sequence = ByteSequence.of(new byte[] {1, 2});

    sequence.bytes()[0] = 9;

    assertThat(sequence.bytes()).containsExactly(1, 2);
  }

  @Test
  void equals_sameContent_isTrue() {
    assertThat(ByteSequence.of(new byte[] {1}))
        .isEqualTo(ByteSequence.of(new byte[] {1}))
        .hasSameHashCodeAs(ByteSequence.of(new byte[] {1}))
        .isNotEqualTo(ByteSequence.of(new byte[] {2}));
  }

  // RFC 9651 4.2.7: missing padding and pad bits that are not zero should not fail.
  @ParameterizedTest
  @CsvSource({":YQ==:, :YQ==:", ":YQ:, :YQ==:", ":YR==:, :YQ==:", ":YR:, :YQ==:", "::, ::"})
  void parse_lenientBase64_serializesCanonically(String input, String canonical) {
    assertThat(Item.parse(input).serialize()).isEqualTo(canonical);
  }

  @Test
  void textOf_lenientBase64_isLeftAsReceived() {
    assertThat(Dictionary.parse("sig=:YR:").textOf("sig")).hasValue(":YR:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {":Y:", ":YQ=:", ":YQ===:", ":=:", ":====:", ":YQ==YQ==:", ":Y Q:", ":Y-_:"})
  void parse_malformedBase64_throws(String input) {
    assertThatExceptionOfType(FieldParseException.class).isThrownBy(() -> Item.parse(input));
  }
}
