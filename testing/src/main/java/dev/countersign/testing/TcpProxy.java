package dev.countersign.testing;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Forwards TCP connections to an address, and makes the network fail as a test wants: silence,
 * delays and cuts. Bytes that arrive during a silence are kept, not lost.
 */
public final class TcpProxy implements AutoCloseable {
  private static final CountDownLatch OPEN = new CountDownLatch(0);
  private static final long NEVER = Long.MAX_VALUE;

  private final ServerSocket server;
  private volatile InetSocketAddress target;
  private final Set<Link> links = ConcurrentHashMap.newKeySet();
  // The gate of new connections, closed during a silence.
  private volatile CountDownLatch gate = OPEN;
  private volatile boolean refuses;
  private volatile Duration delay = Duration.ZERO;

  private TcpProxy(ServerSocket server, InetSocketAddress target) {
    this.server = server;
    this.target = target;
  }

  /** Starts forwarding connections to a port of the loopback address. */
  public static TcpProxy to(int port) {
    return to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Starts forwarding connections to an address. */
  public static TcpProxy to(InetSocketAddress target) {
    try {
      ServerSocket server = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
      TcpProxy proxy = new TcpProxy(server, target);
      TestThreads.startDaemon(proxy::accept);
      return proxy;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the port at which the proxy listens on 127.0.0.1. */
  public int port() {
    return server.getLocalPort();
  }

  /** Forwards new connections to another port; existing ones stay where they are. */
  public void redirect(int port) {
    redirect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
  }

  /** Forwards new connections to another address; existing ones stay where they are. */
  public void redirect(InetSocketAddress address) {
    target = address;
  }

  /** Stops forwarding on the existing connections, which stay open. New connections work. */
  public synchronized void silenceExisting() {
    links.forEach(link -> link.gate = new CountDownLatch(1));
  }

  /** Stops forwarding on all connections, including new ones, which are accepted. */
  public synchronized void silence() {
    gate = new CountDownLatch(1);
    links.forEach(link -> link.gate = gate);
  }

  /** Ends silences and refusals. Bytes that were sent during a silence are forwarded now. */
  public synchronized void resume() {
    refuses = false;
    CountDownLatch silent = gate;
    gate = OPEN;
    silent.countDown();
    links.forEach(Link::resume);
  }

  /** Holds each piece of data back for this time, in both directions. */
  public void delay(Duration time) {
    delay = time;
  }

  /** Resets the existing connections on both sides. New connections work. */
  public synchronized void cut() {
    links.forEach(Link::reset);
  }

  /** Resets the existing connections, and closes new ones at once, until {@link #resume}. */
  public synchronized void refuse() {
    refuses = true;
    cut();
  }

  /**
   * Resets each existing connection after it has forwarded this many further bytes to the target.
   */
  public void cutAfterSending(long bytes) {
    links.forEach(link -> link.toTarget.set(bytes));
  }

  /**
   * Resets each existing connection after it has forwarded this many further bytes from the target.
   */
  public void cutAfterReceiving(long bytes) {
    links.forEach(link -> link.fromTarget.set(bytes));
  }

  /** Returns the number of open connections. */
  public int connections() {
    return links.size();
  }

  /** Ends all connections, including those that are just being made. */
  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    refuse();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        if (refuses) {
          client.close();
        } else {
          TestThreads.startDaemon(() -> connect(client));
        }
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void connect(Socket client) {
    try {
      InetSocketAddress to = target;
      Link link = register(client, new Socket(to.getAddress(), to.getPort()));
      TestThreads.startDaemon(() -> link.pump(link.client, link.server, link.toTarget));
      link.pump(link.server, link.client, link.fromTarget);
    } catch (IOException unreachable) {
      try {
        client.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Registers a new connection, so that it does not miss a silence or refusal that begins now. */
  private synchronized Link register(Socket client, Socket server) throws IOException {
    Link link = new Link(client, server, gate);
    links.add(link);
    if (refuses) {
      link.reset();
    }
    return link;
  }

  private final class Link {
    private final Socket client;
    private final Socket server;
    // The number of bytes that may still pass; NEVER for no limit.
    private final AtomicLong toTarget = new AtomicLong(NEVER);
    private final AtomicLong fromTarget = new AtomicLong(NEVER);
    private volatile CountDownLatch gate;

    Link(Socket client, Socket server, CountDownLatch gate) throws IOException {
      this.client = client;
      this.server = server;
      this.gate = gate;
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
    }

    void pump(Socket from, Socket to, AtomicLong allowed) {
      byte[] buffer = new byte[16 * 1024];
      try {
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream();
        for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
          awaitEndOfSilence();
          Thread.sleep(delay.toMillis());
          long rest = allowed.get();
          out.write(buffer, 0, (int) Math.min(n, rest));
          if (rest != NEVER && allowed.addAndGet(-n) <= 0) {
            reset();
            return;
          }
        }
        awaitEndOfSilence();
        end(to);
      } catch (IOException ended) {
        reset();
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        reset();
      }
    }

    /** Waits for the end of a silence, for at most an hour. */
    private void awaitEndOfSilence() throws InterruptedException, IOException {
      if (!gate.await(1, TimeUnit.HOURS)) {
        throw new IOException("the silence does not end");
      }
    }

    /** Passes on the end of one direction; after the end of both, nothing is left to forward. */
    private void end(Socket to) throws IOException {
      to.shutdownOutput();
      if (client.isOutputShutdown() && server.isOutputShutdown()) {
        links.remove(this);
        client.close();
        server.close();
      }
    }

    void resume() {
      gate.countDown();
      gate = OPEN;
    }

    void reset() {
      links.remove(this);
      for (Socket socket : new Socket[] {client, server}) {
        try {
          // Sends RST instead of FIN, so the end is abrupt and not orderly.
          socket.setSoLinger(true, 0);
          socket.close();
        } catch (IOException closed) {
          // The socket was already closed.
        }
      }
      gate.countDown();
    }
  }
}
