package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InstalledCryptoTest {
  @TempDir Path folder;

  @Test
  void provider_isFoundOutOnce() {
    assertThat(InstalledCrypto.best()).isSameAs(InstalledCrypto.best());
  }

  @Test
  void provider_whereCorrettoIsOnTheClassPath_isCorretto() {
    boolean there = System.getProperty("java.class.path").contains("AmazonCorrettoCryptoProvider");

    assertThat(InstalledCrypto.best().name().startsWith("AmazonCorretto")).isEqualTo(there);
  }

  @Test
  void signing_withoutCorretto_works() {
    NewKeyPair.generate(2048).writePrivateKeyTo(folder.resolve("partner.key"));
    String without =
        Pattern.compile(File.pathSeparator, Pattern.LITERAL)
            .splitAsStream(System.getProperty("java.class.path"))
            .filter(entry -> !entry.contains("AmazonCorretto"))
            .collect(Collectors.joining(File.pathSeparator));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();

    String said =
        new KeyTools(folder)
            .tool(
                Map.of(), List.of(java, "-cp", without, JdkSigning.class.getName(), "partner.key"));

    assertThat(said).startsWith("SunRsaSign").contains("sig=:");
  }

  /** Signs with a key file; started as a process. */
  static final class JdkSigning {
    private JdkSigning() {}

    public static void main(String[] args) {
      System.out.println(InstalledCrypto.best().name());
      System.out.println(Signed.by(PrivateKeyFile.of(Path.of(args[0]))).fields().signature());
    }
  }
}
