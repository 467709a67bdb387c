package dev.countersign.signatures;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.keys.RsaPrivateKeys;
import dev.countersign.signatures.keys.RsaPublicKeys;
import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compiles the quick start of the README unchanged, and runs it. */
class ReadmeTest {
  private static final Pattern SNIPPET = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
  private static final String IMPORTS =
      """
      import dev.countersign.signatures.*;
      import dev.countersign.signatures.base.*;
      import dev.countersign.signatures.diagnosis.*;
      import dev.countersign.signatures.keys.*;
      import java.nio.charset.StandardCharsets;
      import java.nio.file.Path;
      import java.time.*;
      import java.util.*;
      """;
  private static final String REQUEST =
      """
      RequestMessage request = new RequestMessage() {
        public String method() { return "POST"; }
        public String targetUri() { return "https://api.example.com/ledger/v1/wallets"; }
        public BodyFraming bodyFraming() { return BodyFraming.PRESENT; }
        public List<String> fieldLines(String name) {
          return headers.entrySet().stream()
              .filter(header -> header.getKey().equalsIgnoreCase(name))
              .map(Map.Entry::getValue).toList();
        }
      };
      """;

  private static final String RESPONSE =
      """
      ResponseMessage response = new ResponseMessage() {
        public int status() { return 201; }
        public Optional<RequestMessage> request() { return Optional.of(request); }
        public BodyFraming bodyFraming() { return BodyFraming.PRESENT; }
        public List<String> fieldLines(String name) {
          return Optional.ofNullable(answerHeaders.get(name)).stream().toList();
        }
      };
      """;

  /** The substitute for the network, by the snippet before it. */
  private static final Map<String, String> WIRE =
      Map.of("Map<String, String> headers", REQUEST, "Map<String, String> answerHeaders", RESPONSE);

  @TempDir Path folder;

  @Test
  void quickStart_asItStands_signsAndVerifies() throws Exception {
    Files.writeString(
        folder.resolve("private.pem"), RsaPrivateKeys.toPem(HandSigner.ALICE.keys().getPrivate()));
    Files.writeString(
        folder.resolve("public.pem"), RsaPublicKeys.toPem(HandSigner.ALICE.keys().getPublic()));
    String readme = Files.readString(Path.of("README.md"));
    List<String> snippets = SNIPPET.matcher(readme).results().map(this::code).toList();
    assertThat(snippets).hasSizeGreaterThan(5);

    Files.writeString(
        folder.resolve("QuickStart.java"),
        IMPORTS
            + "public class QuickStart { public static void main(String[] args) {\n"
            + snippets.stream().map(ReadmeTest::withWire).collect(Collectors.joining("\n"))
            + "} }");

    String output = run();
    String lines = "signed by cl-partner\nanswered by cl-partner\nanswered as answer\n";
    assertThat(output).startsWith(lines);
    // The README shows the drawing of the last snippet.
    assertThat(output.substring(lines.length())).isNotBlank().isSubstringOf(readme);
  }

  private static String withWire(String snippet) {
    return WIRE.entrySet().stream()
        .filter(wire -> snippet.contains(wire.getKey()))
        .map(wire -> snippet + wire.getValue())
        .findFirst()
        .orElse(snippet);
  }

  private String code(MatchResult snippet) {
    return snippet.group(1);
  }

  /** Compiles and runs it with one command, in the folder of the key files. */
  private String run() throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "QuickStart.java")
            .directory(folder.toFile())
            .redirectErrorStream(true);
    builder.command().addAll(1, TestLocale.options());
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(Waits.forExit(process)).as(output).isZero();
    return output.replace(System.lineSeparator(), "\n");
  }
}
