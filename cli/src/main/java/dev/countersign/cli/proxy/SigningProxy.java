package dev.countersign.cli.proxy;

import com.sun.net.httpserver.HttpServer;
import dev.countersign.client.RequestSigner;
import dev.countersign.protocol.BaseUrl;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

/**
 * Signs requests that a graphical client sends to this machine, and forwards them to the service
 * (RFC 9110 section 3.7: a gateway).
 *
 * <p>It listens only on 127.0.0.1 and, if available, on ::1, because anyone who can reach it can
 * call the service with the client's key.
 */
public final class SigningProxy implements AutoCloseable {
  private static final String MAX_CONNECTIONS = "jdk.httpserver.maxConnections";
  private static final int FREE_PORTS_TRIED = 10;
  private static final byte[] IPV4 = {127, 0, 0, 1};
  private static final byte[] IPV6 = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

  private final List<HttpServer> servers;
  private final ExecutorService threads;

  private SigningProxy(List<HttpServer> servers, ExecutorService threads) {
    this.servers = servers;
    this.threads = threads;
  }

  /**
   * Starts a proxy.
   *
   * @param port the port to listen on, 0 for a free one
   * @param target the service's base URL
   * @param log receives one line for each request
   * @throws IOException when the port is not available
   */
  public static SigningProxy start(
      int port, BaseUrl target, RequestSigner signer, Clock clock, Consumer<String> log)
      throws IOException {
    return start(port, ForwardedRequest.to(target, signer), clock, log);
  }

  static SigningProxy start(
      int port, ForwardedRequest forwarding, Clock clock, Consumer<String> log) throws IOException {
    // The JDK reads this property when it creates its first server.
    if (System.getProperty(MAX_CONNECTIONS) == null) {
      System.setProperty(MAX_CONNECTIONS, "200");
    }
    SigningProxy proxy = new SigningProxy(bind(port), Executors.newVirtualThreadPerTaskExecutor());
    ProxyHandler handler = new ProxyHandler(new CallerRules(proxy.port()), forwarding, clock, log);
    for (HttpServer server : proxy.servers) {
      server.setExecutor(proxy.threads);
      server.createContext("/", handler);
      server.start();
    }
    return proxy;
  }

  /**
   * Binds the port, or a free port if it is 0. A port that is free on IPv4 may be in use on IPv6;
   * in that case, another port is tried.
   */
  private static List<HttpServer> bind(int port) throws IOException {
    for (int left = port == 0 ? FREE_PORTS_TRIED : 0; left > 0; left--) {
      try {
        return bindBoth(port);
      } catch (BindException taken) {
        // The next port may be free on both IPv4 and IPv6.
      }
    }
    return bindBoth(port);
  }

  private static List<HttpServer> bindBoth(int port) throws IOException {
    List<HttpServer> servers = new ArrayList<>();
    servers.add(HttpServer.create(new InetSocketAddress(InetAddress.getByAddress(IPV4), port), 0));
    int chosen = servers.get(0).getAddress().getPort();
    InetAddress ipv6 = InetAddress.getByAddress(IPV6);
    if (NetworkInterface.getByInetAddress(ipv6) == null) {
      return servers;
    }
    try {
      servers.add(HttpServer.create(new InetSocketAddress(ipv6, chosen), 0));
      return servers;
    } catch (IOException taken) {
      servers.get(0).stop(0);
      throw taken;
    }
  }

  /** The port that it listens on. */
  public int port() {
    return servers.get(0).getAddress().getPort();
  }

  /** The addresses that it listens on, all of them on this machine. */
  public List<InetSocketAddress> addresses() {
    return servers.stream().map(HttpServer::getAddress).toList();
  }

  /** Stops the proxy; requests in progress are cut off. */
  @Override
  public void close() {
    servers.forEach(server -> server.stop(0));
    threads.shutdownNow();
  }
}
