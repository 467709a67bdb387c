package dev.countersign.server;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Signature-Input, Signature and Date in every form that an attacker or a faulty signer sends. */
@SharedService
class SignatureHeadersTest {
  private static final String LIST = "/ledger/v1/wallets?size=1";
  private static TestService service;
  private static TestClient client;

  @BeforeAll
  static void start(TestService shared, TestClient registered) {
    service = shared;
    client = registered;
  }

  private static TestRequest get() {
    return client.signed("GET", LIST);
  }

  private static void assertRefused(RawResponse response, String reason) {
    assertThat(response.reason()).as(response.body()).isEqualTo(reason);
    assertThat(response.status()).isEqualTo(401);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                                        | label_missing",
        "sig=(\"@method\" \"@target-uri \"date\");created=1        | signature_malformed",
        "sig=(\"@method\" \"@target-uri\" \"date;created=1         | signature_malformed",
        "sig=(\"@method\" \"@target-uri\" \"date\";created=1       | signature_malformed",
        "sig=((\"@method\"))                                       | signature_malformed",
        "sig=((((((((((((((((((((((((((((((((                      | signature_malformed",
        "sig                                                       | signature_malformed",
        "sig=                                                      | signature_malformed",
        "sig=1                                                     | signature_malformed",
        "sig=\"text\"                                              | signature_malformed",
        "sig=(@method)                                             | signature_malformed",
        "sig=(method date)                                         | signature_malformed",
        "sig=(1 2 3)                                               | signature_malformed",
        "sig=(\"@Method\" \"Date\");created=1                      | signature_malformed",
        "sig=(\"\");created=1                                      | signature_malformed",
        "SIG=(\"@method\");created=1                               | signature_malformed",
        "sig=(\"@method\");created=1,                              | signature_malformed",
        "sig=(\"@method\");created=1 sig2=()                       | signature_malformed",
        "sig1=(\"@method\");created=1                              | label_missing",
        "sig=()                                                    | components_wrong",
        "sig=(\"@method\");created=1                               | components_wrong",
        "sig=(\"@signature-params\");created=1                     | components_wrong",
        "sig=(\"@method\" \"@target-uri\" \"date\" \"date\")       | components_wrong",
        "sig=(\"@method\" \"@method\" \"@target-uri\" \"date\")    | components_wrong",
        "sig=(\"@method\";req \"@target-uri\" \"date\")            | components_wrong",
        "sig=(\"@method\" \"@target-uri\" \"date\";sf)             | components_wrong",
        "sig=(\"date\" \"@target-uri\" \"@method\")                | components_wrong",
        "sig=(\"@method\" \"@target-uri\")                         | components_wrong",
        "sig=(\"@method\" \"@target-uri\" \"date\" \"signature\")  | components_wrong",
        "sig=(\"@method\" \"@target-uri\" \"content-digest\" \"date\") | components_wrong",
        "sig=(\"@method\" \"@target-uri\" \"date\")                | parameters_wrong",
      })
  void input_ofAnotherShape_isRefused(String input, String reason) {
    assertRefused(get().request().with("Signature-Input", input).send(), reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                | label_missing",
        "sig               | signature_malformed",
        "sig=:AAAA         | signature_malformed",
        "sig=:AA AA:       | signature_malformed",
        "sig=:A:           | signature_malformed",
        "sig=:AAA:         | signature_malformed",
        "sig=:AAB=:        | signature_malformed",
        "sig=:AAAA:;x=1    | signature_malformed",
        "sig=\"AAAA\"      | signature_malformed",
        "sig=(:AAAA:)      | signature_malformed",
        "sig=:AAAA:, sig=:AAAA: | signature_malformed",
        "sig2=:AAAA:       | label_missing",
        "sig=::            | signature_malformed",
        "sig=:AAAA:        | signature_mismatch",
      })
  void signature_ofAnotherShape_isRefused(String signature, String reason) {
    assertRefused(get().request().with("Signature", signature).send(), reason);
  }

  @Test
  void input_aThousandOtherMembers_isStillRead() {
    RawRequest good = get().request();
    String others = IntStream.range(0, 1000).mapToObj(i -> "a" + i + "=()").collect(joining(", "));

    assertThat(
            good.with("Signature-Input", others + ", " + good.header("Signature-Input"))
                .send()
                .status())
        .isEqualTo(200);
  }

  @Test
  void input_aThousandMembersAndNoSig_isRefused() {
    String others = IntStream.range(0, 1000).mapToObj(i -> "a" + i).collect(joining(", "));

    assertRefused(get().request().with("Signature-Input", others).send(), "label_missing");
  }

  @Test
  void label_other_isNamedInTheRefusal() {
    RawRequest good = get().request();
    RawResponse refused =
        good.with("Signature-Input", good.header("Signature-Input").replaceFirst("sig=", "mine="))
            .send();
    assertRefused(refused, "label_missing");
    assertThat(refused.json().path("detail").asString())
        .isEqualTo("Signature-Input has no member labelled sig; labels found: mine; write sig=…");
  }

  @Test
  void input_aThousandComponents_isRefused() {
    String many = "sig=(" + "\"date\" ".repeat(1000) + "\"date\")";

    assertRefused(get().request().with("Signature-Input", many).send(), "components_wrong");
  }

  @Test
  void input_ofFifteenKilobytes_isTaken() {
    assertThat(get().withMore(";x=\"" + "a".repeat(15_000) + "\"").send().status()).isEqualTo(200);
  }

  @Test
  void signature_ofFifteenKilobytes_isRefused() {
    assertRefused(
        get().request().with("Signature", "sig=:" + "A".repeat(15_000) + ":").send(),
        "signature_mismatch");
  }

  @Test
  void input_sameLabelTwice_isRefused() {
    RawRequest good = get().request();
    String input = good.header("Signature-Input");

    assertRefused(good.with("Signature-Input", input + ", " + input).send(), "signature_malformed");
  }

  @Test
  void input_lineRepeated_isRefused() {
    RawRequest good = get().request();
    String line = "Signature-Input: " + good.header("Signature-Input") + "\r\n";

    assertRefused(
        RawRequest.send(service.port(), good.text().replace(line, line + line)),
        "signature_malformed");
  }

  @Test
  void input_spreadOverTwoLines_isTaken() {
    RawRequest good = get().request();

    assertThat(
            RawRequest.send(
                    service.port(),
                    good.text()
                        .replace("Signature-Input:", "signature-input: a=1\r\nSignature-Input:"))
                .status())
        .isEqualTo(200);
  }

  /** RFC 9112 section 5.2: a folded line is read as one line with a space. */
  @Test
  void input_folded_isRead() {
    RawRequest good = get().request();

    assertThat(
            RawRequest.send(service.port(), good.text().replace(" \"@target", "\r\n \"@target"))
                .status())
        .isEqualTo(200);
  }

  @Test
  void signature_folded_isRefused() {
    RawRequest good = get().request();
    String signature = good.header("Signature");

    assertRefused(
        RawRequest.send(
            service.port(),
            good.text()
                .replace(
                    signature, signature.substring(0, 50) + "\r\n " + signature.substring(50))),
        "signature_malformed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"é", "\u0080", "日本", "\uD83D\uDE00"})
  void input_notAscii_isRefused(String text) {
    RawRequest good = get().request();

    assertRefused(
        good.with("Signature-Input", good.header("Signature-Input") + text).send(),
        "signature_malformed");
  }

  @ParameterizedTest
  @CsvSource({
    "-1, parameters_wrong",
    "-999999999999999, parameters_wrong",
    "0, created_too_old",
    "-0, created_too_old",
    "1.5, parameters_wrong",
    "1795202778.0, parameters_wrong",
    "999999999999999, created_in_future",
    "9999999999999999, signature_malformed",
    "18446744073709551616, signature_malformed",
    "99999999999999999999999999999999999999999, signature_malformed",
    "1e9, signature_malformed",
    "0x10, signature_malformed",
    "\"1795202778\", parameters_wrong",
    "?1, parameters_wrong",
    "@1795202778, parameters_wrong",
    ":AAAA:, parameters_wrong",
    "now, parameters_wrong",
    "'', signature_malformed",
  })
  void created_ofAnotherKind_isRefused(String created, String reason) {
    assertRefused(
        get()
            .withParameters(
                String.format(
                    Locale.ROOT,
                    ";created=%s;keyid=\"%s\";alg=\"rsa-v1_5-sha256\"",
                    created,
                    client.clientId()))
            .send(),
        reason);
  }

  @ParameterizedTest
  @CsvSource({
    "-270, 200",
    "-310, 401",
    "20, 200",
    "60, 401",
  })
  void created_aroundTheWindow_decides(long seconds, int status) {
    assertThat(get().createdIn(seconds).send().status()).isEqualTo(status);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        ";expires=1 | expired",
        ";expires=0 | expired",
        ";expires=-1 | parameters_wrong",
        ";expires=1.5 | parameters_wrong",
        ";expires=\"9999999999\" | parameters_wrong",
        ";expires | parameters_wrong",
        ";created=1 | parameters_wrong",
        ";keyid=\"other\" | parameters_wrong",
        ";alg=\"none\" | parameters_wrong",
        ";nonce=token | parameters_wrong",
        ";nonce=1 | parameters_wrong",
        ";tag=1 | parameters_wrong",
        ";x=( | signature_malformed",
        ";X=1 | signature_malformed",
        "; | signature_malformed",
      })
  void parameter_wrong_isRefused(String more, String reason) {
    assertRefused(get().withMore(more).send(), reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        ";expires=9999999999",
        ";expires=999999999999999",
        ";tag=\"app\"",
        ";unknown",
        ";unknown=?0;other=:AAAA:;third=1.5",
        "; spaced=1",
      })
  void parameter_furtherAndSigned_isTaken(String more) {
    RawResponse response = get().withMore(more).send();

    assertThat(response.status()).as(response.body()).isEqualTo(200);
  }

  @Test
  void parameters_inAnotherOrder_areTaken() {
    long now = Instant.now().getEpochSecond();

    assertThat(
            get()
                .withParameters(
                    String.format(
                        Locale.ROOT,
                        ";alg=\"rsa-v1_5-sha256\";keyid=\"%s\";created=%d",
                        client.clientId(),
                        now))
                .send()
                .status())
        .isEqualTo(200);
  }

  @Test
  void parameter_addedAfterSigning_isRefused() {
    RawRequest good = get().request();

    assertRefused(
        good.with("Signature-Input", good.header("Signature-Input") + ";tag=\"x\"").send(),
        "signature_mismatch");
  }

  @Test
  void parametersWithBlanks_signedSerializedOrAsSpelled_areTaken() {
    assertThat(respelled(get().request(), "; ").send().status()).isEqualTo(200);

    RawRequest asSpelled = withBlanks(get()).request();
    assertThat(asSpelled.send().status()).isEqualTo(200);
    assertRefused(respelled(asSpelled, ";  ").send(), "signature_mismatch");
    assertRefused(respelled(asSpelled, ";").send(), "signature_mismatch");
  }

  @Test
  void parametersWithBlanks_tamperedWith_areRefused() {
    for (RawRequest request :
        List.of(respelled(get().request(), "; "), withBlanks(get()).request())) {
      assertRefused(request.withTarget(LIST + "0").send(), "signature_mismatch");
      assertRefused(request.withMethod("DELETE").send(), "signature_mismatch");
      String input = request.header("Signature-Input");
      assertRefused(
          request.with("Signature-Input", input + "; tag=\"x\"").send(), "signature_mismatch");
    }
  }

  @Test
  void copyOfAPost_respelled_isReplayed() {
    RawRequest signed = post().request();
    assertThat(signed.send().status()).isEqualTo(201);
    for (String separator : List.of(";", "; ", ";   ")) {
      assertRefused(respelled(signed, separator).send(), "replayed");
    }

    RawRequest withBlanks = respelled(post().createdIn(-20).request(), "; ");
    assertThat(withBlanks.send().status()).isEqualTo(201);
    for (String separator : List.of(";", "; ", ";   ")) {
      assertRefused(respelled(withBlanks, separator).send(), "replayed");
    }

    RawRequest asSpelled = withBlanks(post().createdIn(-40)).request();
    assertThat(asSpelled.send().status()).isEqualTo(201);
    assertRefused(asSpelled.send(), "replayed");
  }

  private static TestRequest post() {
    return client.signed(
        "POST", "/ledger/v1/wallets", "{\"name\":\"Savings\",\"currencyCode\":\"EUR\"}");
  }

  /** Signed over the text with blanks. */
  private static TestRequest withBlanks(TestRequest request) {
    return request.withParameters(request.parameters().replace(";", "; "));
  }

  /** The same signature with another separator before each parameter. */
  private static RawRequest respelled(RawRequest request, String separator) {
    String input = request.header("Signature-Input");
    return request.with("Signature-Input", input.replaceAll("; *", separator));
  }

  @Test
  void nonce_reusedOnGet_isReplayed() {
    assertThat(get().withMore(";nonce=\"once\"").send().status()).isEqualTo(200);

    assertRefused(get().createdIn(-2).withMore(";nonce=\"once\"").send(), "replayed");
  }

  @Test
  void get_sentTwiceWithoutNonce_isTakenTwice() {
    RawRequest request = get().request();

    assertThat(request.send().status()).isEqualTo(200);
    assertThat(request.send().status()).isEqualTo(200);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "yesterday",
        "2026-11-20T00:00:00Z",
        "Friday, 20-Nov-26 19:00:00 GMT",
        "Fri Nov 20 19:00:00 2026",
        "Fri, 20 Nov 2026 19:00:00 UTC",
        "Fri, 20 Nov 2026 19:00:00 +0000",
        "Mon, 20 Nov 2026 19:00:00 GMT",
        "fri, 20 nov 2026 19:00:00 gmt",
        "Fri, 32 Nov 2026 19:00:00 GMT",
        "Fri, 20 Nov 2026 24:00:00 GMT",
        "Fri, 20 Nov 2026 19:00:60 GMT",
        "Fri, 00 Nov 2026 19:00:00 GMT",
        "Fri, 20 Nov 2026 19:00:00 GMT, Fri, 20 Nov 2026 19:00:00 GMT",
        "Fri, 20 Nov 99999 19:00:00 GMT",
        "Fri, 20 Nov -026 19:00:00 GMT",
        "Fri, ２0 Nov 2026 19:00:00 GMT",
      })
  void date_malformed_isRefused(String date) {
    assertRefused(get().with("date", date).send(), "date_malformed");
  }

  @Test
  void date_sentTwice_isRefused() {
    RawRequest good = get().request();
    String line = "Date: " + good.header("date") + "\r\n";

    assertRefused(
        RawRequest.send(service.port(), good.text().replace(line, line + line)), "date_malformed");
  }

  @ParameterizedTest
  @CsvSource({"-1, 200", "1, 200", "-2, 401", "2, 401", "-86400, 401"})
  void date_besideCreated_mayDifferByOneSecond(long seconds, int status) {
    TestRequest get = get();
    String created = get.parameters().replaceAll(".*created=([0-9]+).*", "$1");
    Instant date = Instant.ofEpochSecond(Long.parseLong(created) + seconds);

    RawResponse response = get.with("date", TestRequest.httpDate(date)).send();

    assertThat(response.status()).as(response.body()).isEqualTo(status);
    assertThat(status == 200 || response.reason().equals("date_mismatch")).isTrue();
  }

  @Test
  void date_dayOfOneDigit_isRead() {
    String date =
        DateTimeFormatter.ofPattern("EEE, d MMM yyyy HH:mm:ss 'GMT'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC)
            .format(Instant.now());

    assertThat(get().with("date", date).send().status()).isEqualTo(200);
  }

  @Test
  void header_inLatin1_isRefusedAndNoDefect() throws Exception {
    String text = get().request().text().replaceFirst("Date: .", "Date: \u00e9");
    try (RawConnection connection = new RawConnection(service.port())) {
      assertRefused(
          connection.send(text.getBytes(StandardCharsets.ISO_8859_1)).read(), "date_malformed");
    }
  }
}
