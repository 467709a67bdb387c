package dev.countersign.signatures.httpclient;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * Digests a body while sending it, and always keeps one part back. The last part is sent only if
 * the digest is right, so a server never receives a complete body that differs from the signed
 * body.
 */
final class GuardedSending implements Flow.Subscriber<ByteBuffer>, Flow.Subscription {
  private final Flow.Subscriber<? super ByteBuffer> receiver;
  private final byte[] expected;
  private final MessageDigest digest;
  private Flow.@Nullable Subscription source;
  private @Nullable ByteBuffer held;

  /** The number of parts that the receiver has asked for and not yet received. */
  private long demand;

  private boolean askedForFirst;
  private boolean complete;
  private boolean done;

  GuardedSending(
      Flow.Subscriber<? super ByteBuffer> receiver, byte[] expected, MessageDigest digest) {
    this.receiver = receiver;
    this.expected = expected.clone();
    this.digest = digest;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    source = subscription;
    receiver.onSubscribe(this);
  }

  @Override
  public void request(long parts) {
    Flow.Subscription from = source;
    if (from == null) {
      return;
    }
    long more;
    synchronized (this) {
      // A number that is not positive is passed on, because the publisher must reject it
      // (Flow.Subscription).
      demand = parts > 0 ? saturated(demand + parts) : demand;
      // The first request asks for one part more than the receiver did, because one part is always
      // kept back.
      more = parts > 0 && !askedForFirst ? saturated(parts + 1) : parts;
      askedForFirst |= parts > 0;
    }
    if (!deliverLast()) {
      from.request(more);
    }
  }

  private static long saturated(long sum) {
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  @Override
  public void cancel() {
    if (source != null) {
      source.cancel();
    }
  }

  @Override
  public void onNext(ByteBuffer part) {
    digest.update(part.duplicate());
    ByteBuffer earlier;
    synchronized (this) {
      earlier = held;
      held = part;
      demand -= earlier == null || demand == Long.MAX_VALUE ? 0 : 1;
    }
    if (earlier != null) {
      receiver.onNext(earlier);
    }
  }

  @Override
  public void onError(Throwable reason) {
    receiver.onError(reason);
  }

  @Override
  public void onComplete() {
    if (!MessageDigest.isEqual(expected, digest.digest())) {
      receiver.onError(
          new ChangedBodyException(
              "the body's publisher returned different bytes from those that were signed;"
                  + " publish the same bytes to every subscriber"));
      return;
    }
    synchronized (this) {
      complete = true;
    }
    deliverLast();
  }

  /**
   * Sends the last part as soon as the digest has matched and the receiver has asked for the part.
   * Returns whether the body is complete.
   */
  private boolean deliverLast() {
    ByteBuffer last;
    synchronized (this) {
      if (!complete || done || (held != null && demand == 0)) {
        return complete;
      }
      done = true;
      last = held;
      held = null;
    }
    if (last != null) {
      receiver.onNext(last);
    }
    receiver.onComplete();
    return true;
  }
}
