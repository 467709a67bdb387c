package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.OperatorStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Forms and queries that no browser sends get a page that says so, and do not count as defects. */
@SharedService
class BrokenFormsTest {
  private static final int MUTANTS = Boolean.getBoolean("countersign.full") ? 200 : 20;
  private static final Logger ROOT = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
  private static final List<String> VALUES =
      List.of(
          "",
          "%00",
          "a%00b",
          "%ff%fe",
          "%c0%af",
          "%ed%a0%80",
          "%zz",
          "%",
          "+999999999-12-31",
          "-999999999-01-01",
          "99999999999999999999",
          "-1",
          "NaN",
          "VIEWER",
          "%E2%80%AE",
          "%24%7B7*7%7D",
          "%7Bx%7D",
          "__%24%7B7*7%7D__",
          "%0d%0aSet-Cookie:+x=y",
          "../../etc/passwd",
          "x".repeat(5_000));

  private static TestService service;
  private static PortalClient administrator;
  private static String other;
  private static Errors errors;

  @BeforeAll
  static void start(TestService shared, PortalClient signedIn) {
    service = shared;
    administrator = signedIn;
    other = PortalClient.viewer(service).id(service);
    errors = new Errors();
    errors.setContext(ROOT.getLoggerContext());
    errors.start();
    ROOT.addAppender(errors);
  }

  @AfterAll
  static void stop() {
    ROOT.detachAppender(errors);
  }

  /** The errors that any thread has logged. */
  private static final class Errors extends AppenderBase<ILoggingEvent> {
    final Queue<String> all = new ConcurrentLinkedQueue<>();

    @Override
    protected void append(ILoggingEvent event) {
      if (event.getLevel().isGreaterOrEqual(Level.ERROR)) {
        all.add(event.getFormattedMessage());
      }
    }
  }

  static List<Routes.Route> posts() {
    return Routes.by("POST");
  }

  static List<Routes.Route> gets() {
    return Routes.by("GET");
  }

  @ParameterizedTest
  @MethodSource("posts")
  void post_mutatedAtRandom_isNeverADefect(Routes.Route route) {
    Random random = new Random(20_261_121);
    String token = header(administrator.token());
    for (int i = 0; i < MUTANTS; i++) {
      administrator.enter(service);
      String form = form(route.parameters(), random);
      RawResponse answer =
          Wire.post(
              service.port(),
              "/portal" + route.at(random.nextBoolean() ? other : "unknown"),
              form,
              token,
              Wire.cookies(administrator));

      assertIsNoDefect(answer, route + " " + shown(form));
    }
    assertThat(errors.all).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("gets")
  void get_mutatedAtRandom_isNeverADefect(Routes.Route route) {
    Random random = new Random(20_261_122);
    administrator.enter(service);
    for (int i = 0; i < MUTANTS / 4 && !route.path().endsWith("/live"); i++) {
      String query = form(route.parameters(), random);
      RawResponse answer =
          Wire.get(
              service.port(),
              "/portal" + route.at(random.nextBoolean() ? other : "unknown") + "?" + query,
              Wire.cookies(administrator));

      assertIsNoDefect(answer, route + " " + shown(query));
    }
    assertThat(errors.all).isEmpty();
  }

  private static void assertIsNoDefect(RawResponse answer, String what) {
    assertThat(answer.status()).as(() -> what + "\n" + answer.body()).isBetween(200, 499);
    if (answer.status() >= 400) {
      assertThat(answer.header("content-type"))
          .as(() -> what + "\n" + answer)
          .startsWith("text/html");
    }
  }

  private static String form(List<String> names, Random random) {
    List<String> fields = new ArrayList<>();
    for (String name : names) {
      for (int times = random.nextInt(4) == 0 ? random.nextInt(3) : 1; times > 0; times--) {
        fields.add(name + "=" + VALUES.get(random.nextInt(VALUES.size())));
      }
    }
    if (random.nextInt(8) == 0) {
      fields.add(VALUES.get(random.nextInt(VALUES.size())));
    }
    return String.join("&", fields);
  }

  private static String shown(String form) {
    return form.length() < 300 ? form : form.substring(0, 300) + "…";
  }

  private static String header(String token) {
    return "X-XSRF-TOKEN: " + token;
  }

  @ParameterizedTest
  @ValueSource(strings = {"/sign-in", "/setup", "/operators"})
  void form_tooLarge_isRefusedWithAPage(String path) {
    administrator.enter(service);
    RawResponse answer =
        Wire.post(
            service.port(),
            "/portal" + path,
            "name=" + "x".repeat(3_000_000),
            header(administrator.token()),
            Wire.cookies(administrator));

    assertThat(answer.status()).isIn(400, 413);
    assertThat(answer.header("content-type")).startsWith("text/html");
  }

  @Test
  void form_ofTooManyFields_isRefusedWithAPage() {
    RawResponse answer =
        Wire.post(
            service.port(),
            "/portal/sign-in",
            "a=b&".repeat(5_000),
            header(administrator.token()),
            Wire.cookies(administrator));

    assertThat(answer.status()).isIn(400, 413);
    assertThat(answer.header("content-type")).startsWith("text/html");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "application/json",
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "text/plain",
        "a/b/c",
      })
  void form_ofAnotherType_isRefusedWithAPage(String type) {
    RawResponse answer =
        Wire.send(
            service.port(),
            "POST",
            "/portal/operators",
            "name=eve&role=VIEWER",
            "Content-Type: " + type,
            header(administrator.token()),
            Wire.cookies(administrator.enter(service)));

    assertThat(answer.status()).as(answer.body()).isBetween(400, 499);
    assertThat(answer.header("content-type")).startsWith("text/html");
    assertThat(service.part(OperatorStore.class).list()).noneMatch(o -> o.name().equals("eve"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "FOO"})
  void method_thatNothingTakes_isRefusedWithAPage(String method) {
    RawResponse answer =
        Wire.send(
            service.port(),
            method,
            "/portal/listings",
            "",
            header(administrator.token()),
            Wire.cookies(administrator.enter(service)));

    assertThat(answer.status()).isBetween(200, 499);
  }
}
