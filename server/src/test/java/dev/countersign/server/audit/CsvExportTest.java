package dev.countersign.server.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.store.TestStore;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class CsvExportTest {
  private static final List<String> ODD =
      List.of(
          "=cmd|' /C calc'!A0",
          "+1+1",
          "-1-1",
          "@SUM(A1)",
          "\ttab",
          "\rreturn",
          "'quoted",
          "''twice",
          "a,\"b\"\r\nc",
          "<script>alert(1)</script>",
          "Söhne 銀行 😀",
          " ");

  @TempDir private Path data;

  @ParameterizedTest
  @EnumSource
  void export_oddText_isRecomputedFromTheFile(TestStore store) throws Exception {
    try (TestTrail test = new TestTrail(store, data)) {
      for (String odd : ODD) {
        String name = odd.isBlank() ? "ada" : odd;
        test.append(
            new Author(name, Channel.PORTAL, odd.isBlank() ? null : odd),
            new Change("a." + odd, odd + ":b", Map.of(odd, odd), Map.of()));
      }
      String export = export(test, AuditFilter.all());
      assertThat(export).contains(",\"portal\",,\"a. \",");
      List<List<String>> rows = parse(export);
      assertThat(String.join(",", rows.getFirst()))
          .isEqualTo(
              "seq,at,author,channel,address,action,subject,before,after,previous_hash,hash");
      assertThat(rows).hasSize(ODD.size() + 1);
      String previous = "0".repeat(64);
      for (List<String> row : rows.subList(1, rows.size())) {
        assertThat(row).hasSize(11);
        List<String> fields = row.stream().map(CsvExportTest::bare).toList();
        assertThat(fields.get(9)).isEqualTo(previous);
        assertThat(fields.get(10)).isEqualTo(hash(fields.subList(0, 10)));
        assertThat(row).noneMatch(cell -> cell.matches("(?s)[=+@\\t\\r-].*"));
        previous = fields.get(10);
      }
      assertThat(test.trail().verify())
          .isEqualTo(new ChainVerification.Intact(ODD.size(), previous, 0));
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void export_number_isUnchanged(TestStore store) throws Exception {
    try (TestTrail test = new TestTrail(store, data)) {
      test.append(
          new Author("-5", Channel.PORTAL, null), new Change("a.b", "c:d", Map.of(), Map.of()));
      assertThat(export(test, AuditFilter.all())).contains(",\"-5\",\"portal\",,\"a.b\",");
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void export_moreThanABatch_isInOrder(TestStore store) throws Exception {
    try (TestTrail test = new TestTrail(store, data)) {
      test.fill(2001);
      List<List<String>> rows = parse(export(test, AuditFilter.all()));
      assertThat(rows).hasSize(2002);
      for (int i = 1; i <= 2001; i++) {
        assertThat(rows.get(i).getFirst()).isEqualTo(String.valueOf(i));
      }
      AuditFilter one = new AuditFilter(null, null, "client:1500", null, null, null);
      assertThat(parse(export(test, one))).hasSize(2);
      assertThat(parse(export(test, one)).getLast()).contains("1500");
    }
  }

  @ParameterizedTest
  @MethodSource(TestStore.OF_THIS_RUN)
  void export_withoutEntries_isTheHeader(TestStore store) throws Exception {
    try (TestTrail test = new TestTrail(store, data)) {
      assertThat(export(test, AuditFilter.all())).endsWith(",hash\r\n").hasLineCount(1);
    }
  }

  private static String export(TestTrail test, AuditFilter filter) throws IOException {
    StringWriter out = new StringWriter();
    long count = test.trail().exportCsv(filter, out);
    assertThat(count).isEqualTo(test.trail().page(filter, 0, 1).total());
    return out.toString();
  }

  private static String bare(String cell) {
    return cell.startsWith("'") ? cell.substring(1) : cell;
  }

  /** As the document describes it: a missing address is an empty cell. */
  private static String hash(List<String> fields) throws Exception {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < fields.size(); i++) {
      String field = fields.get(i);
      int bytes = field.getBytes(StandardCharsets.UTF_8).length;
      text.append(i == 4 && field.isEmpty() ? "-," : bytes + ":" + field + ",");
    }
    byte[] digest =
        MessageDigest.getInstance("SHA-256")
            .digest(text.toString().getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(digest);
  }

  /** RFC 4180, strictly: every deviation is an error. */
  private static List<List<String>> parse(String csv) {
    List<List<String>> rows = new ArrayList<>();
    List<String> row = new ArrayList<>();
    int at = 0;
    while (at < csv.length()) {
      StringBuilder cell = new StringBuilder();
      if (csv.charAt(at) == '"') {
        for (at++; csv.charAt(at) != '"' || csv.startsWith("\"\"", at); at++) {
          cell.append(csv.charAt(at));
          at += csv.charAt(at) == '"' ? 1 : 0;
        }
        at++;
      } else {
        for (; csv.charAt(at) != ',' && csv.charAt(at) != '\r'; at++) {
          assertThat(csv.charAt(at)).isNotEqualTo('"');
          cell.append(csv.charAt(at));
        }
      }
      row.add(cell.toString());
      if (csv.startsWith("\r\n", at)) {
        rows.add(row);
        row = new ArrayList<>();
        at += 2;
      } else {
        assertThat(csv.charAt(at)).isEqualTo(',');
        at++;
      }
    }
    assertThat(row).isEmpty();
    return rows;
  }
}
