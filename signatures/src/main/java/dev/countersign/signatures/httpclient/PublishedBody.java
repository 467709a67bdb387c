package dev.countersign.signatures.httpclient;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Flow;

/** Takes all that a publisher has, as HttpClient would when sending it. */
final class PublishedBody implements Flow.Subscriber<ByteBuffer> {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> whole = new CompletableFuture<>();

  private PublishedBody() {}

  /**
   * The bytes of a body, all of them in memory.
   *
   * @throws UncheckedIOException when the publisher fails
   */
  static byte[] read(BodyPublisher publisher) {
    PublishedBody body = new PublishedBody();
    publisher.subscribe(body);
    try {
      return body.whole.join();
    } catch (CompletionException e) {
      IOException reason =
          e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
      throw new UncheckedIOException("the body cannot be read to be digested", reason);
    }
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(ByteBuffer part) {
    byte[] copy = new byte[part.remaining()];
    part.get(copy);
    bytes.writeBytes(copy);
  }

  @Override
  public void onError(Throwable reason) {
    whole.completeExceptionally(reason);
  }

  @Override
  public void onComplete() {
    whole.complete(bytes.toByteArray());
  }
}
