package dev.countersign.signatures.diagnosis;

import static dev.countersign.signatures.diagnosis.TestedBases.POST;
import static dev.countersign.signatures.diagnosis.TestedBases.cause;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.json.JsonMapper;

/** A base that was copied from a log or a problem document is compared by its meaning. */
class CopiedBaseTest {

  enum Copy {
    WITH_CR_LF(base -> base.replace("\n", "\r\n"), LikelyCause.CR_LF),
    WITH_CR_LF_AT_THE_END_TOO(base -> base.replace("\n", "\r\n") + "\r\n", LikelyCause.CR_LF),
    WITH_A_FINAL_LINE_BREAK(base -> base + "\n", LikelyCause.FINAL_LINE_BREAK),
    WITH_A_FINAL_CR_LF(base -> base + "\r\n", LikelyCause.FINAL_LINE_BREAK),
    AS_JSON(JsonMapper.shared()::writeValueAsString, LikelyCause.ESCAPED_TEXT),
    AS_JSON_WITH_CR_LF(
        base -> JsonMapper.shared().writeValueAsString(base.replace("\n", "\r\n") + "\r\n"),
        LikelyCause.ESCAPED_TEXT),
    AS_JSON_OUT_OF_ITS_QUOTES(
        base -> AS_JSON.copied(base).replaceAll("^\"|\"$", ""), LikelyCause.ESCAPED_TEXT),
    AS_JSON_ON_A_LINE(base -> AS_JSON.copied(base) + "\n", LikelyCause.ESCAPED_TEXT),
    WITH_A_SHELLS_ESCAPES(base -> base.replace("\n", "\\n"), LikelyCause.ESCAPED_TEXT),
    WITH_A_SHELLS_FINAL_ESCAPE(base -> base.replace("\n", "\\n") + "\n", LikelyCause.ESCAPED_TEXT);

    private final UnaryOperator<String> copied;
    private final LikelyCause cause;

    Copy(UnaryOperator<String> copied, LikelyCause cause) {
      this.copied = copied;
      this.cause = cause;
    }

    String copied(String base) {
      return copied.apply(base);
    }
  }

  @ParameterizedTest
  @EnumSource
  void copy_ofTheSameBase_differsByTheCopyAlone(Copy copy) {
    assertThat(cause(POST, copy.copied(POST))).contains(copy.cause);
    assertThat(cause(copy.copied(POST), POST)).contains(copy.cause);
  }

  @ParameterizedTest
  @EnumSource
  void copy_ofAnotherBase_differsByItsContent(Copy copy) {
    String other = POST.replace("page=0", "page=1");
    BaseDifference expected = BaseDifference.between(POST, other).orElseThrow();

    BaseDifference difference = BaseDifference.between(POST, copy.copied(other)).orElseThrow();

    assertThat(difference.drawing()).isEqualTo(expected.drawing());
    assertThat(difference.line()).isEqualTo(2);
  }

  @Test
  void copy_withCrLf_isDrawnAsItIs() {
    assertThat(BaseDifference.between(POST.replace("\n", "\r\n"), POST).orElseThrow().drawing())
        .isEqualTo(
            """
            line 1, "@method", column 16:
              signed   "@method": POST<CR>
              rebuilt  "@method": POST
                                      ^
              lines end in CR LF: sign them with LF only (if only the copy has CR, the bases are equal)\
            """);
  }

  @Test
  void copy_withAFinalLineBreak_isDrawnAsALineMore() {
    assertThat(BaseDifference.between(POST + "\n", POST).orElseThrow().drawing())
        .isEqualTo(
            """
            line 6, column 1:
              signed   (nothing)
              rebuilt  (nothing)
                       ^
              one text ends with a line break: sign the base without it (if only the copy has it, the bases are equal)\
            """);
  }

  @Test
  void copy_asJson_isDrawnAsItIs() {
    assertThat(
            BaseDifference.between(
                    TestedBases.of("\"date\"", "x"),
                    Copy.AS_JSON.copied(TestedBases.of("\"date\"", "x")))
                .orElseThrow()
                .drawing())
        .isEqualTo(
            """
            line 1, "date", column 2:
              signed   "date": x
              rebuilt  "\\"date\\": x\\n\\"@signature-params\\": (\\"date\\");created=1709622489"
                        ^
              one text is escaped, \\n for a line feed: sign line feeds (if only the copy is escaped, the bases are equal)\
            """);
  }

  @Test
  void cr_atTheEndOfOneLine_isCrLf() {
    assertThat(cause(POST, POST.replace("POST\n", "POST\r\n"))).contains(LikelyCause.CR_LF);
  }

  @Test
  void cr_insideALine_isNoCrLf() {
    assertThat(cause(POST, POST.replace("POST\n", "PO\rST\n"))).contains(LikelyCause.NOT_ASCII);
  }

  @Test
  void escapes_insideAValue_stayAsTheyAre() {
    String base = TestedBases.of("\"x-a\"", "\"a\\n\\\"b\\\\n\"");

    BaseDifference difference =
        BaseDifference.between(base, base.replace("1709622489", "1709622490")).orElseThrow();

    assertThat(difference.line()).isEqualTo(2);
    assertThat(difference.likelyCause()).contains(LikelyCause.CREATED_DIFFERS);
  }

  @Test
  void escape_thatIsNone_leavesTheTextAsItIs() {
    for (String text :
        new String[] {"\\\"a\\q", "\\\"a\\", "\\\"\\u12", "\\\"\\u00g0", "\"\\\"\\"}) {
      assertThat(BaseDifference.between(text, POST).orElseThrow().signedLine()).contains(text);
    }
  }
}
