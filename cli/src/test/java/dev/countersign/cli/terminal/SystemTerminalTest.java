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

/** A user at a real terminal, created with Python: questions, the echo, Ctrl-C and Ctrl-D. */
class SystemTerminalTest {
  private static final String CTRL_C = "\u0003";
  private static final String CTRL_D = "\u0004";
  private static final String PASSPHRASE_QUESTION = "Passphrase of the key: ";

  /**
   * Runs a command with a new controlling terminal, standard output as a pipe and standard error as
   * a file. Types the keys once the question is shown, and prints the outcome.
   */
  private static final String PERSON =
      """
      import fcntl, json, os, pty, select, signal, sys, termios, time
      question, keys, errors = sys.argv[1:4]
      command = sys.argv[4:]
      master, slave = pty.openpty()
      results, result = os.pipe()
      child = os.fork()
      if child == 0:
          os.setsid()
          fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
          signal.signal(signal.SIGINT, signal.SIG_DFL)
          os.dup2(slave, 0)
          os.dup2(result, 1)
          os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT, 0o600), 2)
          os.closerange(3, 64)
          os.execv(command[0], command)
      os.close(result)
      def echo():
          return bool(termios.tcgetattr(slave)[3] & termios.ECHO)
      screen = b""
      end = time.monotonic() + 300
      while question.encode() not in screen:
          left = end - time.monotonic()
          if left <= 0 or not select.select([master], [], [], left)[0]:
              os.kill(child, signal.SIGKILL)
              sys.exit("no question: " + screen.decode() + open(errors).read())
          screen += os.read(master, 4096)
      asked = echo()
      os.write(master, keys.encode())
      out = b""
      while True:
          ready = select.select([master, results], [], [], 300)[0]
          if not ready:
              os.kill(child, signal.SIGKILL)
              sys.exit("it does not end")
          if master in ready:
              screen += os.read(master, 4096)
          if results in ready:
              part = os.read(results, 4096)
              if not part:
                  break
              out += part
      status = os.waitpid(child, 0)[1]
      print(json.dumps({"exit": os.waitstatus_to_exitcode(status), "out": out.decode(),
          "screen": screen.decode(), "echoWhileAsked": asked, "echoAfterwards": echo()}))
      """;

  @TempDir private Path home;
  private Path errors;
  private Path key;

  @BeforeEach
  void prepare() throws Exception {
    errors = home.resolve("errors");
    key = TestShell.keyFile(home);
  }

  @Test
  void passphrase_withBothStreamsElsewhere_isAskedForUnseen() throws Exception {
    JsonNode seen = answer(PASSPHRASE_QUESTION, "open sesame\n", signing(encryptedKey()));

    assertThat(seen.path("exit").asInt()).as(errors()).isZero();
    assertThat(seen.path("out").asString()).contains("Signature: sig=:");
    assertThat(seen.path("echoWhileAsked").asBoolean(true)).isFalse();
    assertThat(seen.path("echoAfterwards").asBoolean()).isTrue();
    assertThat(seen.path("screen").asString()).doesNotContain("sesame");
  }

  @Test
  void passphrase_andCtrlC_endsWithTheEchoOn() throws Exception {
    JsonNode seen = answer(PASSPHRASE_QUESTION, CTRL_C, signing(encryptedKey()));

    assertThat(seen.path("exit").asInt()).isEqualTo(130);
    assertThat(errors()).isEqualTo("interrupted: by a signal\n");
    assertThat(seen.path("out").asString()).isEmpty();
    assertThat(seen.path("echoWhileAsked").asBoolean(true)).isFalse();
    assertThat(seen.path("echoAfterwards").asBoolean()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "12 (java) S 1 12 12 34816 12 4194304, true",
    "12 (a) b (c) S 1 12 12 34816 9 4194304, false",
    "12 (java) S 1 12 12 0 -1 4194304, false",
  })
  void job_inTheForeground_isThatOfTheTerminal(String stat, boolean foreground) {
    assertThat(SystemTerminal.isInForeground(stat)).isEqualTo(foreground);
  }

  @Test
  void configure_andCtrlC_writesNothing() throws Exception {
    JsonNode seen = answer("clientId", CTRL_C, configuring());

    assertThat(seen.path("exit").asInt()).isEqualTo(130);
    assertThat(errors()).isEqualTo("interrupted: by a signal\n");
    assertThat(home.resolve(".config")).doesNotExist();
  }

  @Test
  void configure_andCtrlD_writesNothing() throws Exception {
    JsonNode seen = answer("clientId", CTRL_D, configuring());

    assertThat(seen.path("exit").asInt()).isEqualTo(1);
    assertThat(errors()).startsWith("input_ended: ");
    assertThat(home.resolve(".config")).doesNotExist();
  }

  @Test
  void configure_andAnAnswer_isWrittenUnderHome() throws Exception {
    JsonNode seen = answer("clientId", "c-7\n", configuring());

    assertThat(seen.path("exit").asInt()).as(errors()).isZero();
    assertThat(seen.path("echoWhileAsked").asBoolean()).isTrue();
    assertThat(home.resolve(".config/countersign/config")).content().contains("client_id = c-7\n");
  }

  private List<String> configuring() {
    return List.of(
        "configure", "--no-test", "--base-url", "https://a.example", "--key", key.toString());
  }

  private static List<String> signing(Path key) {
    return List.of(
        "sign", "GET", "https://a.example/", "--client-id", "c-1", "--key", key.toString());
  }

  private Path encryptedKey() throws IOException, InterruptedException {
    Path encrypted = home.resolve("encrypted.pem");
    List<String> openssl = new ArrayList<>(List.of("openssl", "pkcs8", "-topk8"));
    openssl.addAll(List.of("-in", key.toString(), "-out", encrypted.toString()));
    openssl.addAll(List.of("-passout", "pass:open sesame"));
    assumeTrue(isThere("openssl"), "openssl is not installed");
    run(openssl);
    return encrypted;
  }

  private JsonNode answer(String question, String keys, List<String> args)
      throws IOException, InterruptedException {
    return watch(question, keys, command(args));
  }

  private JsonNode watch(String question, String keys, List<String> command)
      throws IOException, InterruptedException {
    assumeTrue(isThere("python3"), "python3 is not installed");
    List<String> words = new ArrayList<>(List.of("python3", "-c", PERSON, question, keys));
    words.add(errors.toString());
    words.addAll(command);
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
    Path complaints = Files.createTempFile(home, "complaints", ".txt");
    ProcessBuilder builder = new ProcessBuilder(words).redirectError(complaints.toFile());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.startsWith("COUNTERSIGN_") || name.startsWith("XDG_"));
    builder.environment().keySet().removeAll(ChildProcess.OPTIONS_OF_JAVA);
    builder.environment().put("HOME", home.toString());
    Process process = builder.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(Waits.forExit(process)).as(said + Files.readString(complaints)).isZero();
    return said;
  }

  private static boolean isThere(String program) throws IOException, InterruptedException {
    return Waits.forExit(
            new ProcessBuilder("sh", "-c", "command -v " + program)
                .redirectOutput(Redirect.DISCARD)
                .start())
        == 0;
  }

  private String errors() throws IOException {
    return Files.readString(errors);
  }
}
