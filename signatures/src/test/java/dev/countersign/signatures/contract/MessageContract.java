package dev.countersign.signatures.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.base.HttpMessage;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The contract for the fields of requests and responses. */
abstract class MessageContract<M extends HttpMessage> {

  /**
   * Sends a message over a socket and through the adapter's library, which may add its own fields.
   *
   * @throws RefusedException when it was refused
   */
  protected abstract WireExchange<M> exchange(WireMessage wanted) throws Exception;

  /** The deviations that apply to the library. */
  protected Set<Leeway> leeways() {
    return Set.of();
  }

  /** The field names of the contract that are not tokens and that the library refuses. */
  protected Set<String> refusedNames() {
    return Set.of();
  }

  /** A message without fields and body. */
  abstract WireMessage plain();

  /** Returns the exchange of a message, or nothing if its refusal was declared and happened. */
  final List<WireExchange<M>> exchangeUnless(boolean refused, WireMessage wanted) throws Exception {
    if (refused) {
      assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> exchange(wanted));
      return List.of();
    }
    return List.of(exchange(wanted));
  }

  final List<WireExchange<M>> exchangeUnless(Leeway leeway, WireMessage wanted) throws Exception {
    return exchangeUnless(leeways().contains(leeway), wanted);
  }

  /** The core removes blanks and folds, so an adapter may keep them or not. */
  static List<String> plainLines(HttpMessage message, String lowerCaseName) {
    return message.fieldLines(lowerCaseName).stream().map(WireMessage::plain).toList();
  }

  private void assertField(WireExchange<M> wireExchange, String lowerCaseName, String... values) {
    assertThat(wireExchange.wire().values(lowerCaseName)).as("on the wire").containsExactly(values);
    assertThat(plainLines(wireExchange.message(), lowerCaseName)).containsExactly(values);
  }

  @Test
  void field_onSeveralLines_isAllOfThemInOrderWhateverTheCase() throws Exception {
    assertField(
        exchange(
            plain()
                .plus("X-Many", " c, d")
                .plus("X-Other", " 0")
                .plus("x-many", " a")
                .plus("X-MANY", " b")),
        "x-many",
        "c, d",
        "a",
        "b");
  }

  @Test
  void field_signatureFieldsOnSeveralLines_areAllThere() throws Exception {
    WireExchange<M> wireExchange =
        exchange(
            plain()
                .plus("Signature-Input", " a=(\"@method\");created=1")
                .plus("Signature-Input", " b=()")
                .plus("Signature", " a=:AQ==:")
                .plus("Signature", " b=:Ag==:"));

    assertField(wireExchange, "signature-input", "a=(\"@method\");created=1", "b=()");
    assertField(wireExchange, "signature", "a=:AQ==:", "b=:Ag==:");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "value",
        " value",
        "  a b ",
        "\t a   b\t ",
        " a, \"b, c\";q=1 ,, d ",
        " ,",
        " :x: y",
        " \"quoted \\\" \\\\ text\"",
        " !#$%&'()*+-./:;<=>?@[\\]^_`{|}~",
      })
  void field_withBlanksAndSigns_isTheSameBetweenItsEnds(String value) throws Exception {
    assertField(exchange(plain().plus("X-Value", value)), "x-value", WireMessage.plain(value));
  }

  @Test
  void field_withATabInside_keepsIt() throws Exception {
    WireExchange<M> wireExchange = exchange(plain().plus("X-Tab", " a\tb"));

    assertThat(wireExchange.wire().values("x-tab")).containsExactly("a\tb");
    assertThat(plainLines(wireExchange.message(), "x-tab"))
        .containsExactly(leeways().contains(Leeway.TABS_BECOME_SPACES) ? "a b" : "a\tb");
  }

  @Test
  void field_longAndFull_isWhole() throws Exception {
    String value = "abc, ".repeat(600) + "end";
    assertField(exchange(plain().plus("X-Long", " " + value)), "x-long", value);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "  \t"})
  void field_empty_isThereAndEmpty(String value) throws Exception {
    assertField(exchange(plain().plus("X-Empty", value)), "x-empty", "");
  }

  @Test
  void field_emptyAmongOthers_keepsItsPlace() throws Exception {
    assertField(
        exchange(plain().plus("X-A", " 1").plus("X-A", "").plus("X-A", " 2")), "x-a", "1", "", "2");
  }

  @Test
  void field_absent_isNoLine() throws Exception {
    M message = exchange(plain().plus("X-Present", " x")).message();

    assertThat(message.fieldLines("x-absent")).isEmpty();
    assertThat(message.fieldLines("x")).isEmpty();
    assertThat(message.fieldLines("x-present-too")).isEmpty();
    assertThat(message.trailerLines("x-present")).isEmpty();
  }

  @Test
  void field_ofObsText_isACharacterForEachByte() throws Exception {
    // U+00C3 U+00A9 are the bytes of an é in UTF-8; U+00A0 is not a blank in HTTP.
    String value = "caf\u00c3\u00a9 \u00e9\u0080\u00ff\u00a0";
    for (WireExchange<M> wireExchange :
        exchangeUnless(Leeway.OBS_TEXT, plain().plus("X-Text", " " + value))) {
      assertField(wireExchange, "x-text", value);
    }
  }

  @Test
  void field_folded_isOneLine() throws Exception {
    WireMessage wanted = plain().plus("X-Folded", " a\r\n b").plus("X-After", " c");
    for (WireExchange<M> wireExchange : exchangeUnless(Leeway.OBS_FOLD, wanted)) {
      assertField(wireExchange, "x-folded", "a b");
      assertField(wireExchange, "x-after", "c");
    }
  }

  @Test
  void trailer_isNeverAField() throws Exception {
    WireMessage wanted =
        plain()
            .plus("Trailer", " X-Late, X-Both")
            .plus("X-Both", " field")
            .withChunked("abc", "X-Late: late", "X-Both: trailer");
    for (WireExchange<M> wireExchange : exchangeUnless(Leeway.TRAILERS, wanted)) {
      assertThat(wireExchange.message().fieldLines("x-late")).isEmpty();
      assertField(wireExchange, "x-both", "field");
      assertThat(wireExchange.message().trailerLines("x-late")).isSubsetOf("late");
      assertThat(wireExchange.message().trailerLines("x-both")).isSubsetOf("trailer");
    }
  }
}
