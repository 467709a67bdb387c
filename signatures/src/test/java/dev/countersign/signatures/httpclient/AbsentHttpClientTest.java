package dev.countersign.signatures.httpclient;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.SignatureProfile;
import dev.countersign.testing.Waits;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All packages except this one work without the JDK's HTTP client module. */
@Tag("full")
class AbsentHttpClientTest {
  private static final String MODULE = "dev.countersign.signatures";
  private static final String SIGNING =
      """
      package outside;

      import dev.countersign.signatures.*;
      import dev.countersign.signatures.keys.CryptoProvider;
      import java.time.Instant;

      public class Outside {
        public static void main(String[] args) {
          CryptoProvider crypto = CryptoProvider.jdk();
          SigningKey key =
              new SigningKey(
                  "cl-partner",
                  SignatureAlgorithm.RSA_V1_5_SHA256,
                  crypto.keyPairGenerator("RSA").generateKeyPair().getPrivate(),
                  crypto);
          SignatureProfile profile =
              SignatureProfile.covering("@method", "@target-uri").withDateAtCreated();
          MessageSigner signer = new MessageSigner(profile, key);
          var headers =
              SignableRequest.of("GET", "https://a.example/", Instant.now()).signedHeaders(signer);
          System.out.println(
              headers.size() + " " + ModuleLayer.boot().findModule("java.net.http").isPresent());
        }
      }
      """;

  @TempDir Path folder;

  @Test
  void signing_inAnImageWithoutTheModule_works() throws Exception {
    Path sources = Files.createDirectories(folder.resolve("source/outside"));
    Files.writeString(sources.resolve("Outside.java"), SIGNING);
    Files.writeString(
        sources.resolveSibling("module-info.java"), "module outside { requires " + MODULE + "; }");
    String library =
        Path.of(SignatureProfile.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();
    Path classes = folder.resolve("classes");
    run(
        "javac",
        "-p",
        library,
        "-d",
        classes.toString(),
        sources.resolve("Outside.java").toString(),
        sources.resolveSibling("module-info.java").toString());

    String output =
        run(
            "java",
            "--limit-modules",
            MODULE,
            "-p",
            library + System.getProperty("path.separator") + classes,
            "-m",
            "outside/outside.Outside");

    assertThat(output).isEqualToIgnoringNewLines("3 false");
  }

  private static String run(String tool, String... arguments) throws Exception {
    String[] command = new String[arguments.length + 1];
    command[0] = Path.of(System.getProperty("java.home"), "bin", tool).toString();
    System.arraycopy(arguments, 0, command, 1, arguments.length);
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(Waits.forExit(process)).as(output).isZero();
    return output;
  }
}
