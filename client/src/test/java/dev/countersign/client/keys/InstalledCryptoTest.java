package dev.countersign.client.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.testing.TestLocale;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    assertThat(signedWith(withoutCorretto())).startsWith("SunRsaSign").contains("sig=:");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "static { if (true) throw new UnsatisfiedLinkError(\"broken\"); } | null | PASSED",
        "static { if (true) throw new IllegalStateException(\"broken\"); } | null | PASSED",
        "'' | new Error(\"broken\") | PASSED",
        "'' | null | FAILED",
      })
  void signing_withACorrettoThatCannotBeUsed_works(
      String initializer, String loadingError, String selfTests) throws IOException {
    String source =
        String.format(
            Locale.ROOT,
            """
            package com.amazon.corretto.crypto.provider;
            public final class AmazonCorrettoCryptoProvider extends java.security.Provider {
              %s
              public static final AmazonCorrettoCryptoProvider INSTANCE =
                  new AmazonCorrettoCryptoProvider();
              public AmazonCorrettoCryptoProvider() { super("AmazonCorretto", "0", "stand-in"); }
              public Throwable getLoadingError() { return %s; }
              public String runSelfTests() { return "%s"; }
            }
            """,
            initializer,
            loadingError,
            selfTests);
    Path file = Files.writeString(folder.resolve("AmazonCorrettoCryptoProvider.java"), source);
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", folder.toString(), file.toString()))
        .isZero();

    assertThat(signedWith(folder + File.pathSeparator + withoutCorretto()))
        .startsWith("SunRsaSign")
        .contains("sig=:");
  }

  private String signedWith(String classPath) {
    NewKeyPair.generate(2048).writePrivateKeyTo(folder.resolve("partner.key"));
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-cp", classPath));
    command.addAll(TestLocale.options());
    command.addAll(List.of(JdkSigning.class.getName(), "partner.key"));
    return new KeyTools(folder).tool(Map.of(), command);
  }

  private static String withoutCorretto() {
    return Pattern.compile(File.pathSeparator, Pattern.LITERAL)
        .splitAsStream(System.getProperty("java.class.path"))
        .filter(entry -> !entry.contains("AmazonCorretto"))
        .collect(Collectors.joining(File.pathSeparator));
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
