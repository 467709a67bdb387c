package dev.countersign.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.countersign.server.config.StartupFailure;
import dev.countersign.server.store.StoreUnavailableException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A start whose database accepts connections and says nothing. */
class SilentStartTest {
  @TempDir private Path folder;

  @Test
  @Tag("alone")
  void signal_endsTheStart() throws IOException {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        CommandProcess serve =
            CommandProcess.start(
                folder,
                Map.of(
                    "SPRING_DATASOURCE_URL",
                    "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/x"),
                "serve",
                "--port",
                "0",
                "--data",
                folder.resolve("data").toString());
        Socket login = silent.accept()) {
      // The driver has sent its first message, and waits for the answer.
      assertThat(login.getInputStream().read()).isNotNegative();
      serve.terminate();
      assertThat(serve.exitCode()).isEqualTo(143);
    }
  }

  @Test
  void advice_isThatOfTheDatabase() {
    assertThat(
            StartupFailure.of(
                new StoreUnavailableException(
                    "PostgreSQL provides no connection; it is busy or cannot be reached")))
        .hasMessageEndingWith(
            "cannot be reached; see that it runs, can be reached from here and is not too busy,"
                + " then start again");
    assertThat(StartupFailure.of(new StoreUnavailableException("SQLite is busy")))
        .hasMessage("SQLite is busy; another program may be using it: stop that program first");
  }
}
