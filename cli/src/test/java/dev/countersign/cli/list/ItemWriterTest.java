package dev.countersign.cli.list;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;

class ItemWriterTest {
  /** Numbers as the SDK passes them on. */
  private static final JsonMapper EXACT =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final StringWriter out = new StringWriter();
  private final List<String> warnings = new ArrayList<>();

  private ItemWriter write(ListFormat format, String... pages) throws IOException {
    ItemWriter writer = format.writer(out, null, true, warnings::add);
    for (String page : pages) {
      writer.write(items(page));
    }
    writer.end();
    return writer;
  }

  private static List<JsonNode> items(String array) {
    return EXACT.readTree(array).valueStream().toList();
  }

  /** A zero of numeric(38,18), and a number of which the last digits are not known. */
  @ParameterizedTest
  @EnumSource
  void decimals_areWrittenAsTheServiceWritesThem(ListFormat format) throws IOException {
    write(format, "[{\"a\":0.000000000000000000,\"b\":{\"c\":0.00000010},\"d\":1.0E+300}]");

    assertThat(out.toString())
        .contains("0.000000000000000000", "0.00000010", "1.0E+300")
        .doesNotContain("E-");
  }

  @Test
  void csv_withCommasQuotesAndLines_isQuoted() throws IOException {
    write(
        ListFormat.CSV,
        """
        [{"a":"x,y","b":"say \\"hi\\"","c":"one\\ntwo","d":null,"e":{"f":[1.10]}}]
        """);

    assertThat(out)
        .hasToString(
            "a,b,c,d,e\r\n\"x,y\",\"say \"\"hi\"\"\",\"one\ntwo\",,\"{\"\"f\"\":[1.10]}\"\r\n");
  }

  @Test
  void csv_withAFormula_isGuardedAndKeepsNumbers() throws IOException {
    ItemWriter writer =
        write(
            ListFormat.CSV,
            """
        [{"=a":"=1+1","b":"-5.00","c":-5.00,"d":"@x","e":"'x"}]
        """);

    assertThat(out).hasToString("'=a,b,c,d,e\r\n'=1+1,-5.00,-5.00,'@x,''x\r\n");
    assertThat(writer.resumeOptions())
        .as("the options that continue the list name the members themselves")
        .containsExactly("--columns", "=a,b,c,d,e", "--no-header");
  }

  @Test
  void csv_withAHashSign_isNotQuoted() throws IOException {
    write(ListFormat.CSV, "[{\"#id\":\"#1\",\"b\":\"#2\"}]");
    assertThat(out).hasToString("#id,b\r\n#1,#2\r\n");
  }

  @Test
  void csv_ofItemsWithoutMembers_hasNoEmptyLine() throws IOException {
    write(ListFormat.CSV, "[{},{}]");
    assertThat(out).hasToString("\"\"\r\n\"\"\r\n\"\"\r\n");
  }

  @Test
  void csv_withAnotherMemberLater_warnsOnce() throws IOException {
    write(ListFormat.CSV, "[{\"a\":1}]", "[{\"a\":2,\"b\":3}]", "[{\"b\":4}]");

    assertThat(out).hasToString("a\r\n1\r\n2\r\n\"\"\r\n");
    assertThat(warnings).hasSize(1).first().asString().contains("b have no column");
  }

  @Test
  void table_withWiderValuesLater_growsAndSetsNumbersRight() throws IOException {
    write(
        ListFormat.TABLE,
        "[{\"id\":\"a\",\"n\":5},{\"id\":\"bcd\",\"n\":12}]",
        "[{\"id\":\"efghi\",\"n\":1}]");

    assertThat(out)
        .hasToString(
            """
            ID   N
            a     5
            bcd  12
            efghi   1
            """);
  }

  @Test
  void table_withControlCharacters_cannotSteerATerminal() throws IOException {
    write(ListFormat.TABLE, "[{\"id\":\"a\\u001b[2Jb\\nc\"}]");

    assertThat(out.toString()).isEqualTo("ID\na [2Jb c\n");
  }

  @Test
  void table_withALongValue_cutsIt() throws IOException {
    write(ListFormat.TABLE, "[{\"id\":\"" + "x".repeat(200) + "\"}]");

    assertThat(out.toString()).endsWith("x…\n").hasSize(3 + 61);
  }

  @ParameterizedTest
  @EnumSource(names = {"CSV", "TABLE"})
  void columns_withoutItems_areNone(ListFormat format) throws IOException {
    write(format, "[]");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void csv_withOneEmptyCell_isNoEmptyLine() throws IOException {
    write(ListFormat.CSV, "[{\"note\":\"a\"},{\"note\":null}]");
    assertThat(out.toString()).isEqualTo("note\r\na\r\n\"\"\r\n");
  }

  @Test
  void json_withoutItems_isAnEmptyArray() throws IOException {
    write(ListFormat.JSON);

    assertThat(out).hasToString("[]\n");
  }

  @Test
  void json_overPages_isOneArrayWithExactNumbers() throws IOException {
    write(ListFormat.JSON, "[{\"n\":12345678901234567890.10}]", "[\"x\"]");

    assertThat(out).hasToString("[\n{\"n\":12345678901234567890.10},\n\"x\"\n]\n");
  }

  @Test
  void table_thatCutsALongCell_splitsNoCharacter() throws IOException {
    write(ListFormat.TABLE, "[{\"a\":\"" + "x".repeat(58) + "\ud83d\ude00xx\"}]");

    assertThat(out.toString()).endsWith("x".repeat(58) + "…\n").doesNotContain("\ud83d");
  }
}
