package dev.countersign.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.cli.TestShell.Run;
import dev.countersign.protocol.Reason;
import dev.countersign.server.SharedService;
import dev.countersign.server.TestClient;
import dev.countersign.server.TestService;
import dev.countersign.server.access.directory.AttributeSetting;
import dev.countersign.server.clients.ClientStore;
import dev.countersign.server.clients.ClientUpdate;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What {@code explain METHOD URL} says about scopes and filters. */
@SharedService({
  "countersign.attributes.customerId.type=text",
  "countersign.attributes.customerId.many=true",
  "countersign.roles.invoice-writer=billing:invoices:read,billing:invoices:create",
  "countersign.listings[0].path=/billing/v1/invoices",
  "countersign.listings[0].table=wallets",
  "countersign.listings[0].key=id",
  "countersign.listings[0].create=true",
  "countersign.listings[0].fields.id.type=uuid",
  "countersign.listings[0].fields.id.generated=true",
  "countersign.listings[0].fields.customerId.type=text",
  "countersign.listings[0].fields.customerId.column=name",
  "countersign.listings[0].fields.currencyCode.type=text",
  "countersign.listings[0].fields.currencyCode.column=currency_code",
  "countersign.listings[0].fields.status.type=text",
  "countersign.listings[0].fields.status.one-of=ACTIVE,CLOSED",
  "countersign.listings[0].fields.createdAt.type=timestamp",
  "countersign.listings[0].fields.createdAt.column=created_at",
  "countersign.listings[0].fields.createdAt.generated=true",
  "countersign.listings[0].scope.customerId=customerId",
  "countersign.listings[0].filterable=status,createdAt",
})
class ExplainScopeTest {
  private static final String INVOICES = "/billing/v1/invoices";

  @TempDir private Path home;
  private TestService service;
  private TestClient client;
  private TestShell shell;

  @BeforeEach
  void open(TestService shared) {
    service = shared;
    client = service.register("invoice-writer", "127.0.0.1", "::1");
    shell = TestShell.of(home, service, client);
  }

  @Test
  void client_withoutTheAttribute_isToldWhichToAskFor() {
    Run run = shell.run("explain", "GET", INVOICES);
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).startsWith("scope_missing: " + Reason.SCOPE_MISSING.adviceToCaller());
    assertThat(run.out())
        .startsWith("refused: status 403, scope_missing, request id ")
        .contains("the client has no attribute customerId; ask the operator to set it");
  }

  @Test
  void record_outsideTheScope_isToldTheField() {
    set("4711");
    Run run = create("\"customerId\":\"4712\",");
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err()).startsWith("scope_violation: " + Reason.SCOPE_VIOLATION.adviceToCaller());
    assertThat(run.out())
        .startsWith("refused: status 403, scope_violation, request id ")
        .contains("customerId must be one of the client's own values; correct it, or ask");
  }

  @Test
  void record_withoutTheFieldOfTheScope_isToldToChoose() {
    set("4711", "4712");
    Run run = create("");
    assertThat(run.err()).startsWith("body_invalid: ");
    assertThat(run.out()).contains("customerId is missing; the client may use several values");
  }

  @ParameterizedTest
  @CsvSource({
    "status=open, parameter_invalid, 'status must be one of ACTIVE, CLOSED, was open'",
    "createdAt.gte=yesterday, parameter_invalid, createdAt.gte must be an RFC 3339 timestamp",
    "createdat.gte=x, parameter_unknown, did you mean createdAt.gte?",
    "currencyCode=EUR, parameter_unknown,"
        + " 'the parameters are page, size, sort, offset, totals, after, status, createdAt, status.gte'",
  })
  void filter_wrong_isToldTheRule(String query, String reason, String rule) {
    set("4711");
    Run run = shell.run("explain", "GET", INVOICES + "?" + query);
    assertThat(run.code()).isEqualTo(5);
    assertThat(run.err())
        .startsWith(reason + ": " + Reason.ofWord(reason).orElseThrow().adviceToCaller());
    assertThat(run.out()).startsWith("refused: status 400, " + reason).contains(rule);
  }

  private Run create(String more) {
    String body = "{" + more + "\"currencyCode\":\"EUR\",\"status\":\"ACTIVE\"}";
    return shell.run("explain", "POST", INVOICES, "-d", body);
  }

  private void set(String... values) {
    Map<String, AttributeSetting> attributes =
        Map.of("customerId", AttributeSetting.of(List.of(values)));
    service
        .part(ClientStore.class)
        .update(client.clientId(), new ClientUpdate(null, null, null, attributes, Set.of(), null));
  }
}
