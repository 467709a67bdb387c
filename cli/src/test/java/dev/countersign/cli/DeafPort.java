package dev.countersign.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port that refuses connections. It stays bound, so no other process can take it meanwhile. */
public final class DeafPort implements AutoCloseable {
  private final Socket bound = new Socket();

  private DeafPort() throws IOException {
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Binds a free port without listening at it. */
  public static DeafPort open() throws IOException {
    return new DeafPort();
  }

  /** Such as {@code http://127.0.0.1:41234}. */
  public String url() {
    return "http://" + bound.getLocalAddress().getHostAddress() + ":" + bound.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    bound.close();
  }
}
