package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.SharedConfiguredService;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.OperatorRole;
import dev.countersign.server.operators.TestOperators;
import dev.countersign.testing.TestThreads;
import dev.countersign.testing.Waits;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Guessing is slowed down at its source and nowhere else. Each test has its own address. */
@Tag("full")
@SharedConfiguredService
@Tag("alone")
class SlowedSignInTest {
  private static final String WRONG = "/portal/sign-in?refused";
  private static final String SLOWED = "/portal/sign-in\\?wait=\\d+";
  private static final String DEVICE = "__Host-countersign-device";

  private static TestService service;

  @BeforeAll
  static void start(TestService shared) {
    service = shared;
    TestOperators.removeAll(service);
    TestOperators.add(service, "alice", OperatorRole.ADMINISTRATOR, PortalClient.PASSWORD);
    TestOperators.add(service, "vera", OperatorRole.VIEWER, PortalClient.PASSWORD);
  }

  private static PortalClient from(String address) {
    return PortalClient.stranger(service).with("X-Forwarded-For", address);
  }

  private static String guess(PortalClient client, String name) {
    return client.signIn(name, "a wrong pass phrase").expect(302).header("location");
  }

  private static List<String> guesses(PortalClient client, String name, int times) {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < times; i++) {
      answers.add(guess(client, name));
    }
    return answers;
  }

  /** The first waits may be over before the next guess. They double, so one of them is not. */
  private static boolean isSlowed(Supplier<String> guess) {
    for (int i = 0; i < 10; i++) {
      if (guess.get().matches(SLOWED)) {
        return true;
      }
    }
    return false;
  }

  @Test
  void guesses_atOneAccountFromOneAddress_areSlowedForKnownAndUnknownAlike() {
    for (String name : new String[] {"alice", "nobody"}) {
      PortalClient guesser = from("192.0.2." + name.length());

      assertThat(guesses(guesser, name, 5)).containsOnly(WRONG);
      assertThat(isSlowed(() -> guess(guesser, name))).isTrue();
    }
  }

  @Test
  void rightPassword_whileItsAddressIsSlowed_waitsToo() {
    // The wait may be over before the sign-in, but not at each address.
    assertThat(IntStream.range(20, 25).anyMatch(last -> rightPasswordWaits("192.0.2." + last)))
        .isTrue();
  }

  private static boolean rightPasswordWaits(String address) {
    PortalClient guesser = from(address);
    assertThat(guesses(guesser, "alice", 5)).containsOnly(WRONG);
    assertThat(isSlowed(() -> guess(guesser, "alice"))).isTrue();
    return guesser.signIn("alice", PortalClient.PASSWORD).header("location").matches(SLOWED);
  }

  @Test
  void guesses_atManyAccountsFromOneAddress_areSlowed() {
    PortalClient guesser = from("192.0.2.30");
    AtomicInteger next = new AtomicInteger();
    Supplier<String> another = () -> guess(guesser, "name" + next.getAndIncrement());

    assertThat(Stream.generate(another).limit(20)).containsOnly(WRONG);
    assertThat(isSlowed(another)).isTrue();
  }

  @Test
  void stranger_whoGuesses_locksNobodyElseOut() {
    PortalClient device = from("192.0.2.40").signedIn("vera", PortalClient.PASSWORD);
    for (int address = 41; address < 53; address++) {
      guesses(from("192.0.2." + address), "vera", 6);
    }
    guesses(from("192.0.2.40"), "vera", 6);

    assertThat(device.signIn("vera", PortalClient.PASSWORD).header("location"))
        .as("a known device at the slowed address")
        .isEqualTo("/portal");
    assertThat(from("192.0.2.60").signIn("vera", PortalClient.PASSWORD).header("location"))
        .as("an unknown device at another address")
        .isEqualTo("/portal");
  }

  @Test
  void forwardedAddress_writtenByTheCaller_isNoWayAround() {
    AtomicInteger next = new AtomicInteger();
    // The proxy appends the address that it saw; the values further left are invented by the
    // caller.
    Supplier<String> another =
        () ->
            guess(
                from("198.51.100." + next.getAndIncrement() + ", 192.0.2.70, 203.0.113.9"), "carl");

    assertThat(Stream.generate(another).limit(5)).containsOnly(WRONG);
    assertThat(isSlowed(another)).isTrue();
  }

  @Test
  void deviceCookie_inventedOrOfAnotherAccount_isNoWayAround() {
    PortalClient alice = from("192.0.2.80").signedIn("alice", PortalClient.PASSWORD);
    assertNoWayAround("192.0.2.81", "x".repeat(43));
    assertNoWayAround("192.0.2.82", alice.cookies().get(DEVICE));
  }

  private static void assertNoWayAround(String address, String token) {
    PortalClient guesser = from(address);
    Supplier<String> another =
        () -> {
          guesser.cookies().put(DEVICE, token);
          return guess(guesser, "dora");
        };
    assertThat(Stream.generate(another).limit(5)).containsOnly(WRONG);
    assertThat(isSlowed(another)).isTrue();
  }

  @Test
  void refusal_ofAKnownAndOfAnUnknownName_isTheSameAnswer() {
    PortalClient client = from("192.0.2.90");
    RawResponse known = refusal(client, "vera", "192.0.2.91");
    RawResponse unknown = refusal(client, "nora", "192.0.2.92");
    assertThat(unknown.status()).isEqualTo(known.status());
    assertThat(unknown.body()).isEqualTo(known.body());
    assertThat(unknown.headers().keySet()).isEqualTo(known.headers().keySet());
    assertThat(unknown.header("location")).isEqualTo(known.header("location"));
  }

  private static RawResponse refusal(PortalClient client, String name, String address) {
    return Wire.post(
        service.port(),
        "/portal/sign-in",
        "name=" + name + "&password=a+wrong+pass+phrase",
        "X-XSRF-TOKEN: " + client.token(),
        "X-Forwarded-For: " + address,
        Wire.cookies(client));
  }

  @Test
  void floodOfSignIns_isAnsweredAndKeepsNoKnownDeviceOut() throws Exception {
    PortalClient device = from("192.0.2.100").signedIn("vera", PortalClient.PASSWORD);
    PortalClient stranger = PortalClient.stranger(service);
    String token = "X-XSRF-TOKEN: " + stranger.token();
    String cookies = Wire.cookies(stranger);
    List<Future<RawResponse>> flood = new ArrayList<>();
    try (TestThreads threads = TestThreads.of(100)) {
      for (int i = 0; i < 100; i++) {
        String address = "X-Forwarded-For: 198.51.100." + (i % 250);
        String form = "name=n" + i + "&password=a+wrong+pass+phrase";
        flood.add(
            threads.submit(
                () -> Wire.post(service.port(), "/portal/sign-in", form, token, cookies, address)));
      }
      assertThat(device.signIn("vera", PortalClient.PASSWORD).header("location"))
          .isEqualTo("/portal");
    }
    List<String> answers = new ArrayList<>();
    for (Future<RawResponse> one : flood) {
      answers.add(Waits.forResult(one).header("location"));
    }

    assertThat(answers).isSubsetOf("/portal/sign-in?busy", WRONG);
  }
}
