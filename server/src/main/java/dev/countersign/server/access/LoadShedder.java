package dev.countersign.server.access;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.countersign.protocol.Reason;
import dev.countersign.server.access.outcome.Denial;
import dev.countersign.server.access.outcome.DeniedException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Refuses to verify signatures of unproven senders while too many requests wait for a processor. A
 * sender is a clientId together with an address. It is proven for ten minutes after its last
 * signature that verified.
 *
 * <p>While the limit is exceeded, all proven senders are verified. The signatures of the others may
 * take at most a tenth of the processors' time, so that a sender can still become proven: a tenth
 * of that for each network, and half of a network's share for each client in it. A network is an
 * IPv4 range with a prefix of 24 bits, or an IPv6 range with a prefix of 64 bits, which is what one
 * site gets (<a href="https://www.rfc-editor.org/rfc/rfc4291#section-2.5.4">RFC 4291 section
 * 2.5.4</a>).
 *
 * <p>Use it for work that must be done before it is known who asks for it.
 *
 * <p>The numbers: with 64 waiting requests per processor, the last one waits for 64 verifications:
 * 2 ms with keys of 2048 bits, 28 ms with keys of 8192 bits. A tenth of a processor is little to
 * the proven senders, and is enough for 200 to 2,700 verifications of others per second. A network
 * gets a tenth of that, so a flood must come from ten networks to take it all.
 *
 * <p>Design note: the access path computes and never waits, so few more requests are in it than
 * there are processors. A flood therefore waits in front of it, and that queue is what is counted.
 * The time of a verification is taken from the shares afterwards, because nothing tells beforehand
 * how long it takes: that depends on the length and number of the client's keys. It is the time
 * from start to end. If it includes a wait for a processor, the shares are used up sooner, so
 * unproven senders never get more of the processors than their shares.
 */
public final class LoadShedder {
  /** How long a sender is proven after its last signature that verified. */
  public static final Duration PROVEN_FOR = Duration.ofMinutes(10);

  /** The maximum number of senders that are known as proven. */
  public static final int MOST_SENDERS = 100_000;

  private static final int WAITING_PER_PROCESSOR = 64;
  // Nanoseconds per second and processor.
  private static final double UNPROVEN_PER_PROCESSOR = Duration.ofMillis(100).toNanos();
  private static final int MOST_NETWORKS = 10_000;
  // If a verification seems to take longer, something else had the processor.
  private static final long LONGEST = Duration.ofMillis(20).toNanos();

  private final int limit;
  private final LongSupplier nanoTime;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Cache<Sender, Boolean> proven;
  private final Bucket ofAll;
  private final Cache<Network, Bucket> ofNetworks = shares();
  private final Cache<ClientInNetwork, Bucket> ofClients = shares();

  /**
   * Creates a shedder.
   *
   * @param limit the number of waiting requests above which load is shed; 0 means 64 per processor
   * @param processors the number of processors, 1 or more
   * @param nanoTime the time in nanoseconds, from any origin
   */
  LoadShedder(int limit, int processors, LongSupplier nanoTime) {
    this.limit = limit > 0 ? limit : WAITING_PER_PROCESSOR * processors;
    this.nanoTime = nanoTime;
    this.ofAll = new Bucket(processors * UNPROVEN_PER_PROCESSOR, nanoTime);
    this.proven =
        Caffeine.newBuilder()
            .maximumSize(MOST_SENDERS)
            .expireAfterWrite(PROVEN_FOR)
            .ticker(nanoTime::getAsLong)
            .build();
  }

  private static <K> Cache<K, Bucket> shares() {
    return Caffeine.newBuilder().maximumSize(MOST_NETWORKS).build();
  }

  /** Returns an executor that counts the tasks that wait for their start in another executor. */
  public Executor counting(Executor engine) {
    return task -> {
      waiting.incrementAndGet();
      try {
        engine.execute(
            () -> {
              waiting.decrementAndGet();
              task.run();
            });
      } catch (RejectedExecutionException e) {
        waiting.decrementAndGet();
        throw e;
      }
    };
  }

  /** Returns how many tasks wait for their start. */
  int waiting() {
    return waiting.get();
  }

  /**
   * Verifies a signature, after which the sender is proven.
   *
   * @param clientId the client that the request names
   * @param address the caller's address
   * @param verification the work; it throws if the signature does not verify
   * @throws DeniedException {@link Reason#OVERLOADED} if the limit is exceeded, the sender is not
   *     proven, and the time for such senders is used up
   */
  <T> T verify(String clientId, InetAddress address, Supplier<T> verification) {
    String text = address.getHostAddress();
    T verified =
        waiting.get() <= limit || isProven(clientId, text)
            ? verification.get()
            : withinShares(clientId, Network.of(address), verification);
    noteProven(clientId, text);
    return verified;
  }

  boolean isProven(String clientId, String address) {
    return proven.getIfPresent(new Sender(clientId, address)) != null;
  }

  private <T> T withinShares(String clientId, Network network, Supplier<T> verification) {
    Bucket ofNetwork =
        ofNetworks.get(network, each -> new Bucket(ofAll.perSecond() / 10, nanoTime));
    List<Bucket> shares =
        List.of(
            ofAll,
            ofNetwork,
            ofClients.get(
                new ClientInNetwork(clientId, network),
                each -> new Bucket(ofNetwork.perSecond() / 2, nanoTime)));
    if (shares.stream().anyMatch(Bucket::isEmpty)) {
      throw Denial.of(
              Reason.OVERLOADED, "too many requests wait for the service at the moment; try again")
          .withHeader("Retry-After", "1")
          .asException();
    }
    long began = nanoTime.getAsLong();
    try {
      return verification.get();
    } finally {
      long taken = Math.min(nanoTime.getAsLong() - began, LONGEST);
      shares.forEach(share -> share.take((double) taken));
    }
  }

  /**
   * Records that a signature of a client has verified.
   *
   * @param address the caller's address, as {@link InetAddress#getHostAddress} writes it
   */
  public void noteProven(String clientId, String address) {
    proven.put(new Sender(clientId, address), true);
  }

  private record Sender(String clientId, String address) {}

  private record ClientInNetwork(String clientId, Network network) {}

  /** The leading 24 bits of an IPv4 address, or the leading 64 bits of an IPv6 address. */
  private record Network(boolean isIpv4, long bits) {
    static Network of(InetAddress address) {
      ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
      return bytes.remaining() == Integer.BYTES
          ? new Network(true, bytes.getInt() >>> 8)
          : new Network(false, bytes.getLong());
    }
  }
}
