package dev.countersign.cli.captured;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.countersign.signatures.base.HttpMessage.BodyFraming;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CapturedRequestTest {

  @Test
  void read_lineFeedsOrCrLf_isTheSameRequest() {
    String text =
        """
        GET /a/b?x=1,2 HTTP/1.1
        Host: api.example.com
        Date:  Fri, 20 Nov 2026 19:02:55 GMT\t
        X: 1
        x: 2

        """;
    for (String form : new String[] {text, text.replace("\n", "\r\n")}) {
      CapturedRequest request = read(form);
      assertThat(request.method()).isEqualTo("GET");
      assertThat(request.requestTarget()).isEqualTo("/a/b?x=1,2");
      assertThat(request.targetUri()).isEqualTo("https://api.example.com/a/b?x=1,2");
      assertThat(request.fieldLines("date")).containsExactly("Fri, 20 Nov 2026 19:02:55 GMT");
      assertThat(request.fieldLines("x")).containsExactly("1", "2");
      assertThat(request.bodyFraming()).isEqualTo(BodyFraming.NONE);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "api.example.com, https://api.example.com/",
    "api.example.com:8443, https://api.example.com:8443/",
    "localhost, http://localhost/",
    "LocalHost:8080, http://LocalHost:8080/",
    "127.0.0.1:8080, http://127.0.0.1:8080/",
    "[::1], http://[::1]/",
    "[::1]:8080, http://[::1]:8080/",
    "localhost.example.com, https://localhost.example.com/",
  })
  void targetUri_schemeNotGiven_isHttpOnlyForThisMachine(String host, String expected) {
    assertThat(read("GET / HTTP/1.1\nHost: " + host + "\n\n").targetUri()).isEqualTo(expected);
  }

  @Test
  void targetUri_schemeGiven_usesIt() {
    byte[] text = "GET / HTTP/1.1\nHost: localhost\n\n".getBytes(UTF_8);
    assertThat(CapturedRequest.read(text, Optional.of(Scheme.HTTPS)).targetUri())
        .isEqualTo("https://localhost/");
  }

  @Test
  void targetUri_absoluteForm_ignoresHost() {
    assertThat(read("GET http://a.example:81/p?q HTTP/1.1\nHost: b.example\n\n").targetUri())
        .isEqualTo("http://a.example:81/p?q");
  }

  @Test
  void body_contentLength_excludesTheLineBreakThatAnEditorAdds() {
    CapturedRequest request = read(post("Content-Length: 4\n", "a\r\nb\n"));
    assertThat(request.body()).asString(UTF_8).isEqualTo("a\r\nb");
    assertThat(request.bodyFraming()).isEqualTo(BodyFraming.PRESENT);
  }

  @Test
  void body_withoutContentLengthOrChunks_isTheRestOfTheFile() {
    assertThat(read(post("", "{\"a\":1}\n")).body()).asString(UTF_8).isEqualTo("{\"a\":1}\n");
  }

  @Test
  void body_chunked_isJoinedAndTrailersAreRead() {
    CapturedRequest request =
        read(post("Transfer-Encoding: chunked\n", "3;x=1\r\nabc\r\n1\nd\n0\r\nX-End: 1\r\n\r\n"));
    assertThat(request.body()).asString(UTF_8).isEqualTo("abcd");
    assertThat(request.bodyFraming()).isEqualTo(BodyFraming.UNKNOWN);
    assertThat(request.trailerLines("x-end")).containsExactly("1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "'' | line 1: | such as GET /path",
        "GET /\\nHost: a\\n\\n | line 1: | METHOD TARGET HTTP/1.1",
        "> GET / HTTP/1.1\\n> Host: a\\n | line 1: | as curl -v prints it",
        "HTTP/1.1 200 OK\\n\\n | line 1: | this is a response",
        "OPTIONS * HTTP/1.1\\nHost: a\\n\\n | line 1: | was \"*\"",
        "GET / HTTP/1.1\\nHost: a\\n folded\\n\\n | line 3: | white space",
        "GET / HTTP/1.1\\nHost : a\\n\\n | line 2: | Name: value",
        "GET / HTTP/1.1\\nHost: a\\n | line 3: | end with an empty line",
        "GET / HTTP/1.1\\nX: a\\n\\n | line 3: | was missing",
        "GET / HTTP/1.1\\nHost: u@a\\n\\n | line 3: | host or host:port",
        "GET / HTTP/1.1\\nHost: a\\nHost: b\\n\\n | line 4: | occurs 2 times",
        "P / HTTP/1.1\\nHost: a\\nContent-Length: 3\\n\\nab | line 4: | but 2 bytes follow",
        "P / HTTP/1.1\\nHost: a\\nContent-Length: 1\\n\\nab | line 4: | 1 more bytes follow",
        "P / HTTP/1.1\\nHost: a\\nContent-Length: -1\\n\\n | line 4: | one number of bytes",
        "P / HTTP/1.1\\nHost: a\\nTransfer-Encoding: gzip\\n\\n | line 4: | must be chunked",
        "P / HTTP/1.1\\nHost: a\\nTransfer-Encoding: chunked\\n\\nab z\\n | line 5: | its size",
        "P / HTTP/1.1\\nHost: a\\nTransfer-Encoding: chunked\\n\\n2\\nabc\\n | line 6: | longer",
      })
  void read_malformedRequest_isRefusedWithLineAndAdvice(String text, String line, String message) {
    assertThatThrownBy(() -> read(text.replace("\\n", "\n")))
        .isInstanceOf(CaptureException.class)
        .hasMessageStartingWith(line)
        .hasMessageContaining(message);
  }

  @Test
  void read_chunksAndContentLength_isRefused() {
    String head = "Transfer-Encoding: chunked\nContent-Length: 1\n";
    assertThatThrownBy(() -> read(post(head, "x"))).hasMessageContaining("leave out one");
  }

  @Test
  void readFile_missingFile_isRefused(@TempDir Path folder) {
    assertThatThrownBy(() -> CapturedRequest.readFile(folder.resolve("none"), Optional.empty()))
        .isInstanceOf(CaptureException.class)
        .hasMessage("there is no such file");
  }

  private static String post(String headers, String body) {
    return "POST /x HTTP/1.1\nHost: a.example\n" + headers + "\n" + body;
  }

  private static CapturedRequest read(String text) {
    return CapturedRequest.read(text.getBytes(UTF_8), Optional.empty());
  }
}
