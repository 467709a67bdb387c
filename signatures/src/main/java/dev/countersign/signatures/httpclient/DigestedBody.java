package dev.countersign.signatures.httpclient;

import dev.countersign.signatures.fields.ByteSequence;
import dev.countersign.signatures.keys.CryptoProvider;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/**
 * A body and its digest, with at most one copy of the body in memory. A body whose known length
 * exceeds {@link #MAX_HELD_BYTES} is not kept: it is read once for the digest, and again when it is
 * sent. Any other body is kept in memory.
 */
final class DigestedBody implements Flow.Subscriber<ByteBuffer> {
  /** The maximum known length, in bytes, of a body that is kept in memory. */
  static final int MAX_HELD_BYTES = 64 * 1024;

  private final BodyPublisher publisher;
  private final CryptoProvider crypto;
  private final boolean isHeld;
  private final long announced;
  private final MessageDigest digest;
  private final List<byte[]> parts = new ArrayList<>();
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();
  private volatile Flow.@Nullable Subscription source;
  private long length;

  private DigestedBody(BodyPublisher publisher, CryptoProvider crypto) {
    this.publisher = publisher;
    this.crypto = crypto;
    this.announced = publisher.contentLength();
    this.isHeld = announced <= MAX_HELD_BYTES;
    this.digest = crypto.digest("SHA-256");
  }

  /**
   * Reads everything from a publisher, like HttpClient when it sends the body.
   *
   * @throws UncheckedIOException when the publisher fails, when the body's length differs from the
   *     announced length, or when the thread is interrupted; after an interruption, the interrupt
   *     flag is still set
   */
  static DigestedBody read(BodyPublisher publisher, CryptoProvider crypto) {
    DigestedBody body = new DigestedBody(publisher, crypto);
    publisher.subscribe(body);
    try {
      body.whole.get();
    } catch (InterruptedException e) {
      body.cancel();
      Thread.currentThread().interrupt();
      throw unreadable(new InterruptedIOException("the thread was interrupted"));
    } catch (ExecutionException e) {
      throw unreadable(e.getCause() instanceof IOException io ? io : new IOException(e.getCause()));
    }
    if (body.announced >= 0 && body.announced != body.length) {
      throw unreadable(
          new IOException("it has " + body.length + " bytes, but declares " + body.announced));
    }
    return body;
  }

  private static UncheckedIOException unreadable(IOException reason) {
    return new UncheckedIOException("the body cannot be read to compute its digest", reason);
  }

  private void cancel() {
    whole.cancel(false);
    Flow.Subscription subscription = source;
    if (subscription != null) {
      subscription.cancel();
    }
  }

  boolean isEmpty() {
    return length == 0;
  }

  /** The value of Content-Digest (RFC 9530 section 2). */
  String contentDigest() {
    return "sha-256=" + ByteSequence.of(whole.join()).serialize();
  }

  /**
   * Returns a publisher of the bytes that were digested. Publishing fails if the bytes have changed
   * since.
   */
  BodyPublisher publisher() {
    return isHeld
        ? BodyPublishers.fromPublisher(BodyPublishers.ofByteArrays(parts), length)
        : new GuardedBody(publisher, whole.join(), crypto);
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    source = subscription;
    if (whole.isCancelled()) {
      subscription.cancel();
    } else {
      subscription.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(ByteBuffer part) {
    length += part.remaining();
    if (isHeld) {
      byte[] copy = new byte[part.remaining()];
      part.get(copy);
      digest.update(copy);
      parts.add(copy);
    } else {
      digest.update(part);
    }
  }

  @Override
  public void onError(Throwable reason) {
    whole.completeExceptionally(reason);
  }

  @Override
  public void onComplete() {
    whole.complete(digest.digest());
  }
}
