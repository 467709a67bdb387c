package dev.countersign.client.rotation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.countersign.client.answers.Exchange;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RotationCallTest {
  @TempDir Path path;

  @Test
  void answer_withoutEnd_isGivenUpAndTheNewKeyKept() throws Exception {
    KeyFolder folder = new KeyFolder(path).withKey();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          try (exchange;
              OutputStream out = exchange.getResponseBody()) {
            exchange.sendResponseHeaders(201, 0);
            for (int i = 0; i < 2 * (Exchange.MAX_PROBLEM_SIZE >> 10); i++) {
              out.write(new byte[1 << 10]);
            }
          }
        });
    server.start();
    try {
      URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort());

      assertThatThrownBy(() -> KeyRotation.of(uri, "c1", folder.key()).rotate())
          .isInstanceOf(RotationException.class)
          .hasMessageStartingWith("answer_malformed: the response (status 201) has more than ")
          .hasMessageContaining("kept in " + folder.next().toRealPath());
      assertThat(folder.next()).exists();
    } finally {
      server.stop(0);
    }
  }
}
