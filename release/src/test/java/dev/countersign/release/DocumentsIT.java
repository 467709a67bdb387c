package dev.countersign.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.countersign.protocol.Check;
import dev.countersign.protocol.ClientId;
import dev.countersign.protocol.Reason;
import dev.countersign.release.Markdown.Block;
import dev.countersign.release.Markdown.Row;
import dev.countersign.server.access.AccessProperties;
import dev.countersign.server.access.directory.AttributeProperties;
import dev.countersign.server.config.CountersignProperties;
import dev.countersign.server.http.ErrorProperties;
import dev.countersign.server.integrations.IntegrationProperties;
import dev.countersign.server.listings.ListingProperties;
import dev.countersign.server.listings.PaginationProperties;
import dev.countersign.server.portal.OpenIdProperties;
import dev.countersign.server.portal.PortalProperties;
import dev.countersign.server.requests.RequestProperties;
import dev.countersign.server.store.StoreSettings;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.PropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;

/** Compares the documents to the code, so that they stay consistent. */
class DocumentsIT {
  private static final Path ROOT = Release.sources();
  private static final Pattern CLIENT_ID = Pattern.compile("\\bcl-[0-9A-Za-z]{15,}");

  static Stream<Path> documents() throws IOException {
    try (Stream<Path> docs = Files.walk(ROOT.resolve("docs"));
        Stream<Path> root = Files.list(ROOT)) {
      return Stream.concat(docs, root)
          .filter(file -> file.toString().endsWith(".md"))
          .sorted()
          .toList()
          .stream();
    }
  }

  @ParameterizedTest
  @MethodSource("documents")
  void links_leadSomewhere(Path document) throws IOException {
    for (String link : Markdown.read(document).links()) {
      if (link.startsWith("https://")) {
        continue;
      }
      String[] parts = link.split("#", 2);
      Path target = parts[0].isEmpty() ? document : document.resolveSibling(parts[0]).normalize();
      assertThat(target).as("%s in %s", link, document).exists();
      if (parts.length == 2) {
        assertThat(Markdown.read(target).anchors())
            .as("%s in %s", link, document)
            .contains(parts[1]);
      }
    }
  }

  @Test
  void reasons_areThoseOfTheCode() throws IOException {
    List<String> documented =
        Markdown.read(ROOT.resolve("docs/interface.md")).rowsUnder("### Reasons").stream()
            .map(row -> row.name() + " " + row.cells().get(0))
            .sorted()
            .toList();
    List<String> coded =
        Arrays.stream(Reason.values())
            .map(reason -> reason.word() + " " + reason.status())
            .sorted()
            .toList();
    assertThat(documented).isEqualTo(coded);
  }

  @Test
  void checks_areThoseOfTheCode_inTheirOrder() throws IOException {
    List<Row> costs =
        Markdown.read(ROOT.resolve("docs/security.md")).rowsUnder("## The order of the checks");
    assertThat(costs.stream().map(row -> row.name() + " " + row.cells().get(0)))
        .containsExactlyElementsOf(
            Arrays.stream(Check.values())
                .map(check -> check.word() + " " + check.number())
                .toList());
    assertThat(checksOfTheInterface().map(Row::name))
        .containsExactlyElementsOf(Arrays.stream(Check.values()).map(Check::word).toList());
  }

  private static Stream<Row> checksOfTheInterface() throws IOException {
    return Markdown.read(ROOT.resolve("docs/interface.md")).rowsUnder("### Checks").stream();
  }

  /** RefusalMatrixTest of the server shows which check gives which reason. */
  @Test
  void checks_nameEveryReason_orSayThatItHasNone() throws IOException {
    String page = Files.readString(ROOT.resolve("docs/interface.md"));
    String section = page.substring(page.indexOf("### Checks"), page.indexOf("### Reasons"));
    assertThat(
            Pattern.compile("`([a-z]+_[a-z_]+|expired|replayed|overloaded)`")
                .matcher(section)
                .results()
                .map(word -> word.group(1)))
        .containsAll(Arrays.stream(Reason.values()).map(Reason::word).toList())
        .allMatch(word -> Reason.ofWord(word).isPresent());
  }

  @Test
  void reasons_eachHaveAMeaningAndACure() throws IOException {
    for (Row row : Markdown.read(ROOT.resolve("docs/interface.md")).rowsUnder("### Reasons")) {
      assertThat(row.cells()).as(row.name()).hasSize(3).noneMatch(String::isBlank);
    }
  }

  @Test
  void settings_areThoseOfTheCodeWithTheirDefaults() throws IOException {
    settingsWithoutGroup();
    settingsUnder("## countersign.connections", StoreSettings.Connections.class);
    settingsUnder("## countersign.access", AccessProperties.class);
    settingsUnder("## countersign.pagination", PaginationProperties.class);
    settingsUnder("## countersign.errors", ErrorProperties.class);
    settingsUnder("## countersign.requests", RequestProperties.class);
    settingsUnder("## countersign.integrations", IntegrationProperties.class);
    settingsUnder("## countersign.portal", PortalProperties.class);
    settingsUnder("## countersign.portal.openid", OpenIdProperties.class);
    settingsUnder("## A listing", ListingProperties.class);
    settingsUnder("## Attributes", AttributeProperties.class);
    settingsUnder("### A field", ListingProperties.FieldProperties.class);
  }

  /** Compares the settings that are in no group. A group is a record, and has its own section. */
  private static void settingsWithoutGroup() throws IOException {
    String heading = "## countersign";
    List<Parameter> all = parameters(CountersignProperties.class);
    List<Parameter> withoutGroup =
        all.stream().filter(parameter -> !parameter.getType().isRecord()).toList();
    List<String> groups =
        all.stream()
            .filter(parameter -> parameter.getType().isRecord())
            .map(DocumentsIT::key)
            .toList();
    List<Row> rows =
        rowsUnder(heading).stream().filter(row -> !groups.contains(row.name())).toList();
    compare(heading, rows, withoutGroup);
  }

  private static void settingsUnder(String heading, Class<? extends Record> record)
      throws IOException {
    compare(heading, rowsUnder(heading), parameters(record));
  }

  private static List<Row> rowsUnder(String heading) throws IOException {
    return Markdown.read(ROOT.resolve("docs/configuration.md")).rowsUnder(heading);
  }

  private static void compare(String heading, List<Row> rows, List<Parameter> parameters) {
    assertThat(rows.stream().map(Row::name))
        .as(heading)
        .containsExactlyInAnyOrder(
            parameters.stream().map(DocumentsIT::key).toArray(String[]::new));
    for (Parameter parameter : parameters) {
      String expected = writtenDefault(parameter);
      Row row =
          rows.stream().filter(r -> r.name().equals(key(parameter))).findFirst().orElseThrow();
      if (!expected.isEmpty()) {
        assertThat(row.cells().get(0)).as(row.name()).isEqualTo("`" + expected + "`");
      }
    }
  }

  private static List<Parameter> parameters(Class<? extends Record> record) {
    return List.of(canonical(record).getParameters());
  }

  private static Constructor<?> canonical(Class<? extends Record> record) {
    return Arrays.stream(record.getDeclaredConstructors())
        .filter(c -> c.getParameterCount() == record.getRecordComponents().length)
        .findFirst()
        .orElseThrow();
  }

  private static String key(Parameter parameter) {
    Name name = parameter.getAnnotation(Name.class);
    String word = name == null ? parameter.getName() : name.value();
    return word.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
  }

  private static String writtenDefault(Parameter parameter) {
    DefaultValue value = parameter.getAnnotation(DefaultValue.class);
    return value == null ? "" : String.join(", ", value.value());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void clientIds_haveTheirCheckDigits(Path document) throws IOException {
    assertThat(CLIENT_ID.matcher(Files.readString(document)).results().map(MatchResult::group))
        .noneMatch(ClientId::isMistyped);
  }

  @Test
  void listingInTheDocument_isTheDefault() throws IOException {
    String yaml = Markdown.read(ROOT.resolve("docs/configuration.md")).blocks("yaml").get(0).text();
    CountersignProperties documented = bind(new ByteArrayResource(yaml.getBytes("UTF-8")));
    CountersignProperties shipped = bind(new ClassPathResource("built-in.yaml"));
    assertThat(documented.listings()).isEqualTo(shipped.listings());
    assertThat(documented.roles()).isEqualTo(shipped.roles());
  }

  @ParameterizedTest
  @MethodSource("documents")
  void yaml_hasNoUnknownKeys(Path document) throws IOException {
    for (Block block : Markdown.read(document).blocks("yaml")) {
      assertThatCode(() -> bind(new ByteArrayResource(block.text().getBytes("UTF-8"))))
          .as("%s: %s", document, block.text())
          .doesNotThrowAnyException();
    }
  }

  private static CountersignProperties bind(Resource yaml) throws IOException {
    List<PropertySource<?>> sources = new YamlPropertySourceLoader().load("document", yaml);
    return new Binder(ConfigurationPropertySources.from(sources))
        .bindOrCreate(
            "countersign",
            Bindable.of(CountersignProperties.class),
            new NoUnboundElementsBindHandler(BindHandler.DEFAULT));
  }

  @Tag("full")
  @Test
  void keys_commands_makeAPairAndItsFingerprint(@TempDir Path folder) throws Exception {
    Command.require("openssl");
    String fingerprint = "";
    for (Block block : Markdown.read(ROOT.resolve("docs/keys.md")).blocks("sh")) {
      fingerprint = Command.shell(folder, block.text()).run().succeeded().out();
    }
    Path data = folder.resolve("data");
    String add =
        "'%s/countersign' clients add --name A --public-key partner.pub.pem --allow 127.0.0.1"
            + " --role ledger-viewer --data '%s'";
    Command.Outcome added =
        Command.shell(folder, String.format(Locale.ROOT, add, Release.directory(), data))
            .run()
            .succeeded();
    assertThat(fingerprint).hasSize(43);
    assertThat(added.out()).contains("SHA256:" + fingerprint);
  }

  @Tag("full")
  @Test
  void clients_commands_workInTheirOrder(@TempDir Path folder) throws Exception {
    Command.require("openssl");
    for (String name : List.of("acme", "acme-new")) {
      String keys =
          "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out %1$s.pem 2>&1\n"
              + "openssl pkey -in %1$s.pem -pubout -out %1$s.pub.pem";
      Command.shell(folder, String.format(Locale.ROOT, keys, name)).run().succeeded();
    }
    Markdown document = Markdown.read(ROOT.resolve("docs/clients.md"));
    Files.writeString(
        folder.resolve("countersign.yaml"), document.blocks("yaml").getFirst().text());
    String clientId = "";
    String oldKey = "";
    for (Block block : document.blocks("sh")) {
      for (String line : block.text().lines().toList()) {
        String command =
            line.replace("countersign ", "'" + Release.directory() + "/countersign' ")
                .replaceAll("cl-[0-9a-z]+", clientId)
                .replaceAll("SHA256:\\w+", oldKey);
        Command.Outcome outcome = Command.shell(folder, command).run().succeeded();
        if (clientId.isEmpty()) {
          clientId = outcome.firstLine();
          oldKey = outcome.out().replaceAll("(?s).*(SHA256:[^,]{12}).*", "$1");
        }
      }
    }
    assertThat(Command.shell(folder, countersign("clients list")).run().succeeded().out())
        .contains("no clients yet");
  }

  @Tag("full")
  @Test
  void audit_commands_workInTheirOrder(@TempDir Path folder) throws Exception {
    Command.require("openssl", "python3");
    Files.copy(ROOT.resolve("docs/examples/check-audit.py"), folder.resolve("check-audit.py"));
    String register =
        "openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out a.pem 2>&1\n"
            + "openssl pkey -in a.pem -pubout -out a.pub.pem\n"
            + countersign("clients add --name =Söhne --public-key a.pub.pem --allow 127.0.0.1")
            + " --role ledger-viewer";
    Command.shell(folder, register).run().succeeded();
    String head = "";
    for (Block block : Markdown.read(ROOT.resolve("docs/audit.md")).blocks("sh")) {
      String commands =
          block.text().replace("countersign ", "'" + Release.directory() + "/countersign' ");
      Command.Outcome outcome =
          Command.shell(folder, commands).with("HEAD", head).run().succeeded();
      if (outcome.out().contains("head ")) {
        head = outcome.out().replaceAll("(?s).*head ([0-9a-f]{64}).*", "$1");
        assertThat(outcome.out()).contains("1 entries, head " + head);
      }
    }
    assertThat(head).hasSize(64);
    Path export = folder.resolve("audit.csv");
    Files.writeString(export, Files.readString(export).replace("Söhne", "Sohne"));
    assertThat(Command.shell(folder, "python3 check-audit.py audit.csv").run().err())
        .contains("entry 1 is not as it was hashed");
  }

  private static String countersign(String words) {
    return "'" + Release.directory() + "/countersign' " + words;
  }

  @Test
  void scripts_areReadByThePosixShell() throws Exception {
    for (String script :
        List.of(
            "countersign",
            "docs/examples/openssl-curl.sh",
            "benchmarks/prepare.sh",
            "benchmarks/signatures",
            "benchmarks/service",
            "benchmarks/requests",
            "benchmarks/tables.sh",
            "benchmarks/sorts",
            "benchmarks/scope",
            "benchmarks/lists",
            "benchmarks/flood")) {
      Command.in(ROOT, "sh", "-n", script).run().succeeded();
    }
    Command.require("bash");
    for (String script : List.of(".ci/install", ".ci/run", ".ci/full")) {
      Command.in(ROOT, "bash", "-n", script).run().succeeded();
    }
  }

  @Test
  void changelog_opensWithTheVersionOfTheBuild() throws IOException {
    String version =
        Release.directory().getFileName().toString().replaceAll("countersign-|-SNAPSHOT", "");
    assertThat(Files.readString(ROOT.resolve("CHANGELOG.md"))).contains("\n## " + version);
  }
}
