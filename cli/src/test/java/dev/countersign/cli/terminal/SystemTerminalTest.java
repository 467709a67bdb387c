package dev.countersign.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.countersign.cli.ChildProcess;
import dev.countersign.cli.Countersign;
import dev.countersign.cli.TestShell;
import dev.countersign.testing.TestLocale;
import dev.countersign.testing.Waits;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Tests questions, the echo, Ctrl-C and Ctrl-D at a real terminal, created by a Python script. */
class SystemTerminalTest {
  private static final String CTRL_C = "\u0003";
  private static final String CTRL_D = "\u0004";
  private static final String PASSPHRASE_QUESTION = "Passphrase of the key: ";

  /**
   * A Python script that runs a command with a new controlling terminal, standard output as a pipe
   * and standard error as a file. It types the keys once the question is on the screen, and prints
   * the outcome as JSON.
   */
  private static final String TERMINAL_SCRIPT =
      """
      import fcntl, json, os, pty, select, signal, sys, termios, time
      question, keys, error_file = sys.argv[1:4]
      command = sys.argv[4:]
      master, slave = pty.openpty()
      out_reader, out_writer = os.pipe()
      child = os.fork()
      if child == 0:
          os.setsid()
          fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
          signal.signal(signal.SIGINT, signal.SIG_DFL)
          os.dup2(slave, 0)
          os.dup2(out_writer, 1)
          os.dup2(os.open(error_file, os.O_WRONLY | os.O_CREAT, 0o600), 2)
          os.closerange(3, 64)
          os.execv(command[0], command)
      os.close(out_writer)
      def echo():
          return bool(termios.tcgetattr(slave)[3] & termios.ECHO)
      screen = b""
      deadline = time.monotonic() + 300
      while question.encode() not in screen:
          left = deadline - time.monotonic()
          if left <= 0 or not select.select([master], [], [], left)[0]:
              os.kill(child, signal.SIGKILL)
              sys.exit("no question: " + screen.decode() + open(error_file).read())
          screen += os.read(master, 4096)
      echo_while_asked = echo()
      os.write(master, keys.encode())
      out = b""
      while True:
          ready = select.select([master, out_reader], [], [], 300)[0]
          if not ready:
              os.kill(child, signal.SIGKILL)
              sys.exit("the command does not end")
          if master in ready:
              screen += os.read(master, 4096)
          if out_reader in ready:
              part = os.read(out_reader, 4096)
              if not part:
                  break
              out += part
      status = os.waitpid(child, 0)[1]
      print(json.dumps({"exit": os.waitstatus_to_exitcode(status), "out": out.decode(),
          "screen": screen.decode(), "echoWhileAsked": echo_while_asked, "echoAfterwards": echo()}))
      """;

  @TempDir private Path home;
  private Path errorFile;
  private Path key;

  @BeforeEach
  void prepare() throws Exception {
    errorFile = home.resolve("errors");
    key = TestShell.keyFile(home);
  }

  @Test
  void passphrase_withOutputAndErrorsRedirected_isReadWithoutEcho() throws Exception {
    JsonNode outcome =
        typeWhenAsked(PASSPHRASE_QUESTION, "open sesame\n", signArguments(createEncryptedKey()));

    assertThat(outcome.path("exit").asInt()).as(standardError()).isZero();
    assertThat(outcome.path("out").asString()).contains("Signature: sig=:");
    assertThat(outcome.path("echoWhileAsked").asBoolean(true)).isFalse();
    assertThat(outcome.path("echoAfterwards").asBoolean()).isTrue();
    assertThat(outcome.path("screen").asString()).doesNotContain("sesame");
  }

  @Test
  void passphrase_interruptedByCtrlC_restoresTheEcho() throws Exception {
    JsonNode outcome =
        typeWhenAsked(PASSPHRASE_QUESTION, CTRL_C, signArguments(createEncryptedKey()));

    assertThat(outcome.path("exit").asInt()).isEqualTo(130);
    assertThat(standardError()).isEqualTo("interrupted: by a signal\n");
    assertThat(outcome.path("out").asString()).isEmpty();
    assertThat(outcome.path("echoWhileAsked").asBoolean(true)).isFalse();
    assertThat(outcome.path("echoAfterwards").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "12 (java) S 1 12 12 34816 12 4194304, true",
    "12 (a) b (c) S 1 12 12 34816 9 4194304, false",
    "12 (java) S 1 12 12 0 -1 4194304, false",
  })
  void isInForeground_comparesTheGroupsOfProcessAndTerminal(String stat, boolean foreground) {
    assertThat(SystemTerminal.isInForeground(stat)).isEqualTo(foreground);
  }

  @Test
  void configure_interruptedByCtrlC_writesNothing() throws Exception {
    JsonNode outcome = typeWhenAsked("clientId", CTRL_C, configureArguments());

    assertThat(outcome.path("exit").asInt()).isEqualTo(130);
    assertThat(standardError()).isEqualTo("interrupted: by a signal\n");
    assertThat(home.resolve(".config")).doesNotExist();
  }

  @Test
  void configure_endedByCtrlD_writesNothing() throws Exception {
    JsonNode outcome = typeWhenAsked("clientId", CTRL_D, configureArguments());

    assertThat(outcome.path("exit").asInt()).isEqualTo(1);
    assertThat(standardError()).startsWith("input_ended: ");
    assertThat(home.resolve(".config")).doesNotExist();
  }

  @Test
  void configure_answered_writesTheProfileUnderHome() throws Exception {
    JsonNode outcome = typeWhenAsked("clientId", "c-7\n", configureArguments());

    assertThat(outcome.path("exit").asInt()).as(standardError()).isZero();
    assertThat(outcome.path("echoWhileAsked").asBoolean()).isTrue();
    assertThat(home.resolve(".config/countersign/config")).content().contains("client_id = c-7\n");
  }

  private List<String> configureArguments() {
    return List.of(
        "configure", "--no-test", "--base-url", "https://a.example", "--key", key.toString());
  }

  private static List<String> signArguments(Path key) {
    return List.of(
        "sign", "GET", "https://a.example/", "--client-id", "c-1", "--key", key.toString());
  }

  private Path createEncryptedKey() throws IOException, InterruptedException {
    Path encrypted = home.resolve("encrypted.pem");
    List<String> openssl = new ArrayList<>(List.of("openssl", "pkcs8", "-topk8"));
    openssl.addAll(List.of("-in", key.toString(), "-out", encrypted.toString()));
    openssl.addAll(List.of("-passout", "pass:open sesame"));
    assumeTrue(isInstalled("openssl"), "openssl is not installed");
    run(openssl);
    return encrypted;
  }

  /** Runs the command line, types the keys once the question is shown, and returns the outcome. */
  private JsonNode typeWhenAsked(String question, String keys, List<String> args)
      throws IOException, InterruptedException {
    assumeTrue(isInstalled("python3"), "python3 is not installed");
    List<String> words = new ArrayList<>(List.of("python3", "-c", TERMINAL_SCRIPT, question, keys));
    words.add(errorFile.toString());
    words.addAll(command(args));
    return new JsonMapper().readTree(run(words));
  }

  private static List<String> command(List<String> args) {
    List<String> words = new ArrayList<>();
    words.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    words.addAll(TestLocale.options());
    words.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp"));
    words.add(System.getProperty("java.class.path"));
    words.add(Countersign.class.getName());
    words.addAll(args);
    return words;
  }

  private String run(List<String> words) throws IOException, InterruptedException {
    Path stderr = Files.createTempFile(home, "stderr", ".txt");
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(stderr.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("COUNTERSIGN_") || name.startsWith("XDG_"));
    builder.environment().keySet().removeAll(ChildProcess.OPTIONS_OF_JAVA);
    builder.environment().put("HOME", home.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String stdout = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Waits.forExit(process)).as(stdout + Files.readString(stderr)).isZero();
    return stdout;
  }

  private static boolean isInstalled(String program) throws IOException, InterruptedException {
    return Waits.forExit(
            new ProcessBuilder("sh", "-c", "command -v " + program)
                .redirectOutput(Redirect.DISCARD)
                .start())
        == 0;
  }

  private String standardError() throws IOException {
    return Files.readString(errorFile);
  }
}
