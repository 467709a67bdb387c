package dev.countersign.server.portal.clients;

import static dev.countersign.server.portal.clients.ApiKeysPages.CLIENT;
import static dev.countersign.server.portal.clients.ApiKeysPages.LIST;
import static dev.countersign.server.portal.clients.ApiKeysPages.form;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.countersign.server.TestService;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.portal.PortalClient.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** The server refuses a private key, and does not show, store or log it. */
@ExtendWith(OutputCaptureExtension.class)
class PrivateKeyTest {
  private static final String ADVICE = "discard that key pair";
  private static final String PRIVATE_PEM = ApiKeysPages.privatePem(RsaKeyPairs.keyPair(3));
  private static final String BASE64 =
      Base64.getEncoder().encodeToString(RsaKeyPairs.keyPair(3).getPrivate().getEncoded());
  private static final String BASE64_PART = BASE64.substring(70, 110);

  /** The forms in which somebody might paste a private key. */
  private static final List<String> PASTED_FORMS =
      List.of(
          PRIVATE_PEM,
          PRIVATE_PEM.replace("PRIVATE KEY", "RSA PRIVATE KEY"),
          PRIVATE_PEM.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY"),
          PRIVATE_PEM.replace("PRIVATE KEY", "PUBLIC KEY"),
          PRIVATE_PEM.replace("\n", "\r\n").indent(4),
          PRIVATE_PEM.substring(0, 400),
          BASE64,
          Base64.getEncoder().encodeToString(PRIVATE_PEM.getBytes(StandardCharsets.UTF_8)),
          ApiKeysPages.pem(RsaKeyPairs.keyPair(3)) + PRIVATE_PEM);

  @TempDir private Path data;

  /** Resets the levels, which apply to the whole JVM and would otherwise remain. */
  @AfterEach
  void resetLogLevels() {
    for (String logger : List.of("dev.countersign", "org.springframework.web")) {
      ((Logger) LoggerFactory.getLogger(logger)).setLevel(null);
    }
  }

  @Test
  void privateKey_inAnyFieldAndForm_isRefusedAndNeitherStoredNorLogged(CapturedOutput output)
      throws Exception {
    try (TestService service =
        TestService.start(
            data,
            1,
            "logging.level.dev.countersign=trace",
            "logging.level.org.springframework.web=debug")) {
      PortalClient alice = PortalClient.administrator(service);
      ApiKeysPages pages = new ApiKeysPages(service, alice);
      String id = pages.existing(null, "Acme", RsaKeyPairs.keyPair(0)).clientId();
      for (String key : PASTED_FORMS) {
        assertRefusedWithAdvice(
            alice.post(LIST, with(form("New", RsaKeyPairs.keyPair(1)), "publicKey", key)));
        assertRefusedWithAdvice(alice.post(LIST + "/check/key", Map.of("publicKey", key)));
        assertRefusedWithAdvice(alice.post(LIST + "/check/challenge", Map.of("publicKey", key)));
        assertRefusedWithAdvice(pages.post(CLIENT + "/keys", id, "publicKey", key, "end", "none"));
      }
      for (String field : List.of("name", "whitelist", "signature")) {
        assertRefusedWithAdvice(
            alice.post(LIST, with(form("New", RsaKeyPairs.keyPair(1)), field, PRIVATE_PEM)));
      }
      assertRefusedWithAdvice(
          alice.post(LIST + "/check/whitelist", Map.of("whitelist", PRIVATE_PEM)));
      assertRefusedWithAdvice(alice.post(LIST + "/check/proof", Map.of("signature", PRIVATE_PEM)));
      assertRefusedWithAdvice(
          pages.post(
              CLIENT + "/update",
              id,
              "name",
              PRIVATE_PEM,
              "whitelist",
              PRIVATE_PEM,
              "revision",
              "1"));
      assertThat(pages.clients().list()).hasSize(1);
      assertThat(pages.client(id).keys()).hasSize(1);
      assertNotStored();
    }
    assertNotStored();
    assertThat(output.getAll()).doesNotContain(BASE64_PART);
  }

  private static Map<String, String> with(Map<String, String> form, String field, String value) {
    Map<String, String> changed = new LinkedHashMap<>(form);
    changed.put(field, value);
    return changed;
  }

  private static void assertRefusedWithAdvice(Answer answer) {
    assertThat(answer.status()).isIn(200, 422);
    assertThat(answer.body())
        .contains(ADVICE)
        .doesNotContain(BASE64_PART, PRIVATE_PEM.substring(28, 60));
  }

  private void assertNotStored() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        String bytes = Files.readString(file, StandardCharsets.ISO_8859_1);
        assertThat(bytes.contains(BASE64_PART)).as(file.toString()).isFalse();
      }
    }
  }
}
