package dev.countersign.server;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Finds ports for services whose port must be known before they start. */
public final class FreePort {
  private FreePort() {}

  /**
   * A port below those that the system assigns, so that no other program gets it in the meantime.
   */
  public static int find() {
    int start = ThreadLocalRandom.current().nextInt(20_000, 30_000);
    return IntStream.range(start, 32_000).filter(FreePort::isFree).findFirst().orElseThrow();
  }

  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
