package dev.countersign.signatures.diagnosis;

import static dev.countersign.signatures.diagnosis.TestedBases.POST;
import static dev.countersign.signatures.diagnosis.TestedBases.cause;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines with another form, or of another component. */
class LineCausesTest {
  private static final String DATE = "\"date\": Tue, 05 Mar 2024 07:08:09 GMT\n";

  @ParameterizedTest
  @ValueSource(
      strings = {
        "@method: POST",
        "\"@method\":POST",
        "\"@method\" POST",
        "@method POST",
        "",
        "POST"
      })
  void line_ofAnotherForm_isLineForm(String line) {
    String other = POST.replace("\"@method\": POST", line);

    assertThat(cause(other, POST)).contains(LikelyCause.LINE_FORM);
    assertThat(cause(POST, other)).contains(LikelyCause.LINE_FORM);
    assertThat(cause(other, other.replaceFirst("^.*\n", "another: one\n"))).isEmpty();
  }

  @Test
  void name_inUpperCase_isComponentNameCase() {
    assertThat(cause(POST.replace("\"date\":", "\"Date\":"), POST))
        .contains(LikelyCause.COMPONENT_NAME_CASE);
  }

  @Test
  void base_withoutItsLastLine_isSignatureParamsMissing() {
    String cut = POST.substring(0, POST.indexOf("\n\"@signature-params\""));

    assertThat(cause(cut, POST)).contains(LikelyCause.SIGNATURE_PARAMS_MISSING);
    assertThat(cause(POST, cut)).contains(LikelyCause.SIGNATURE_PARAMS_MISSING);
  }

  @Test
  void base_withoutItsLastTwoLines_lacksAComponentFirst() {
    String cut = POST.substring(0, POST.indexOf("\n\"date\""));

    assertThat(cause(POST, cut)).contains(LikelyCause.LINES_UNLIKE_LIST);
  }

  @Test
  void line_thatOneBaseListsAndLacks_isLinesUnlikeList() {
    assertThat(cause(POST.replace(DATE, ""), POST)).contains(LikelyCause.LINES_UNLIKE_LIST);
    assertThat(cause(POST, POST.replace(DATE, ""))).contains(LikelyCause.LINES_UNLIKE_LIST);
  }

  @Test
  void component_thatOneSideAloneCovers_isMissing() {
    String without = POST.replace(DATE, "").replace(" \"date\"", "");

    assertThat(cause(without, POST)).contains(LikelyCause.COMPONENT_NOT_SIGNED);
    assertThat(cause(POST, without)).contains(LikelyCause.COMPONENT_NOT_VERIFIED);
  }

  @Test
  void component_inPlaceOfAnother_isNotVerified() {
    assertThat(cause(POST.replace("\"date\"", "\"x-date\""), POST))
        .contains(LikelyCause.COMPONENT_NOT_VERIFIED);
  }

  @Test
  void components_inAnotherOrder_areComponentOrder() {
    String other =
        POST.replace(DATE, "")
            .replace("\"content-digest\":", DATE + "\"content-digest\":")
            .replace("\"content-digest\" \"date\"", "\"date\" \"content-digest\"");

    assertThat(cause(other, POST)).contains(LikelyCause.COMPONENT_ORDER);
    assertThat(BaseDifference.between(POST, other).orElseThrow().component())
        .contains("\"content-digest\"");
  }

  @Test
  void component_withOtherParameters_isComponentParameters() {
    assertThat(cause(POST.replace("\"content-digest\"", "\"content-digest\";req"), POST))
        .contains(LikelyCause.COMPONENT_PARAMETERS);
  }

  @Test
  void component_coveredWithAndWithoutParameters_isComponentOrder() {
    String one = "\"x\": 1\n\"x\";sf: 1\n\"@signature-params\": (\"x\" \"x\";sf)";
    String other = "\"x\";sf: 1\n\"x\": 1\n\"@signature-params\": (\"x\";sf \"x\")";

    assertThat(cause(one, other)).contains(LikelyCause.COMPONENT_ORDER);
  }

  @Test
  void component_thatComesTwice_isNoGuess() {
    assertThat(cause(POST.replace(DATE, DATE + DATE), POST)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"' two'", "'\ttwo'"})
  void value_overTwoLines_isFoldedValue(String second) {
    String whole = TestedBases.of("\"x-a\"", "one two");
    String folded = TestedBases.of("\"x-a\"", "one\n" + second);

    assertThat(cause(folded, whole)).contains(LikelyCause.FOLDED_VALUE);
    assertThat(cause(whole, folded)).contains(LikelyCause.FOLDED_VALUE);
  }

  @Test
  void value_whoseSecondLineWasLost_isFoldedValue() {
    assertThat(cause(TestedBases.of("\"x-a\"", "one\n two"), TestedBases.of("\"x-a\"", "one")))
        .contains(LikelyCause.FOLDED_VALUE);
  }

  @Test
  void value_thatDiffersAheadOfAFold_isNoFoldedValue() {
    assertThat(cause(TestedBases.of("\"x-a\"", "one\n two"), TestedBases.of("\"x-a\"", "1 two")))
        .isEmpty();
  }

  @Test
  void line_thatIsIndentedFromTheStart_isLineForm() {
    assertThat(cause(" " + POST, POST)).contains(LikelyCause.LINE_FORM);
  }
}
