package dev.countersign.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;

/** A partner with a key pair of openssl that calls with the example script. */
final class OpensslPartner {
  private final Path release;
  private final Path privateKey;
  private final String clientId;

  private OpensslPartner(Path release, Path privateKey, String clientId) {
    this.release = release;
    this.privateKey = privateKey;
    this.clientId = clientId;
  }

  /** Makes a key pair and registers it as the operator does. */
  static OpensslPartner register(Path release, Path data, String role)
      throws IOException, InterruptedException {
    Path keys = Files.createTempDirectory("partner");
    Command.shell(
            keys,
            "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out key.pem 2>&1\n"
                + "openssl pkey -in key.pem -pubout -out key.pub.pem")
        .run()
        .succeeded();
    Command.Outcome added =
        Command.in(
                release,
                "./countersign",
                "clients",
                "add",
                "--name",
                "Acme Bank",
                "--public-key",
                keys.resolve("key.pub.pem").toString(),
                "--allow",
                "127.0.0.1,::1",
                "--role",
                role,
                "--data",
                data.toString())
            .run()
            .succeeded();
    return new OpensslPartner(release, keys.resolve("key.pem"), added.firstLine());
  }

  /**
   * Waits until the running service knows the new client: within a second, on a busy machine a
   * little later.
   */
  OpensslPartner awaitKnownTo(Served service) {
    Awaitility.await()
        .until(
            () -> calls(service, "list", "size=1").run(),
            outcome -> !(outcome.out() + outcome.err()).contains("client_unknown"));
    return this;
  }

  String clientId() {
    return clientId;
  }

  Path privateKey() {
    return privateKey;
  }

  Path publicKey() {
    return privateKey.resolveSibling("key.pub.pem");
  }

  /** The example script, ready to call a service. */
  Command calls(Served service, String... words) {
    List<String> all = new ArrayList<>(List.of("sh", "docs/examples/openssl-curl.sh"));
    all.addAll(List.of(words));
    return runs(Command.in(release, all.toArray(String[]::new)), service);
  }

  /** Creates a command with the settings that the examples read. */
  Command runs(Command command, Served service) {
    return command
        .with("BASE_URL", service.url())
        .with("CLIENT_ID", clientId)
        .with("PRIVATE_KEY", privateKey.toString());
  }
}
