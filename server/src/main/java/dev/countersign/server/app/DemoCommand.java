package dev.countersign.server.app;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.NewClient;
import dev.countersign.server.commands.OperatorErrors;
import dev.countersign.server.demo.DemoCalls;
import dev.countersign.signatures.MessageSigner;
import dev.countersign.signatures.SignatureAlgorithm;
import dev.countersign.signatures.SigningKey;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.RSAPublicKey;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code countersign demo}: a complete demonstration in one terminal, with temporary data. */
@Command(
    name = "demo",
    description = {
      "Starts a service on temporary data, registers two clients, makes signed calls and a tampered"
          + " one, and keeps running until Ctrl-C.",
      "It reads no configuration and uses only its own temporary database."
    },
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  ./countersign demo --port 9000"})
final class DemoCommand implements Callable<Integer> {
  private static final String CUSTOMER = "customerId";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      converter = ServeCommand.Port.class,
      defaultValue = "8080",
      description = "The port to listen on, or 0 for any free port (default: ${DEFAULT-VALUE}).")
  private int port;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by picocli
  private CommandSpec spec;

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory("countersign-demo-");
    // One hook ends the service and then removes its data: hooks run at the same time, and in no
    // order. If the process ends during the start, it only removes the data.
    AtomicReference<@Nullable RunningService> started = new AtomicReference<>();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> end(started.get(), directory), "demo-end"));
    RunningService service = start(directory);
    started.set(service);
    show(service, directory);
    service.awaitEnd();
    return 0;
  }

  private RunningService start(Path directory) {
    return RunningService.startBuiltIn(
        ServeOptions.embedded(directory.resolve("data")).withDemo(),
        List.of(
            "server.port=" + port,
            // The demo's client may call only from this machine, so no other address is needed.
            "server.address=localhost",
            // No other program needs to know the port of the portal, so any free port will do.
            "countersign.portal.address=127.0.0.1",
            "countersign.portal.port=0",
            // The hook of this command ends the service.
            "spring.main.register-shutdown-hook=false",
            "logging.level.root=warn",
            "logging.level.countersign=warn"));
  }

  private void show(RunningService service, Path directory)
      throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    CryptoProvider crypto = service.part(CryptoProvider.class);
    Partner partner = register(service, "Acme Bank", "cust-1001");
    Partner other = register(service, "Borealis Pay", "cust-1002");
    Client client = partner.client();
    Path keyFile = directory.resolve("demo.key");
    Files.createFile(
        keyFile,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(keyFile, RsaPrivateKeys.toPem(partner.keys().getPrivate()));

    out.println("Countersign serves " + service.localUrl() + ", with data in " + directory);
    out.println();
    out.println(client.name() + " is registered with the public key of a new RSA key pair:");
    out.println("  clientId   " + client.clientId());
    out.println("  key        " + client.keys().get(0).fingerprint());
    out.println("  whitelist  " + String.join(", ", client.whitelist()));
    out.println("  roles      " + String.join(", ", client.roles()));
    out.println("  attribute  " + CUSTOMER + ": " + partner.customer());
    DemoCalls calls = new DemoCalls(service.localUrl(), out, service.part(Clock.class));
    calls.showTampering(partner.caller(crypto));
    calls.showScope(List.of(partner.caller(crypto), other.caller(crypto)));
    out.println();
    out.println("Try it yourself with only openssl and curl:");
    out.println("  export BASE_URL=" + service.localUrl());
    out.println("  export CLIENT_ID=" + client.clientId());
    out.println("  export PRIVATE_KEY=" + keyFile);
    out.println("  sh docs/examples/openssl-curl.sh list");
    out.println();
    out.println("Or with the command line:");
    out.println("  ./countersign list /ledger/v1/wallets --base-url " + service.localUrl() + " \\");
    out.println("    --client-id " + client.clientId() + " --key " + keyFile);
    out.println();
    out.println("And in a browser:");
    service.portalUrl().ifPresent(url -> out.println("  the portal is at " + url));
    service.firstLink().ifPresent(link -> FirstLinkNotice.print(link, out));
    out.println();
    out.println("Ctrl-C ends the service and removes its data.");
    out.flush();
  }

  /** A registered client with its key pair, and the customer whose transactions it sees. */
  private record Partner(Client client, KeyPair keys, String customer) {
    DemoCalls.Caller caller(CryptoProvider crypto) {
      SigningKey key =
          new SigningKey(
              client.clientId(), SignatureAlgorithm.RSA_V1_5_SHA256, keys.getPrivate(), crypto);
      return new DemoCalls.Caller(
          client.name(), customer, new MessageSigner(PartnerProfile.REQUEST, key));
    }
  }

  private static Partner register(RunningService service, String name, String customer) {
    KeyPair keys = newKeyPair(service.part(CryptoProvider.class));
    NewClient client =
        new NewClient(
            name,
            List.of("127.0.0.1", "::1"),
            List.of("ledger-operator"),
            Map.of(CUSTOMER, AttributeSetting.of(List.of(customer))),
            (RSAPublicKey) keys.getPublic(),
            null);
    return new Partner(service.part(ClientStore.class).add(client), keys, customer);
  }

  private static KeyPair newKeyPair(CryptoProvider crypto) {
    KeyPairGenerator generator = crypto.keyPairGenerator("RSA");
    generator.initialize(2048);
    return generator.generateKeyPair();
  }

  private void end(@Nullable RunningService service, Path directory) {
    try {
      if (service != null) {
        service.end();
      }
    } finally {
      remove(directory);
    }
  }

  private void remove(Path directory) {
    try {
      FileSystemUtils.deleteRecursively(directory);
    } catch (IOException e) {
      OperatorErrors.warn(
          spec.commandLine(), "cannot remove " + directory + "; remove it yourself");
    }
  }
}
