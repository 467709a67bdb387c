package dev.countersign.signatures.keys;

import static dev.countersign.signatures.keys.KeyFileException.Reason.FORMAT_UNSUPPORTED;
import static dev.countersign.signatures.keys.KeyFileException.Reason.TOO_MANY;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command in a refusal turns the refused file into a public key. */
class NamedCommandsTest {
  private static final CryptoProvider JDK = CryptoProvider.jdk();
  private static final String NEEDED = "a PEM public key is needed: ";

  @TempDir Path folder;
  private Openssl openssl;
  private RSAPublicKey key;

  @BeforeEach
  void makeCertificate() throws Exception {
    openssl = new Openssl(folder);
    openssl.run("openssl genrsa -out k.pem 2048");
    openssl.run("openssl req -x509 -key k.pem -subj /CN=partner -days 30 -out c.pem");
    key = RsaPublicKeys.readFile(folder.resolve("c.pem"), JDK);
  }

  @Test
  void pkcs7_inEveryEncoding_isNamedWithItsCommand() throws Exception {
    openssl.run("openssl crl2pkcs7 -nocrl -certfile c.pem -out bundle.p7b");
    openssl.run("openssl crl2pkcs7 -nocrl -certfile c.pem -outform DER -out bundle.der");
    byte[] der = Files.readAllBytes(folder.resolve("bundle.der"));
    openssl.file("it's a bundle", Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der));
    for (String file : new String[] {"bundle.p7b", "bundle.der", "it's a bundle"}) {
      String message = refusal(file, FORMAT_UNSUPPORTED);
      assertThat(message).contains("PKCS#7", "-print_certs | openssl x509 -pubkey -noout");
      assertRuns(message);
    }
  }

  @Test
  void certificateRequest_inDer_isNamedWithItsCommand() throws Exception {
    openssl.run("openssl req -new -key k.pem -subj /CN=partner -outform DER -out r.der");
    assertRuns(refusal("r.der", FORMAT_UNSUPPORTED));
  }

  @Test
  void opensshKeys_inEveryForm_areNamedWithTheirCommand() throws Exception {
    openssl.run("chmod 600 k.pem");
    String line = openssl.text("ssh-keygen -y -f k.pem");
    openssl.file("id.pub", line);
    openssl.file("id.ssh2", openssl.text("ssh-keygen -e -m RFC4716 -f id.pub"));
    openssl.file("id.bare", line.split(" ")[1]);
    for (String file : new String[] {"id.pub", "id.ssh2", "id.bare"}) {
      assertRuns(refusal(file, FORMAT_UNSUPPORTED));
    }
  }

  @Test
  void jsonAndBase64_areNamedWithTheirCommand() throws Exception {
    String pem = RsaPublicKeys.toPem(key);
    String escaped = pem.replace("\n", "\\n");
    openssl.file("twice.b64", Base64.getEncoder().encodeToString(pem.getBytes(US_ASCII)));
    assertRuns(refusal("twice.b64", FORMAT_UNSUPPORTED));
    openssl.run("jq --version");
    openssl.file("google.json", "{\"pem\":\"" + escaped + "\"}");
    openssl.file(
        "aws.json",
        "{\"PublicKey\":\"" + Base64.getEncoder().encodeToString(key.getEncoded()) + "\"}");
    assertRuns(refusal("google.json", FORMAT_UNSUPPORTED));
    assertRuns(refusal("aws.json", FORMAT_UNSUPPORTED));
    openssl.file("vault.json", "{\"1\":\"-----BEGIN X\",\"2\":{\"pem\":\"" + escaped + "\"}}");
    KeyFileException many =
        catchThrowableOfType(
            KeyFileException.class,
            () -> RsaPublicKeys.readPastedFile(folder.resolve("vault.json"), JDK));
    assertThat(many.reason()).isEqualTo(TOO_MANY);
    assertRuns(many.getMessage().replace("Take one: ", NEEDED));
  }

  @Test
  void jwk_asAzurePrintsIt_isNamedWithItsCommand() throws Exception {
    Base64.Encoder encoder = Base64.getUrlEncoder().withoutPadding();
    String modulus = encoder.encodeToString(key.getModulus().toByteArray());
    String jwk = "{\"kty\":\"RSA\",\"e\":\"AQAB\",\"d\":null,\"n\":\"" + modulus + "\"}";
    openssl.run("node --version");
    openssl.file("key.jwk", jwk);
    openssl.file("azure.json", "{\"attributes\":{\"enabled\":true},\"key\":" + jwk + "}");
    assertRuns(refusal("key.jwk", FORMAT_UNSUPPORTED));
    assertRuns(refusal("azure.json", FORMAT_UNSUPPORTED));
  }

  @Test
  void revocationList_inEveryEncoding_isNamed() throws Exception {
    openssl.file("index.txt", "");
    openssl.file("number", "01\n");
    openssl.file(
        "ca.cnf",
        "[ca]\ndefault_ca=d\n[d]\ndatabase=index.txt\ncrlnumber=number\ndefault_md=sha256\n"
            + "default_crl_days=9\n");
    openssl.run("openssl ca -config ca.cnf -gencrl -keyfile k.pem -cert c.pem -out list.pem");
    openssl.run("openssl crl -in list.pem -outform DER -out list.der");
    assertThat(refusal("list.pem", FORMAT_UNSUPPORTED))
        .contains("revocation list", "openssl crl -in " + folder.resolve("list.pem"));
    assertThat(refusal("list.der", FORMAT_UNSUPPORTED))
        .contains("revocation list", "openssl crl -inform DER -in " + folder.resolve("list.der"));
  }

  @Test
  void trustedCertificate_isRead() throws Exception {
    String trusted = openssl.text("openssl x509 -in c.pem -trustout -addtrust serverAuth");
    assertThat(trusted).contains("BEGIN TRUSTED CERTIFICATE");
    assertThat(RsaPublicKeys.read(trusted, JDK)).isEqualTo(key);
    assertThat(PublicKeys.read(trusted, JDK)).isEqualTo(key);
  }

  private String refusal(String file, KeyFileException.Reason reason) {
    Path path = folder.resolve(file);
    KeyFileException refused =
        catchThrowableOfType(KeyFileException.class, () -> RsaPublicKeys.readFile(path, JDK));
    assertThat(refused.reason()).as(refused.getMessage()).isEqualTo(reason);
    assertThat(refused.getMessage()).startsWith(path + ": ").doesNotContain("private.pem");
    return refused.getMessage();
  }

  private void assertRuns(String message) throws Exception {
    String command = message.substring(message.indexOf(NEEDED) + NEEDED.length());
    openssl.file("command.sh", command);
    assertThat(RsaPublicKeys.read(openssl.run("sh command.sh"), JDK)).as(command).isEqualTo(key);
  }
}
