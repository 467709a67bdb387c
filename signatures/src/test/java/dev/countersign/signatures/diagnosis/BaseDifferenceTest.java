package dev.countersign.signatures.diagnosis;

import static dev.countersign.signatures.diagnosis.TestedBases.POST;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.Cases;
import dev.countersign.signatures.SignableRequest;
import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The first difference of two bases, and its drawing. */
class BaseDifferenceTest {

  @Test
  void between_equalBases_isEmpty() {
    assertThat(BaseDifference.between(POST, new String(POST.toCharArray()))).isEmpty();
    assertThat(BaseDifference.between("", "")).isEmpty();
  }

  @Test
  void drawing_reEncodedQuery_hasTheCaretUnderTheComma() {
    BaseDifference difference =
        difference(
            TestedBases.of("\"@target-uri\"", "https://api.example.com/ledger?sort=name,asc"),
            TestedBases.of("\"@target-uri\"", "https://api.example.com/ledger?sort=name%2Casc"));

    assertThat(difference.drawing())
        .isEqualTo(
            """
            line 1, "@target-uri", column 56:
              signed   "@target-uri": https://api.example.com/ledger?sort=name,asc
              rebuilt  "@target-uri": https://api.example.com/ledger?sort=name%2Casc
                                                                              ^
              the query was re-encoded on the way: send it as signed, byte for byte\
            """);
    assertThat(difference).hasToString(difference.drawing());
  }

  @Test
  void drawing_ofTheReadme_isTheOneThatItShows() throws Exception {
    String signed = "\"@authority\": api.example.com";
    String rebuilt = "\"@authority\": internal.example.com:8080";

    assertThat(Files.readString(Path.of("README.md")))
        .contains("\n" + difference(signed, rebuilt).drawing() + "\n");
  }

  @Test
  void difference_ofTheHost_saysWhereAndWhatAndWhy() {
    BaseDifference difference = difference(POST, POST.replace("api.example.com", "10.0.0.7:8080"));

    assertThat(difference.line()).isEqualTo(2);
    assertThat(difference.column()).isEqualTo(24);
    assertThat(difference.component()).contains("\"@target-uri\"");
    assertThat(difference.signedLine())
        .contains("\"@target-uri\": https://api.example.com/ledger/v1/wallets?page=0");
    assertThat(difference.rebuiltLine())
        .contains("\"@target-uri\": https://10.0.0.7:8080/ledger/v1/wallets?page=0");
    assertThat(difference.likelyCause()).contains(LikelyCause.AUTHORITY_DIFFERS);
  }

  @Test
  void drawing_withoutALikelyCause_endsWithTheCaret() {
    assertThat(
            difference(TestedBases.of("\"x-a\"", "one"), TestedBases.of("\"x-a\"", "two"))
                .drawing())
        .isEqualTo(
            """
            line 1, "x-a", column 8:
              signed   "x-a": one
              rebuilt  "x-a": two
                              ^\
            """);
  }

  @Test
  void drawing_lineThatIsMissing_showsNothingInItsPlace() {
    String cut = POST.substring(0, POST.indexOf("\n\"@signature-params\""));

    assertThat(difference(cut, POST).drawing())
        .startsWith(
            """
            line 5, "@signature-params", column 1:
              signed   (nothing)
              rebuilt  "@signature-params": ("@method" "@target-uri" "content-digest" "date");\
            """)
        .endsWith("\n           ^\n  " + LikelyCause.SIGNATURE_PARAMS_MISSING.sentence());
  }

  @Test
  void drawing_spacesAtTheEnd_areShownByName() {
    assertThat(
            difference(TestedBases.of("\"x-a\"", "one two  "), TestedBases.of("\"x-a\"", "one two"))
                .drawing())
        .isEqualTo(
            """
            line 1, "x-a", column 15:
              signed   "x-a": one two<SP><SP>
              rebuilt  "x-a": one two
                                     ^
              only white space differs: trim a value at its ends and keep the rest as it is sent\
            """);
  }

  @Test
  void drawing_whatIsNotPrintable_isShownByName() {
    assertThat(
            difference(
                    TestedBases.of("\"x-a\"", "\u001b[2J\t\u00e9\u202e,1"),
                    TestedBases.of("\"x-a\"", "\u001b[2J\t\u00e9\u202e,2"))
                .drawing())
        .isEqualTo(
            """
            line 1, "x-a", column 16:
              signed   "x-a": <U+001B>[2J<TAB><U+00E9><U+202E>,1
              rebuilt  "x-a": <U+001B>[2J<TAB><U+00E9><U+202E>,2
                                                               ^\
            """);
  }

  @Test
  void drawing_longLines_areCutAroundTheDifference() {
    String before = "ab".repeat(100_000);
    String after = "cd".repeat(100_000);

    assertThat(
            difference(
                    TestedBases.of("\"x-a\"", before + "1" + after),
                    TestedBases.of("\"x-a\"", before + "2" + after))
                .drawing())
        .isEqualTo(
            String.format(
                Locale.ROOT,
                """
                line 1, "x-a", column 200008:
                  signed   …%1$s1%2$s…
                  rebuilt  …%1$s2%2$s…
                            %3$s^\
                """,
                "ab".repeat(25),
                "cd".repeat(24) + "c",
                " ".repeat(50)));
  }

  @Test
  void drawing_oneLineMuchLonger_showsTheEndOfTheOther() {
    assertThat(
            difference(
                    TestedBases.of("\"x-a\"", "a".repeat(200)),
                    TestedBases.of("\"x-a\"", "a".repeat(200) + "b".repeat(200)))
                .drawing())
        .isEqualTo(
            String.format(
                Locale.ROOT,
                """
                line 1, "x-a", column 208:
                  signed   …%1$s
                  rebuilt  …%1$s%2$s…
                            %3$s^\
                """,
                "a".repeat(50),
                "b".repeat(50),
                " ".repeat(50)));
  }

  @Test
  void drawing_longIdentifier_isCut() {
    String drawing =
        difference(
                TestedBases.of("\"" + "n".repeat(100_000) + "\"", "1"),
                TestedBases.of("\"" + "n".repeat(100_000) + "\"", "2"))
            .drawing();

    assertThat(drawing).startsWith("line 1, \"" + "n".repeat(99) + "…, column 100005:\n");
  }

  @Test
  void component_withParameters_isGivenAsWritten() {
    String identifier = "\"@query-param\";name=\"a\\\": b\";req";

    assertThat(
            difference(TestedBases.of(identifier, "1"), TestedBases.of(identifier, "2"))
                .component())
        .contains(identifier);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "POST", "\": x", "\"a", "\"a\"", "\"a\":b", "\"\": b"})
  void component_ofALineThatNamesNone_isThatOfTheOther(String text) {
    assertThat(difference(text, POST).component()).contains("\"@method\"");
    assertThat(difference(POST, text).component()).contains("\"@method\"");
    assertThat(difference(text, "what").component()).isEmpty();
  }

  @Test
  void between_twoBases_comparesTheirTexts() {
    SignatureBase signed = base("https://api.example.com/a");
    SignatureBase rebuilt = base("http://api.example.com/a");

    assertThat(BaseDifference.between(signed, base("https://api.example.com/a"))).isEmpty();
    assertThat(BaseDifference.between(signed, rebuilt).orElseThrow().rebuiltLine())
        .contains("\"@target-uri\": http://api.example.com/a");
  }

  /** The position of every change of one character is exact, for any character. */
  @Test
  void between_anyOneCharacterChanged_isExact() {
    Random random = new Random(9421);
    String characters = "a\"(;:,=/?%+ \t\n\r\\nu\u00e9\ud83d@";
    for (int round = 0; round < Cases.of(20_000, 2000); round++) {
      int at = random.nextInt(POST.length() + 1);
      char c = characters.charAt(random.nextInt(characters.length()));
      int removed = Math.min(random.nextInt(2), POST.length() - at);
      String inserted = removed == 1 && random.nextBoolean() ? "" : String.valueOf(c);
      String changed = POST.substring(0, at) + inserted + POST.substring(at + removed);
      if (!changed.equals(POST)) {
        assertExact(POST, changed);
        assertExact(changed, POST);
      }
    }
  }

  private static void assertExact(String signed, String rebuilt) {
    BaseDifference difference = difference(signed, rebuilt);
    List<String> a = lines(signed, rebuilt);
    List<String> b = lines(rebuilt, signed);
    int line = difference.line() - 1;
    assertThat(a.subList(0, line)).isEqualTo(b.subList(0, line));
    String one = line < a.size() ? a.get(line) : "";
    String other = line < b.size() ? b.get(line) : "";
    assertThat(difference.signedLine().orElse("")).isEqualTo(one);
    assertThat(difference.rebuiltLine().orElse("")).isEqualTo(other);
    if (one.equals(other)) {
      assertThat(Math.min(a.size(), b.size())).as("an empty line more at the end").isEqualTo(line);
    }
    int column = difference.column() - 1;
    assertThat(one.substring(0, column)).isEqualTo(other.substring(0, column));
    if (column < Math.min(one.length(), other.length())) {
      assertThat(one.charAt(column)).isNotEqualTo(other.charAt(column));
    }
    assertCaret(difference.drawing(), one, other, column);
  }

  /** The lines of the first base; a line break at its end matters only if nothing else differs. */
  private static List<String> lines(String text, String other) {
    String meant = text.replaceAll("[\r\n]+$", "");
    boolean differs = !meant.equals(other.replaceAll("[\r\n]+$", ""));
    return List.of((differs ? meant : text).split("\n", -1));
  }

  /** The caret stands under the first place where the two drawn lines differ. */
  private static void assertCaret(String drawing, String one, String other, int column) {
    List<String> drawn = drawing.lines().toList();
    int caret = drawn.get(3).indexOf('^');
    assertThat(drawn.get(3).strip()).isEqualTo("^");
    if (!one.isEmpty() && !other.isEmpty()) {
      assertThat(drawn.get(1).substring(11, caret)).isEqualTo(drawn.get(2).substring(11, caret));
    }
    assertThat(caret).isGreaterThanOrEqualTo(11 + Math.min(column, 50));
    assertThat(drawing).matches("[\\x20-\\x7e\n…]*");
  }

  private static BaseDifference difference(String signed, String rebuilt) {
    return BaseDifference.between(signed, rebuilt).orElseThrow();
  }

  private static SignatureBase base(String targetUri) {
    return SignatureBase.of(
        SignatureInput.parse("(\"@target-uri\")"),
        SignableRequest.of("GET", targetUri, Instant.EPOCH),
        StructuredFieldRegistry.registered());
  }
}
