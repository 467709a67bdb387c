package dev.countersign.cli;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A port that refuses connections. It stays bound, so that no other process can take it. */
public final class DeafPort implements AutoCloseable {
  private final Socket bound = new Socket();

  private DeafPort() throws IOException {
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  /** Binds a free port without listening on it. */
  public static DeafPort open() throws IOException {
    return new DeafPort();
  }

  /** The URL, such as {@code http://127.0.0.1:41234}. */
  public String url() {
    return "http://" + bound.getLocalAddress().getHostAddress() + ":" + bound.getLocalPort();
  }

  @Override
  public void close() throws IOException {
    bound.close();
  }
}
