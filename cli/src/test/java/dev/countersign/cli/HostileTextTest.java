package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service whose names and values attack the terminal of the reader. */
class HostileTextTest {
  // Characters that control a terminal or reverse its text: ESC, BEL, CSI, right-to-left override.
  private static final String STEERING = "(?s).*[\u001b\u0007\u009b\u202e].*";

  @TempDir private Path home;
  private FixedService service;
  private TestShell shell;

  @BeforeEach
  void start() throws IOException {
    service = FixedService.start(HostileTextTest::page);
    shell = service.shell(home);
  }

  @AfterEach
  void stop() {
    service.close();
  }

  /** Two pages of one item each, the second with an additional member, and then an error. */
  private static String page(String query) {
    int offset = Integer.parseInt("0" + query.replaceAll("(.*offset=)?(.*[^0-9])?", ""));
    if (offset >= 2) {
      return "";
    }
    String item =
        String.format(
            Locale.ROOT,
            """
            {"a,b":"\u202egpj.exe","\\u001b[31m":"\u009b2J"%s}\
            """,
            offset == 0 ? "" : ",\"z\\u001b]0;PWN\\u0007\":1");
    return String.format(
        Locale.ROOT,
        """
        {"content":[%s],"last":false,"first":%s,"totalPages":3,"totalElements":3,"size":1,
         "number":%d,"numberOfElements":1,"empty":false,
         "sort":{"empty":true,"sorted":false,"unsorted":true}}
        """,
        item,
        offset == 0,
        offset);
  }

  private Run list(String format) {
    return shell.run("list", "/items", "--all", "--size", "1", "--format", format);
  }

  @Test
  void table_hasNothingThatSteersInHeaderAndCells() {
    Run run = list("table");

    assertThat(run.out()).doesNotMatch(STEERING).contains("A,B").contains("gpj.exe");
  }

  @Test
  void warning_andResumeLine_haveNothingThatSteers() {
    Run run = list("csv");

    assertThat(run.err())
        .doesNotMatch(STEERING)
        .contains("warning: the members z ]0;PWN  have no column")
        .contains("resume with: ");
  }

  @Test
  void resumeLine_ofNamesThatCannotBeShown_readsBackAsThese() {
    Run run = list("csv");

    assertThat(run.err()).contains(" --columns $'\"a,b\",\\033[31m' --no-header");
  }

  @Test
  void columns_withCommas_areReadBack() {
    Run run = shell.run("list", "/items", "--columns", "\"a,b\"", "--format", "csv", "--size", "1");

    assertThat(run.out()).isEqualTo("\"a,b\"\r\n\u202egpj.exe\r\n");
  }

  @Test
  void columns_withALostQuote_areMistyped() {
    Run run = shell.run("list", "/items", "--columns", "a,\"b");

    assertThat(run.code()).isEqualTo(2);
    assertThat(run.err()).startsWith("usage: --columns: ");
    assertThat(service.requests()).isEmpty();
  }

  @Test
  void csv_intoAPipe_keepsItsBytes_andOnATerminalNot() {
    assertThat(list("csv").out()).contains("\u001b[31m").contains("\u009b2J").contains("\u202e");

    shell.with(new TestTerminal());

    assertThat(list("csv").out()).doesNotMatch(STEERING).contains("gpj.exe, 2J\n");
    assertThat(list("json").out()).doesNotMatch(STEERING).contains("gpj.exe");
    assertThat(list("jsonl").out()).doesNotMatch(STEERING).contains("gpj.exe");
  }

  @Test
  void body_intoAPipe_keepsItsBytes_andOnATerminalNot() {
    String page = page("offset=0");
    assertThat(shell.run("call", "GET", "/items").out()).isEqualTo(page);

    shell.with(new TestTerminal());

    Run shown = shell.run("call", "GET", "/items");
    assertThat(shown.out()).doesNotMatch(STEERING).contains("gpj.exe").hasSameSizeAs(page);
  }

  @Test
  void error_asJson_isStillWhatItWas() {
    Run run = shell.run("list", "/items", "--all", "--size", "1", "--json", "--sort", "\u202ea");

    assertThat(run.err()).doesNotMatch(STEERING).contains("--sort $'\\\\342\\\\200\\\\256a,asc'");
  }
}
