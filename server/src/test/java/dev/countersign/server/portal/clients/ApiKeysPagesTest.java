package dev.countersign.server.portal.clients;

import static dev.countersign.server.portal.clients.ApiKeysPages.CLIENT;
import static dev.countersign.server.portal.clients.ApiKeysPages.LIST;
import static dev.countersign.server.portal.clients.ApiKeysPages.form;
import static dev.countersign.server.portal.clients.ApiKeysPages.of;
import static dev.countersign.server.portal.clients.ApiKeysPages.pem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.SharedService;
import dev.countersign.server.TestRequest;
import dev.countersign.server.TestService;
import dev.countersign.server.audit.AuditEntry;
import dev.countersign.server.audit.AuditFilter;
import dev.countersign.server.audit.AuditTrail;
import dev.countersign.server.clients.Client;
import dev.countersign.server.clients.ClientUpdate;
import dev.countersign.server.clients.RsaKeyPairs;
import dev.countersign.server.portal.PortalClient;
import dev.countersign.server.portal.PortalClient.Answer;
import dev.countersign.server.store.Database;
import dev.countersign.signatures.keys.KeyFingerprint;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Integrations, API Keys, over a socket. */
@SharedService
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiKeysPagesTest {
  private static final String HOSTILE = "<script>alert(1)</script>\"'&amp; ${7919*7907} {id}";
  private static final String HOSTILE_ID =
      "a/b;c%2F<script>alert(1)</script>${7919*7907}{id}&x=1#y?";

  private TestService service;
  private PortalClient alice;
  private ApiKeysPages pages;

  @BeforeAll
  void start(TestService shared, PortalClient signedIn) {
    service = shared;
    alice = signedIn;
    pages = new ApiKeysPages(service, alice);
  }

  @BeforeEach
  void removeAll() {
    pages.clients().list().forEach(client -> pages.clients().remove(client.clientId()));
  }

  @Test
  void list_withoutClients_offersTheFirst() {
    assertThat(pages.list("").body()).contains("No client yet", "+ Client");
  }

  @Test
  void add_rightFields_createsItAndShowsFirstCalls() {
    String id = pages.add(form("Acme Bank", RsaKeyPairs.keyPair(0)));

    Answer page = alice.get(of(CLIENT, id) + "&done=added").expect(200);
    assertThat(page.body())
        .contains("The client is added.", "data-copy=\"" + id + "\"", "CLIENT_ID=&#39;" + id)
        .contains("http://localhost:" + service.port() + "/ledger/v1/wallets?page=0&amp;size=20")
        .contains("CountersignClient.builder(", "PrivateKeyFile.of(")
        .contains("./countersign call GET &#39;/ledger/v1/wallets?page=0&amp;size=20&#39;")
        .contains("--base-url &#39;http://localhost:" + service.port())
        .contains("--client-id &#39;" + id + "&#39; --key &#39;Acme-Bank.private.pem&#39;");
    assertThat(pages.list("").body())
        .contains("Acme Bank", id, "1 client", "ledger-viewer", "2048 bits", "0 days", "never");
    assertThat(pages.client(id).whitelist()).containsExactly("127.0.0.1", "::1");
    AuditEntry entry = lastEntry();
    assertThat(entry.action()).isEqualTo("client.added");
    assertThat(entry.author()).isEqualTo(alice.name());
    assertThat(entry.address()).isEqualTo("127.0.0.1");
    assertThat(entry.after()).doesNotContain("possession");
  }

  @Test
  void add_wrongFields_saysAllOfItAtOnceAndKeepsWhatWasTyped() {
    Map<String, String> form = new LinkedHashMap<>();
    form.put("name", "Acme\u0000Bank");
    form.put("whitelist", "10.0.0.1\n10.0.0.1/8\n");
    form.put("publicKey", "no key at all");

    Answer page = alice.post(LIST, form).expect(422);

    assertThat(page.body())
        .contains("Nothing was added.", "visible characters", "10.0.0.1/8", "at least one role")
        .contains("this is not a key: paste the whole PEM text")
        .contains("aria-describedby=\"name-problem\"", "aria-invalid=\"true\"", "autofocus")
        .doesNotContain("no key at all");
    assertThat(pages.clients().list()).isEmpty();
  }

  @Test
  void add_keyOfAnotherClient_isRefusedAtTheKey() {
    pages.add(form("Acme", RsaKeyPairs.keyPair(0)));

    Answer page = alice.post(LIST, form("Other", RsaKeyPairs.keyPair(0))).expect(422);

    assertThat(page.body()).contains("belongs to client", "BEGIN PUBLIC KEY");
  }

  @Test
  void search_inTheAddress_findsSortsAndPages() {
    pages.existing(null, "Acme Bank", RsaKeyPairs.keyPair(0));
    pages.clients().disable(pages.existing(null, "zeta", RsaKeyPairs.keyPair(1)).clientId());

    // No clientId or fingerprint, which are searched too, holds a space.
    assertThat(pages.list("?q=acme%20b").body())
        .contains("Acme", "1 client")
        .doesNotContain("zeta");
    assertThat(pages.list("?status=disabled").body()).contains("zeta").doesNotContain("Acme");
    assertThat(pages.list("?q=nobody").body()).contains("No client matches", "0 clients");
    String descending = pages.list("?sort=name&dir=desc").body();
    assertThat(descending.indexOf("zeta")).isLessThan(descending.indexOf("Acme"));
    assertThat(descending).contains("aria-sort=\"descending\"");
    assertThat(pages.list("?sort=x&dir=y&page=-1&size=7&status=z").body())
        .contains("2 clients", "aria-sort=\"ascending\"");
  }

  @Test
  void oldKey_andOpenWhitelist_areWarnedOf() {
    Client client = pages.existing(null, "Acme", RsaKeyPairs.keyPair(0));
    pages
        .clients()
        .update(client.clientId(), new ClientUpdate(null, List.of("0.0.0.0"), null, null));
    Instant old = Instant.now().minus(Duration.ofDays(90)).minusSeconds(5);
    service
        .part(Database.class)
        .write(
            sql ->
                sql.sql("UPDATE client_keys SET added_at = ? WHERE fingerprint = ?")
                    .param(old.toEpochMilli())
                    .param(client.keys().getFirst().fingerprint())
                    .update());

    assertThat(pages.list("").body()).contains("90 days", "rotation due", "everyone");
    assertThat(pages.show(client.clientId()).body())
        .contains("The newest key is", "This network whitelist is open to everyone.");
  }

  @Test
  void hostileNames_areTextEverywhere() {
    pages.existing(HOSTILE_ID, HOSTILE, RsaKeyPairs.keyPair(0));
    String key = pages.client(HOSTILE_ID).keys().getFirst().fingerprint();
    List<Answer> answers =
        List.of(
            pages.list(""),
            pages.list("?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E"),
            pages.show(HOSTILE_ID).expect(200),
            alice.get(of(CLIENT + "/removal", HOSTILE_ID)).expect(200),
            alice
                .get(of(CLIENT + "/keys/end", HOSTILE_ID) + "&fingerprint=" + encoded(key))
                .expect(200),
            pages
                .post(CLIENT + "/update", HOSTILE_ID, update(HOSTILE, "10.0.0.1", "-5"))
                .expect(409),
            pages.post(CLIENT + "/update", HOSTILE_ID, update(HOSTILE, HOSTILE, "-5")).expect(422),
            pages.post(CLIENT + "/removal", HOSTILE_ID, "typed", HOSTILE + "!").expect(422),
            pages.show(HOSTILE + HOSTILE_ID).expect(404),
            alice.post(LIST + "/check/whitelist", Map.of("whitelist", HOSTILE)).expect(200));

    for (Answer answer : answers) {
      assertThat(answer.body())
          .contains("&lt;script&gt;")
          .doesNotContain("<script>alert", "alert(1)\"", "62615533");
    }
    String location = pages.post(CLIENT + "/disable", HOSTILE_ID).expect(302).header("location");
    assertThat(alice.get(location.substring("/portal".length())).expect(200).body())
        .contains("Disabled. The client's requests are refused");
    pages.post(CLIENT + "/removal", HOSTILE_ID, "typed", HOSTILE).expect(302);
    assertThat(pages.clients().list()).isEmpty();
  }

  @Test
  void update_staleRevision_showsBothAndEitherCanWin() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    long seen = pages.client(id).revision();
    pages.clients().update(id, new ClientUpdate("Theirs", null, null, null));

    Answer conflict =
        pages.post(CLIENT + "/update", id, update("Yours", "10.0.0.9", seen + "")).expect(409);

    assertThat(conflict.body())
        .contains("Theirs", "Yours", "10.0.0.9", "127.0.0.1")
        .contains("Keep saved version", "Save your version");
    assertThat(pages.client(id).name()).isEqualTo("Theirs");
    String revision =
        conflict.body().replaceAll("(?s).*name=\"revision\" value=\"(\\d+)\".*", "$1");
    pages.post(CLIENT + "/update", id, update("Yours", "10.0.0.9", revision)).expect(302);
    assertThat(pages.client(id).name()).isEqualTo("Yours");
  }

  @Test
  void update_wrongFieldsOnAStaleRevision_keepsTheRevisionThatWasLookedAt() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    long seen = pages.client(id).revision();
    pages.clients().update(id, new ClientUpdate("Theirs", null, null, null));

    Answer refused =
        pages.post(CLIENT + "/update", id, update("Yours", "nowhere", seen + "")).expect(422);

    assertThat(refused.body()).contains("name=\"revision\" value=\"" + seen + "\"", "nowhere");
  }

  @Test
  void keys_rotation_endsTheFirstLaterAndCanEndItNow() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    String path = CLIENT + "/keys";
    assertThat(
            pages
                .post(path, id, "publicKey", pem(RsaKeyPairs.keyPair(1)), "end", "at", "endAt", "x")
                .expect(422)
                .body())
        .contains("enter a date and time in UTC, such as");
    assertThat(
            pages
                .post(
                    path,
                    id,
                    "publicKey",
                    pem(RsaKeyPairs.keyPair(1)),
                    "end",
                    "at",
                    "endAt",
                    "2020-01-01T00:00")
                .expect(422)
                .body())
        .contains("this time has passed");

    pages.post(path, id, "publicKey", pem(RsaKeyPairs.keyPair(1)), "end", "7d").expect(302);

    Client client = pages.client(id);
    assertThat(client.liveKeys(Instant.now())).hasSize(2);
    String old = client.keys().getFirst().fingerprint();
    assertThat(client.keys().getFirst().endsAt())
        .isBetween(Instant.now().plus(Duration.ofDays(6)), Instant.now().plus(Duration.ofDays(8)));
    assertThat(pages.show(id).body()).contains(old, "no expiry", "Set expiry…");
    assertThat(
            pages
                .post(path, id, "publicKey", pem(RsaKeyPairs.keyPair(2)), "end", "none")
                .expect(422)
                .body())
        .contains("at most two live keys");
    pages.post(path + "/end", id, "fingerprint", old, "end", "now").expect(302);
    assertThat(pages.client(id).liveKeys(Instant.now().plusMillis(5))).hasSize(1);
    String last = client.keys().getLast().fingerprint();
    assertThat(pages.post(path + "/end", id, "fingerprint", last, "end", "now").expect(422).body())
        .contains("no other key of this client is live");
    pages.post(path + "/end", id, "fingerprint", "SHA256:x", "end", "now").expect(404);
  }

  @Test
  void expiry_afterTheYear9999_isRefused() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    String path = CLIENT + "/keys";
    pages.post(path, id, "publicKey", pem(RsaKeyPairs.keyPair(1)), "end", "none").expect(302);
    String first = pages.client(id).keys().getFirst().fingerprint();

    for (String late : List.of("+10000-01-01T00:00", "+999999999-12-31T23:59:59.999999999")) {
      assertThat(
              pages
                  .post(path + "/end", id, "fingerprint", first, "end", "at", "endAt", late)
                  .expect(422)
                  .body())
          .contains("the year must be at most 9999");
    }
    assertThat(pages.client(id).keys().getFirst().endsAt()).isNull();
    String last = "9999-12-31T23:59";
    pages.post(path + "/end", id, "fingerprint", first, "end", "at", "endAt", last).expect(302);
    assertThat(pages.client(id).keys().getFirst().endsAt()).isEqualTo(last + ":00Z");
    pages.show(id).expect(200);
  }

  @Test
  void expiry_preselectsSevenDays_andNamesTheKeyThatStays() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    String path = CLIENT + "/keys";
    String first = pages.client(id).keys().getFirst().fingerprint();
    assertThat(endPage(id, first)).contains("This is the only live key of the client.");
    pages.post(path, id, "publicKey", pem(RsaKeyPairs.keyPair(1)), "end", "30d").expect(302);
    String second = pages.client(id).keys().getLast().fingerprint();

    assertThat(endPage(id, first))
        .containsPattern("<option value=\"7d\"[^>]*selected")
        .doesNotContainPattern("<option value=\"now\"[^>]*selected")
        .contains(second, "is valid (added", "The key now expires at")
        .doesNotContain("newest key");
    assertThat(endPage(id, second))
        .containsPattern("<option value=\"7d\"[^>]*selected")
        .contains(first, "The key now has no expiry", "This is the client's newest key.");
  }

  private String endPage(String id, String fingerprint) {
    String path = of(CLIENT + "/keys/end", id) + "&fingerprint=" + encoded(fingerprint);
    return alice.get(path).expect(200).body().replaceAll("\\s+", " ");
  }

  @Test
  void status_ofAClient_isChangedAfterAQuestion() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    assertThat(pages.show(id).body())
        .contains(of(CLIENT + "/disable", id))
        .doesNotContainPattern("<form[^>]*client/disable");

    assertThat(alice.get(of(CLIENT + "/disable", id)).expect(200).body())
        .contains("All requests of the client are refused", "Acme");
    assertThat(pages.client(id).status()).isEqualTo(Client.Status.ENABLED);
    pages.post(CLIENT + "/disable", id).expect(302);

    assertThat(pages.show(id).body()).doesNotContainPattern("<form[^>]*client/enable");
    assertThat(alice.get(of(CLIENT + "/enable", id)).expect(200).body())
        .contains("can call again", pages.client(id).keys().getFirst().fingerprint());
    assertThat(pages.client(id).status()).isEqualTo(Client.Status.DISABLED);
  }

  @Test
  void status_disableEnableRemove_takeEffect() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    pages.post(CLIENT + "/disable", id).expect(302);
    assertThat(pages.client(id).status()).isEqualTo(Client.Status.DISABLED);
    pages.post(CLIENT + "/enable", id).expect(302);
    assertThat(pages.client(id).status()).isEqualTo(Client.Status.ENABLED);
    assertThat(pages.post(CLIENT + "/removal", id, "typed", "acme").expect(422).body())
        .contains("The name does not match. Nothing was removed.");
    assertThat(pages.client(id).status()).isEqualTo(Client.Status.ENABLED);
    Answer removed = pages.post(CLIENT + "/removal", id, "typed", " Acme ").expect(302);
    assertThat(alice.get(removed.header("location").substring("/portal".length())).body())
        .contains("The client is removed.");
    pages.show(id).expect(404);
    pages.post(CLIENT + "/enable", id).expect(404);
    pages.post(CLIENT + "/update", id, update("A", "10.0.0.1", "1")).expect(404);
  }

  @Test
  void removal_ofANameWithTwoSpaces_isConfirmedAsABrowserShowsIt() {
    String id = pages.add(form("Acme  Bank", RsaKeyPairs.keyPair(0)));
    assertThat(pages.client(id).name()).isEqualTo("Acme  Bank");
    pages.post(CLIENT + "/removal", id, "typed", "AcmeBank").expect(422);
    pages.post(CLIENT + "/removal", id, "typed", "Acme Bank").expect(302);
    pages.show(id).expect(404);
  }

  @Test
  void viewer_seesEverythingAndChangesNothing() {
    String id = pages.add(form("Acme", RsaKeyPairs.keyPair(0)));
    String key = pages.client(id).keys().getFirst().fingerprint();
    PortalClient bob = PortalClient.viewer(service);

    assertThat(bob.get(LIST).expect(200).body()).contains("Acme", id).doesNotContain("+ Client");
    assertThat(bob.get(of(CLIENT, id)).expect(200).body())
        .contains(key, "127.0.0.1", "ledger:wallets:read", "First calls")
        .doesNotContain("api-keys/client/", "Update</button>", "check/");
    bob.get(LIST + "/new").expect(403);
    for (String question : List.of("/removal", "/disable", "/enable")) {
      bob.get(of(CLIENT + question, id)).expect(403);
    }
    bob.get(of(CLIENT + "/keys/end", id) + "&fingerprint=" + encoded(key)).expect(403);
    for (String path :
        List.of(
            LIST,
            LIST + "/check/key",
            LIST + "/check/challenge",
            CLIENT + "/update",
            CLIENT + "/disable",
            CLIENT + "/enable",
            CLIENT + "/removal",
            CLIENT + "/keys",
            CLIENT + "/keys/end")) {
      bob.post(path, ApiKeysPages.fields(id, "typed", "Acme")).expect(403);
    }
    assertThat(pages.clients().list()).hasSize(1);
  }

  @Test
  void checks_whileTyping_tellLineAndKey() {
    assertThat(check("whitelist", "10.0.0.1\n\nx\n0.0.0.0"))
        .contains("Line", ">3<", "This network whitelist is open to everyone.");
    assertThat(check("whitelist", "10.0.0.1\n::1"))
        .contains("2 entries, all well-formed")
        .doesNotContain("alert");
    assertThat(check("whitelist", "128.0.0.0/1\n0.0.0.0/2\n64.0.0.0/2"))
        .contains("3 entries, all well-formed", "This network whitelist is open to everyone.")
        .doesNotContain("public IPv4 addresses");
    assertThat(check("whitelist", "8.0.0.0/8\n9.0.0.0/8\nx"))
        .contains("admits <strong>33,554,432</strong>")
        .doesNotContain("everyone");
    assertThat(check("whitelist", "\ufeff10.0.0.1\u200b\n\u200e\n::1"))
        .contains("2 entries, all well-formed");
    assertThat(check("whitelist", "10.0.0.1\n10.0.0\u00ad.1")).contains("U+00AD after 6 others");
    assertThat(check("publicKey", pem(RsaKeyPairs.keyPair(0))))
        .contains("2048", KeyFingerprint.of(RsaKeyPairs.publicKey(0)).value());
    assertThat(check("publicKey", "ssh-rsa AAAA")).contains("this is an OpenSSH key");
    assertThat(check("publicKey", " ")).doesNotContain("text-danger");
  }

  @Test
  void proof_signedChallenge_isWrittenToTheTrailAndTakenOnce() throws Exception {
    Map<String, String> form = form("Acme", RsaKeyPairs.keyPair(0));
    String challenge = challenge(form);
    form.put("challenge", challenge);
    form.put("signature", TestRequest.signature(challenge, RsaKeyPairs.keyPair(1).getPrivate()));
    assertThat(alice.post(LIST + "/check/proof", form).expect(200).body())
        .contains("the signature of the challenge does not verify");
    assertThat(alice.post(LIST, form).expect(422).body())
        .contains("the signature of the challenge does not verify", challenge);
    form.put("signature", TestRequest.signature(challenge, RsaKeyPairs.keyPair(0).getPrivate()));
    assertThat(alice.post(LIST + "/check/proof", form).expect(200).body())
        .contains("Possession proven");

    String id = pages.add(form);

    assertThat(lastEntry().after()).contains("\"possession\":\"proven\"");
    pages.clients().remove(id);
    assertThat(alice.post(LIST, form).expect(422).body()).contains("used before");

    Map<String, String> second = form("Second", RsaKeyPairs.keyPair(1));
    String own = pages.add(second);
    second = new LinkedHashMap<>(ApiKeysPages.fields(own));
    second.put("publicKey", pem(RsaKeyPairs.keyPair(2)));
    second.put("challenge", challenge(second));
    second.put(
        "signature",
        TestRequest.signature(second.get("challenge"), RsaKeyPairs.keyPair(2).getPrivate()));
    second.put("end", "24h");
    alice.post(CLIENT + "/keys", second).expect(302);
    assertThat(lastEntry().action()).isEqualTo("client.key-added");
    assertThat(lastEntry().after()).contains("\"possession\":\"proven\"");
  }

  private String challenge(Map<String, String> form) {
    String body = alice.post(LIST + "/check/challenge", form).expect(200).body();
    return body.replaceAll("(?s).*name=\"challenge\" value=\"([^\"]*)\".*", "$1");
  }

  private String check(String field, String value) {
    String path = LIST + "/check/" + (field.equals("whitelist") ? "whitelist" : "key");
    return alice.post(path, Map.of(field, value)).expect(200).body();
  }

  private static String[] update(String name, String whitelist, String revision) {
    return new String[] {
      "name", name, "whitelist", whitelist, "roles", "ledger-viewer", "revision", revision
    };
  }

  private AuditEntry lastEntry() {
    return service.part(AuditTrail.class).page(AuditFilter.all(), 0, 1).entries().getFirst();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }
}
