package dev.countersign.signatures.httpclient;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.signatures.base.RequestMessage;
import dev.countersign.signatures.base.ResponseMessage;
import dev.countersign.signatures.contract.Leeway;
import dev.countersign.signatures.contract.RefusedException;
import dev.countersign.signatures.contract.ResponseMessageContract;
import dev.countersign.signatures.contract.WireExchange;
import dev.countersign.signatures.contract.WireMessage;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The adapter presents HttpClient's response exactly as a raw server writes it. */
class HttpClientResponseTest extends ResponseMessageContract {

  @Override
  protected WireExchange<ResponseMessage> exchange(String method, WireMessage wanted)
      throws Exception {
    try (RawServer server = RawServer.answering(wanted)) {
      HttpResponse<String> response =
          HttpClients.PLAIN.send(
              HttpClients.request(server.url()).method(method, BodyPublishers.noBody()).build(),
              BodyHandlers.ofString());
      return new WireExchange<>(wanted, HttpClientResponse.of(response));
    } catch (IOException e) {
      throw new RefusedException(e);
    }
  }

  @Override
  protected Set<Leeway> leeways() {
    return Set.of(Leeway.TABS_BECOME_SPACES);
  }

  @Override
  protected Set<String> refusedNames() {
    return Set.of("@status");
  }

  @Test
  void request_isTheOneSent() throws Exception {
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpResponse<Void> response =
          HttpClients.PLAIN.send(
              HttpClients.request(server.url() + "/a?b").header("X-A", "1").DELETE().build(),
              BodyHandlers.discarding());

      RequestMessage request = HttpClientResponse.of(response).request().orElseThrow();
      assertThat(request.method()).isEqualTo("DELETE");
      assertThat(request.targetUri()).isEqualTo(server.url() + "/a?b");
      assertThat(request.fieldLines("x-a")).containsExactly("1");
    }
  }

  @Test
  void request_afterARedirect_isTheLastOneSent() throws Exception {
    HttpClient follower =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.ALWAYS)
            .build();
    try (RawServer target = RawServer.answering(RawServer.OK);
        RawServer first =
            RawServer.answering(
                WireMessage.of("HTTP/1.1 303 See Other")
                    .plus("Location", " " + target.url() + "/there")
                    .plus("Content-Length", " 0"))) {
      HttpResponse<Void> response =
          follower.send(
              HttpClients.request(first.url() + "/here").POST(BodyPublishers.ofString("a")).build(),
              BodyHandlers.discarding());

      RequestMessage request = HttpClientResponse.of(response).request().orElseThrow();
      assertThat(request.method()).isEqualTo("GET");
      assertThat(request.targetUri()).isEqualTo(target.url() + "/there");
      assertThat(target.request().startLine()).isEqualTo("GET /there HTTP/1.1");
      assertThat(request.bodyFraming()).isEqualTo(RequestMessage.BodyFraming.NONE);
      assertThat(target.request().body()).isEmpty();
    }
  }
}
