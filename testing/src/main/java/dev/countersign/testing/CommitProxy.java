package dev.countersign.testing;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in front of PostgreSQL that cuts a connection at a chosen byte of a commit: of the
 * messages that ask for it, or of the server's answer (PostgreSQL, Frontend/Backend Protocol).
 */
public final class CommitProxy implements AutoCloseable {
  private static final int SSL_REQUEST = 80877103;
  private static final int GSS_REQUEST = 80877104;
  private static final String COMMIT = "COMMIT";

  private final ServerSocket listener;
  private final InetSocketAddress target;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicReference<@Nullable Cut> armed = new AtomicReference<>();
  private final AtomicInteger cuts = new AtomicInteger();
  private volatile int requestLength;
  private volatile int answerLength;
  private volatile boolean refusing;

  /** Starts a proxy on a free port of this machine, in front of a server on this machine. */
  public CommitProxy(int serverPort) throws IOException {
    this(new InetSocketAddress(InetAddress.getLoopbackAddress(), serverPort));
  }

  /** Starts a proxy on a free port of this machine, in front of a server at an address. */
  public CommitProxy(InetSocketAddress target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    TestThreads.startDaemon(this::accept);
  }

  /** The direction whose bytes are counted. */
  public enum Side {
    /** The messages that ask for the commit. */
    REQUEST,
    /** The server's answer. */
    ANSWER
  }

  /**
   * A cut in the next commit of a transaction in which the client sent the marker.
   *
   * @param marker the text that identifies the transaction
   * @param count the number of bytes or messages that are forwarded before the cut. A shorter
   *     request is cut after its end, and an answer that is not longer is not cut
   * @param unit the unit of the count
   * @param beforeRest runs after the connection to the client is cut and before the connection to
   *     the server is cut; if it returns true, the rest of the request is still forwarded
   */
  public record Cut(String marker, Side side, int count, Unit unit, Rest beforeRest) {
    /** A cut after a number of bytes. */
    public Cut(String marker, Side side, int bytes, Rest beforeRest) {
      this(marker, side, bytes, Unit.BYTE, beforeRest);
    }

    /** A cut of both connections at once, after a number of bytes. */
    public static Cut of(String marker, Side side, int bytes) {
      return new Cut(marker, side, bytes, () -> false);
    }

    /** Returns the same cut, counted in bytes of this commit or of the answer to it. */
    private Cut inBytes(byte[] request) {
      if (unit == Unit.BYTE) {
        return this;
      }
      int bytes = 0;
      int at = 0;
      for (int passed = 0; passed < count && at < request.length; ) {
        int length = 1 + ByteBuffer.wrap(request, at + 1, 4).getInt();
        bytes += side == Side.REQUEST ? length : answerLength(request[at]);
        // Parse is there only if COMMIT was not prepared before, so it counts as a part of Bind.
        passed += request[at] == 'P' ? 0 : 1;
        at += length;
      }
      return new Cut(marker, side, bytes, Unit.BYTE, beforeRest);
    }

    /** Returns the length of the message that answers a message of a commit. */
    private static int answerLength(byte type) {
      return switch (type) {
        case 'P', 'B', 'D' -> 5; // ParseComplete, BindComplete, NoData
        case 'E' -> 12; // CommandComplete, with the text COMMIT
        case 'S' -> 6; // ReadyForQuery
        default -> throw new IllegalArgumentException("no message of a commit: " + (char) type);
      };
    }
  }

  /** The unit in which a cut counts. */
  public enum Unit {
    BYTE,
    /** A message of the commit (Bind, Execute or Sync), or of the answer to it. */
    MESSAGE
  }

  /** Decides what becomes of the rest of a request. */
  @FunctionalInterface
  public interface Rest {
    boolean isForwarded() throws IOException;
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Prepares the next cut. */
  public void arm(Cut cut) {
    armed.set(cut);
  }

  /** Cancels the prepared cut if it has not happened yet. */
  public void disarm() {
    armed.set(null);
  }

  /** Returns how many connections were cut. */
  public int cuts() {
    return cuts.get();
  }

  /** Returns the length in bytes of the messages of the last commit with a marker. */
  public int requestLength() {
    return requestLength;
  }

  /** Returns the length in bytes of the answer to the last commit with a marker. */
  public int answerLength() {
    return answerLength;
  }

  /** Cuts the open connections and refuses new ones if true; admits new ones again if false. */
  public void refuse(boolean refuses) {
    refusing = refuses;
    if (refuses) {
      open.forEach(CommitProxy::cut);
    }
  }

  private void accept() {
    try {
      while (true) {
        Socket client = listener.accept();
        if (refusing) {
          cut(client);
        } else {
          TestThreads.startDaemon(() -> serve(client));
        }
      }
    } catch (IOException closed) {
      // close() ends the loop.
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = new Socket(target.getAddress(), target.getPort())) {
      client.setTcpNoDelay(true);
      server.setTcpNoDelay(true);
      open.add(client);
      if (refusing) {
        // The connection was accepted before refuse(), which may have missed it.
        return;
      }
      new Connection(client, server).run();
    } catch (IOException cutOff) {
      // One of the two sides has closed its connection; try-with-resources closes the other.
    } finally {
      open.remove(client);
    }
  }

  private static void cut(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    open.forEach(CommitProxy::cut);
  }

  /** One connection of a client. */
  private final class Connection {
    private final Socket client;
    private final Socket server;
    // The texts of the prepared statements, by their names.
    private final Map<String, String> statements = new HashMap<>();
    private boolean marked;
    // The cut to make in the next answer; null for none.
    private volatile @Nullable Cut answerCut;
    private int answered;

    Connection(Socket client, Socket server) {
      this.client = client;
      this.server = server;
    }

    void run() throws IOException {
      Thread answers = TestThreads.startDaemon(this::forwardAnswers);
      try {
        DataInputStream in = new DataInputStream(client.getInputStream());
        forwardStart(in);
        while (true) {
          forward(message(in), in);
        }
      } finally {
        cut(server);
        cut(client);
        try {
          Waits.forEnd(answers);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    /** Forwards the messages without a type, up to the start of the session. */
    private void forwardStart(DataInputStream in) throws IOException {
      int code;
      do {
        int length = in.readInt();
        code = in.readInt();
        byte[] rest = in.readNBytes(length - 8);
        send(ByteBuffer.allocate(length).putInt(length).putInt(code).put(rest).array(), length);
      } while (code == SSL_REQUEST || code == GSS_REQUEST);
    }

    private byte[] message(DataInputStream in) throws IOException {
      byte type = in.readByte();
      int length = in.readInt();
      byte[] rest = in.readNBytes(length - 4);
      return ByteBuffer.allocate(length + 1).put(type).putInt(length).put(rest).array();
    }

    private void forward(byte[] message, DataInputStream in) throws IOException {
      Cut cut = armed.get();
      if (cut != null && text(message).contains(cut.marker)) {
        marked = true;
      }
      if (!isCommit(message)) {
        send(message, message.length);
        return;
      }
      if (cut == null || !marked) {
        marked = false;
        send(message, message.length);
        return;
      }
      marked = false;
      armed.set(null);
      commit(cut, whole(message, in));
    }

    /** Returns whether this message begins a commit; remembers a statement that it prepares. */
    private boolean isCommit(byte[] message) {
      String[] fields = text(message).substring(5).split("\0", -1);
      switch (message[0]) {
        case 'P' -> {
          statements.put(fields[0], fields[1].strip());
          return fields[1].strip().equals(COMMIT);
        }
        case 'B' -> {
          return COMMIT.equals(statements.get(fields[1]));
        }
        case 'Q' -> {
          return fields[0].strip().equals(COMMIT);
        }
        default -> {
          return false;
        }
      }
    }

    /** Returns this message and those that follow it up to Sync, which asks for the answer. */
    private byte[] whole(byte[] first, DataInputStream in) throws IOException {
      ByteArrayOutputStream whole = new ByteArrayOutputStream();
      whole.write(first);
      for (byte[] last = first; last[0] != 'S' && last[0] != 'Q'; ) {
        last = message(in);
        if (last[0] == 'P') {
          isCommit(last);
        }
        whole.write(last);
      }
      return whole.toByteArray();
    }

    private void commit(Cut armedCut, byte[] request) throws IOException {
      requestLength = request.length;
      Cut cut = armedCut.inBytes(request);
      if (cut.side == Side.ANSWER) {
        answerCut = cut;
        send(request, request.length);
        return;
      }
      // The client must not get an answer.
      cuts.incrementAndGet();
      cut(client);
      int sent = Math.min(cut.count, request.length);
      send(request, sent);
      if (cut.beforeRest.isForwarded()) {
        server.getOutputStream().write(request, sent, request.length - sent);
        server.getOutputStream().flush();
        // The server ends the transaction before it notices the end of the connection.
        server.shutdownOutput();
        server.getInputStream().transferTo(OutputStream.nullOutputStream());
      }
      throw new IOException("cut");
    }

    private void send(byte[] bytes, int length) throws IOException {
      OutputStream out = server.getOutputStream();
      out.write(bytes, 0, length);
      out.flush();
    }

    private void forwardAnswers() {
      byte[] buffer = new byte[8192];
      try {
        InputStream in = server.getInputStream();
        OutputStream out = client.getOutputStream();
        for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
          Cut cut = answerCut;
          int forwarded = cut == null ? read : Math.max(0, Math.min(cut.count - answered, read));
          if (cut != null) {
            answered += read;
            // Set before the client has the answer, because a test may then ask for the length.
            answerLength = answered;
          }
          out.write(buffer, 0, forwarded);
          out.flush();
          if (cut == null) {
            continue;
          }
          if (answered <= cut.count && isComplete(buffer, read)) {
            answerCut = null;
            answered = 0;
          } else if (answered >= cut.count) {
            cuts.incrementAndGet();
            cut(client);
            cut.beforeRest.isForwarded();
            cut(server);
            return;
          }
        }
      } catch (IOException cutOff) {
        // The client's end is closed below, and the other direction notices that.
      } finally {
        cut(client);
      }
    }

    /** Returns whether these bytes end with ReadyForQuery. */
    private static boolean isComplete(byte[] answer, int length) {
      return length >= 6
          && answer[length - 6] == 'Z'
          && ByteBuffer.wrap(answer, length - 5, 4).getInt() == 5;
    }

    private static String text(byte[] message) {
      return new String(message, StandardCharsets.ISO_8859_1);
    }
  }
}
