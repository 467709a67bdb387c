package dev.countersign.signatures.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.countersign.testing.Waits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** Sends bytes to a server on this machine, for adapters on the receiving side. */
public final class RawClient {
  private RawClient() {}

  /**
   * Returns the message with a Host, if it has none, and with a request to close the connection.
   */
  public static WireMessage complete(WireMessage wanted, int port) {
    WireMessage closing = wanted.plus("Connection", " close");
    return wanted.values("host").isEmpty() ? closing.plus("Host", " localhost:" + port) : closing;
  }

  /**
   * Returns the status of the response to a request.
   *
   * @throws RefusedException when there was none
   */
  public static int send(WireMessage request, int port) throws IOException, RefusedException {
    try (Socket socket = new Socket(InetAddress.getByName("localhost"), port)) {
      socket.setSoTimeout((int) Waits.LIMIT.toMillis());
      socket.getOutputStream().write(request.bytes());
      socket.getOutputStream().flush();
      String answer = new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
      if (!answer.startsWith("HTTP/1.1 ")) {
        throw new RefusedException("no answer, but: " + answer);
      }
      return Integer.parseInt(answer.substring(9, 12));
    }
  }
}
