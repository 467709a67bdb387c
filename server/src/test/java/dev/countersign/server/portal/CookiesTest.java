package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.TestOperators;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The portal's cookies and other secrets: how they are set, and where they never appear. */
@SharedConfiguredService
class CookiesTest {
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);

  /**
   * Spring logs the content of a request at these levels, and Tomcat logs its bytes, which we
   * cannot prevent.
   */
  private static final Logger ENGINE = (Logger) LoggerFactory.getLogger("org.apache");

  private final Lines log = new Lines();

  @BeforeEach
  void listen() {
    log.setContext(ROOT.getLoggerContext());
    log.start();
    ROOT.addAppender(log);
    ROOT.setLevel(Level.DEBUG);
    ENGINE.setLevel(Level.INFO);
    ((Logger) LoggerFactory.getLogger("dev.countersign")).setLevel(Level.TRACE);
    ((Logger) LoggerFactory.getLogger("countersign.requests")).setLevel(Level.TRACE);
  }

  @AfterEach
  void restoreTheLog() {
    ROOT.setLevel(Level.INFO);
    ENGINE.setLevel(null);
    ((Logger) LoggerFactory.getLogger("dev.countersign")).setLevel(null);
    ((Logger) LoggerFactory.getLogger("countersign.requests")).setLevel(Level.WARN);
    ROOT.detachAppender(log);
  }

  /** Each line with everything that an encoder could write. */
  private static final class Lines extends AppenderBase<ILoggingEvent> {
    final Queue<String> all = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      all.add(
          event.getLoggerName()
              + " "
              + event.getFormattedMessage()
              + " "
              + event.getKeyValuePairs()
              + " "
              + event.getThrowableProxy());
    }
  }

  @Test
  void cookies_allOfThem_areHardened(PortalClient client) {
    List<String> set = new ArrayList<>();
    client.with("X-Forwarded-For", "192.0.2.200").cookies().clear();
    for (PortalClient.Answer answer :
        List.of(
            client.get("/sign-in"),
            client.get("/listings"),
            client.get("/assets/own/portal.js"),
            client.signIn(client.name(), "wrong"),
            client.signIn(client.name(), PortalClient.PASSWORD),
            client.get("/account"),
            client.get("/nothing"),
            client.post("/sign-out", Map.of()),
            client.get("/sign-in"))) {
      set.addAll(answer.response().headers().allValues("set-cookie"));
    }

    assertThat(set.stream().map(cookie -> cookie.substring(0, cookie.indexOf('='))))
        .contains(Wire.SESSION, Wire.CSRF, "__Host-countersign-device")
        .allMatch(name -> name.startsWith("__Host-countersign-"));
    assertThat(set)
        .allSatisfy(
            cookie ->
                assertThat(Set.of(cookie.split("; ")))
                    .contains("Path=/", "Secure", "HttpOnly", "SameSite=Lax")
                    .noneMatch(attribute -> attribute.startsWith("Domain")));
    assertThat(set)
        .filteredOn(cookie -> cookie.startsWith(Wire.SESSION + "=") && !cookie.contains("=;"))
        .isNotEmpty()
        .noneMatch(cookie -> cookie.contains("Max-Age") || cookie.contains("Expires"));
  }

  @Test
  void secrets_ofAWholeDay_areInNoLogNoAddressAndNoTable(TestService service) {
    TestOperators.removeAll(service);
    String first = service.firstLink();
    Set<String> secrets = new HashSet<>(Set.of(first.substring(first.indexOf('#') + 1)));
    PortalClient client = PortalClient.stranger(service).with("X-Forwarded-For", "192.0.2.201");
    secrets.add(PortalClient.PASSWORD);
    Map<String, String> form = new HashMap<>();
    form.put("token", first.substring(first.indexOf('#') + 1));
    form.put("name", "alice");
    form.put("password", PortalClient.PASSWORD);
    form.put("again", "not the same at all");
    secrets.add("not the same at all");
    client.post("/setup", form).expect(422);
    form.put("again", PortalClient.PASSWORD);
    client.post("/setup", form).expect(302);
    client.post("/setup", form).expect(422);
    PortalClient.Answer wrong = client.signIn("my password here by mistake", "wrong pass phrase 1");
    secrets.addAll(Set.of("my password here by mistake", "wrong pass phrase 1"));
    PortalClient.Answer in = client.signIn("alice", PortalClient.PASSWORD);
    secrets.addAll(client.cookies().values());
    secrets.add(client.token());
    String page =
        client.post("/operators", Map.of("name", "zoe", "role", "VIEWER")).expect(200).body();
    Matcher link = Pattern.compile("setup#([A-Za-z0-9_-]{43})").matcher(page);
    assertThat(link.find()).isTrue();
    secrets.add(link.group(1));
    PortalClient.Answer out = client.post("/sign-out", Map.of()).expect(302);
    secrets.addAll(client.cookies().values());

    assertThat(secrets).hasSizeGreaterThanOrEqualTo(9).allMatch(secret -> secret.length() > 15);
    for (String secret : secrets) {
      assertThat(log.all).as("log").noneMatch(line -> line.contains(secret));
      assertThat(StoredRows.of(service).values())
          .as("tables")
          .noneMatch(row -> row.contains(secret));
      assertThat(List.of(wrong, in, out))
          .noneMatch(answer -> answer.header("location").contains(secret));
    }
    assertThat(log.all).anyMatch(line -> line.contains("/portal/sign-in"));
  }
}
