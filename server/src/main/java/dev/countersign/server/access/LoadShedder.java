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
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Refuses to verify signatures of unproven senders while too many requests wait for a processor. A
 * sender is a clientId together with an address. It stays proven for ten minutes after its last
 * verified signature.
 *
 * <p>While too many requests wait, the signatures of proven senders are still verified. The
 * signatures of unproven senders are verified within shares of the processors' time, so that a
 * sender can still become proven:
 *
 * <ul>
 *   <li>All unproven senders together get at most 10% of the processors' time.
 *   <li>Each network gets at most 1%.
 *   <li>Each client gets at most 0.5% in each network.
 * </ul>
 *
 * <p>A network is an IPv4 range with a prefix of 24 bits, or an IPv6 range with a prefix of 64
 * bits, which is what one site gets (<a
 * href="https://www.rfc-editor.org/rfc/rfc4291#section-2.5.4">RFC 4291 section 2.5.4</a>).
 *
 * <p>Use it for work that the service must do before it knows who the caller is.
 *
 * <p>The numbers: with 64 waiting requests per processor, the last one waits for 64 verifications.
 * Together, these take 2 ms with keys of 2048 bits, and 28 ms with keys of 8192 bits. The share of
 * 10% hardly slows the proven senders. It is enough for 200 to 2,700 verifications per processor
 * and second. A flood must come from ten networks to use all of it.
 *
 * <p>Design note: the checks of a request up to its signature never wait, so hardly more requests
 * are in these checks than there are processors. A flood queues in front of them, in the executor,
 * and this class counts that queue. It deducts the time of a verification from the shares
 * afterwards, because that time is not known before: it depends on the length and the number of the
 * client's keys. The deducted time is the elapsed time, at most 20 ms. If it includes a wait for a
 * processor, the shares are used up sooner, so unproven senders never get more than their shares.
 */
public final class LoadShedder {
  /** The time for which a sender stays proven after its last verified signature. */
  public static final Duration PROVEN_FOR = Duration.ofMinutes(10);

  /** The maximum number of proven senders that are remembered. */
  public static final int MAX_PROVEN_SENDERS = 100_000;

  private static final int WAITING_PER_PROCESSOR = 64;
  // The share of all unproven senders, for each second of one processor.
  private static final double UNPROVEN_NANOS_PER_SECOND = Duration.ofMillis(100).toNanos();
  // The maximum number of networks with a share, and of clients with a share.
  private static final int MAX_BUCKETS = 10_000;
  // The maximum time to deduct. A verification that takes longer has waited for a processor.
  private static final long MAX_VERIFICATION_NANOS = Duration.ofMillis(20).toNanos();

  private final int limit;
  private final LongSupplier nanoTime;
  private final AtomicInteger waiting = new AtomicInteger();
  private final Cache<Sender, Boolean> proven;
  private final Bucket totalShare;
  private final Cache<Network, Bucket> networkShares = createBuckets();
  private final Cache<ClientInNetwork, Bucket> clientShares = createBuckets();

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
    this.totalShare = new Bucket(processors * UNPROVEN_NANOS_PER_SECOND, nanoTime);
    this.proven =
        Caffeine.newBuilder()
            .maximumSize(MAX_PROVEN_SENDERS)
            .expireAfterWrite(PROVEN_FOR)
            .ticker(nanoTime::getAsLong)
            .build();
  }

  private static <K> Cache<K, Bucket> createBuckets() {
    return Caffeine.newBuilder().maximumSize(MAX_BUCKETS).build();
  }

  /** Returns an executor that passes tasks on, and counts those that have not started. */
  public Executor counting(Executor delegate) {
    return task -> {
      AtomicBoolean isCounted = new AtomicBoolean(true);
      waiting.incrementAndGet();
      try {
        delegate.execute(
            () -> {
              uncount(isCounted);
              task.run();
            });
      } catch (RuntimeException | Error e) {
        // The executor is full, or there is no memory for another thread.
        uncount(isCounted);
        throw e;
      }
    };
  }

  private void uncount(AtomicBoolean isCounted) {
    if (isCounted.getAndSet(false)) {
      waiting.decrementAndGet();
    }
  }

  /** Returns the number of tasks that have not started. */
  int waitingTasks() {
    return waiting.get();
  }

  /**
   * Verifies a signature. The sender is proven afterwards.
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
            : verifyWithinShares(clientId, Network.of(address), verification);
    noteProven(clientId, text);
    return verified;
  }

  boolean isProven(String clientId, String address) {
    return proven.getIfPresent(new Sender(clientId, address)) != null;
  }

  private <T> T verifyWithinShares(String clientId, Network network, Supplier<T> verification) {
    Bucket networkShare =
        networkShares.get(network, each -> new Bucket(totalShare.perSecond() / 10, nanoTime));
    Bucket clientShare =
        clientShares.get(
            new ClientInNetwork(clientId, network),
            each -> new Bucket(networkShare.perSecond() / 2, nanoTime));
    List<Bucket> shares = List.of(totalShare, networkShare, clientShare);
    if (shares.stream().anyMatch(Bucket::isEmpty)) {
      throw Denial.of(
              Reason.OVERLOADED, "too many requests wait for the service at the moment; try again")
          .withHeader("Retry-After", "1")
          .asException();
    }
    long start = nanoTime.getAsLong();
    try {
      return verification.get();
    } finally {
      long elapsed = Math.min(nanoTime.getAsLong() - start, MAX_VERIFICATION_NANOS);
      shares.forEach(share -> share.take((double) elapsed));
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
