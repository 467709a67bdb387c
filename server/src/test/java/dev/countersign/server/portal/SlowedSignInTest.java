package dev.countersign.server.portal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.RawResponse;
import dev.countersign.server.TestService;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Guessing is slowed down where it comes from, and nowhere else. Each test has an address. */
@Tag("alone")
class SlowedSignInTest {
  private static final String WRONG = "/portal/sign-in?refused";
  private static final String SLOWED = "/portal/sign-in\\?wait=\\d+";

  private static TestService service;

  @BeforeAll
  static void start(@TempDir Path data) {
    service =
        TestService.start(
            data, 3, "countersign.access.trusted-proxies=127.0.0.1,::1,203.0.113.0/24");
    PortalClient.viewer(PortalClient.administrator(service), "vera");
  }

  @AfterAll
  static void stop() {
    service.close();
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

  @Test
  void guesses_atOneAccountFromOneAddress_areSlowedForKnownAndUnknownAlike() {
    for (String name : new String[] {"alice", "nobody"}) {
      List<String> answers = guesses(from("192.0.2." + name.length()), name, 10);

      assertThat(answers.subList(0, 5)).containsOnly(WRONG);
      // On a slow machine the first waits, of a second or two, are over before the next guess.
      assertThat(answers.subList(5, 10)).anyMatch(answer -> answer.matches(SLOWED));
    }
  }

  @Test
  void rightPassword_whileItsAddressIsSlowed_waitsToo() {
    PortalClient guesser = from("192.0.2.20");
    guesses(guesser, "alice", 12);

    assertThat(guesser.signIn("alice", PortalClient.PASSWORD).header("location")).matches(SLOWED);
  }

  @Test
  void guesses_atManyAccountsFromOneAddress_areSlowed() {
    PortalClient guesser = from("192.0.2.30");
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 22; i++) {
      answers.add(guess(guesser, "name" + i));
    }

    assertThat(answers.subList(0, 20)).containsOnly(WRONG);
    assertThat(answers.get(21)).matches(SLOWED);
  }

  @Test
  void stranger_whoGuesses_locksNobodyElseOut() {
    PortalClient device = from("192.0.2.40").signedIn("vera", PortalClient.PASSWORD);
    for (int address = 41; address < 53; address++) {
      guesses(from("192.0.2." + address), "vera", 6);
    }
    guesses(from("192.0.2.40"), "vera", 6);

    assertThat(device.signIn("vera", PortalClient.PASSWORD).header("location"))
        .as("a device that is known, at the address that was slowed")
        .isEqualTo("/portal");
    assertThat(from("192.0.2.60").signIn("vera", PortalClient.PASSWORD).header("location"))
        .as("no device, from another address")
        .isEqualTo("/portal");
  }

  @Test
  void forwardedAddress_writtenByTheCaller_isNoWayAround() {
    List<String> answers = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      // The proxy appends what it saw; further left is the caller's own invention.
      answers.add(guess(from("198.51.100." + i + ", 192.0.2.70, 203.0.113.9"), "carl"));
    }

    assertThat(answers.subList(0, 5)).containsOnly(WRONG);
    assertThat(answers.get(6)).matches(SLOWED);
  }

  @Test
  void deviceCookie_inventedOrOfAnotherAccount_isNoWayAround() {
    PortalClient alice = from("192.0.2.80").signedIn(PortalClient.NAME, PortalClient.PASSWORD);
    String device = "__Host-countersign-device";
    for (String token : new String[] {"x".repeat(43), alice.cookies().get(device)}) {
      PortalClient guesser = from("192.0.2." + (81 + token.charAt(0) % 2));
      List<String> answers = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        guesser.cookies().put(device, token);
        answers.add(guess(guesser, "dora"));
      }
      assertThat(answers.get(6)).matches(SLOWED);
    }
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
    try (ExecutorService threads = Executors.newFixedThreadPool(100)) {
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
      answers.add(one.get().header("location"));
    }

    assertThat(answers).isSubsetOf("/portal/sign-in?busy", WRONG);
  }
}
