package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Signs on a token of SoftHSM, each test in its own process: the library reads the place of its
 * tokens from the environment.
 */
class Pkcs11TokenTest {
  private static final String PIN = "8642";

  @TempDir Path folder;
  private Path library;

  @BeforeEach
  void token() throws IOException {
    KeyTools.assumeThere("softhsm2-util", "pkcs11-tool", "openssl");
    library = library();
    Path tokens = Files.createDirectory(folder.resolve("tokens"));
    Files.writeString(
        folder.resolve("softhsm2.conf"),
        "directories.tokendir = " + tokens + "\nobjectstore.backend = file\nlog.level = ERROR\n");
    tool(
        "softhsm2-util",
        "--init-token",
        "--free",
        "--label",
        "t",
        "--so-pin",
        "9753",
        "--pin",
        PIN);
    keyWithCertificate("01", "partner");
  }

  @Test
  void key_onTheToken_signsAndStaysThere() {
    assertThat(signing(PIN, "partner"))
        .contains("encoded: null")
        .contains("verifies: true")
        .contains("keyid: c1");
    assertThat(pkcs11("--list-objects", "--type", "privkey"))
        .contains("sensitive, always sensitive, never extractable, local");
  }

  @Tag("full")
  @Test
  void keys_several_areChosenByLabel() throws IOException {
    keyWithCertificate("02", "second");

    assertThat(signing(PIN, "second")).contains("verifies: true");
    assertThat(signing(PIN, "-"))
        .contains("KeyException")
        .contains("it contains several keys, choose one with withAlias");
  }

  @Tag("full")
  @Test
  void key_thatIsNotFound_isLookedForWithTheSameProvider() {
    assertThat(signing(PIN, "nobody"))
        .contains("KeyException")
        .contains("asked for the PIN: 2")
        .contains("providers before SunPKCS11-countersign-2");
  }

  @Tag("full")
  @Test
  void pin_thatIsWrong_isTriedOnce() {
    assertThat(signing("9999", "partner"))
        .contains("login failed: CKR_PIN_INCORRECT; the PIN is not tried again")
        .contains("asked for the PIN: 1");
  }

  @Tag("full")
  @Test
  void slot_thatIsNotThere_isRefused() {
    assertThat(signing(PIN, "partner", "--slot=424242"))
        .contains("KeyException")
        .contains("slot 424242: cannot be opened");
  }

  private String signing(String pin, String alias, String... more) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command =
        Stream.concat(
                Stream.of(
                    java,
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    System.getProperty("java.class.path"),
                    TokenSigning.class.getName(),
                    library.toString(),
                    pin,
                    alias),
                Stream.of(more))
            .toList();
    return new KeyTools(folder).tool(environment(), command);
  }

  /** Uses the commands of docs/keys.md, with the PIN that they would ask for. */
  private void keyWithCertificate(String id, String label) throws IOException {
    String page = Files.readString(Path.of("..", "docs", "keys.md"));
    int start = page.indexOf("```bash\n") + "```bash\n".length();
    String commands =
        page.substring(start, page.indexOf("```", start))
            .replace("--login", "--login --pin " + PIN)
            .replace("--id 01", "--id " + id)
            .replace("--label partner", "--label " + label)
            .replace("\"$LIBRARY\"", library.toString());
    assertThat(tool("sh", "-ec", commands))
        .contains("sensitive, always sensitive, never extractable, local");
  }

  private String pkcs11(String... arguments) {
    return tool(
        Stream.concat(
                Stream.of("pkcs11-tool", "--module", library.toString(), "--login", "--pin", PIN),
                Stream.of(arguments))
            .toArray(String[]::new));
  }

  private String tool(String... command) {
    return new KeyTools(folder).tool(environment(), List.of(command));
  }

  private Map<String, String> environment() {
    return Map.of("SOFTHSM2_CONF", folder.resolve("softhsm2.conf").toString());
  }

  private static Path library() {
    List<Path> found =
        Stream.of(
                "/usr/lib/softhsm/libsofthsm2.so",
                "/usr/lib64/softhsm/libsofthsm2.so",
                "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so",
                "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
                "/usr/local/lib/softhsm/libsofthsm2.so",
                "/opt/homebrew/lib/softhsm/libsofthsm2.so")
            .map(Path::of)
            .filter(Files::exists)
            .toList();
    assumeTrue(!found.isEmpty(), "libsofthsm2.so is not installed, so this test is skipped");
    return found.get(0);
  }
}
