package dev.countersign.signatures.httpclient;

import dev.countersign.signatures.keys.CryptoProvider;
import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow;

/** A body that was digested before. It is sent completely only if its digest is still the same. */
final class GuardedBody implements BodyPublisher {
  private final BodyPublisher publisher;
  private final byte[] expected;
  private final CryptoProvider crypto;

  GuardedBody(BodyPublisher publisher, byte[] expected, CryptoProvider crypto) {
    this.publisher = publisher;
    this.expected = expected;
    this.crypto = crypto;
  }

  @Override
  public long contentLength() {
    return publisher.contentLength();
  }

  @Override
  public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
    publisher.subscribe(new GuardedSending(subscriber, expected, crypto.digest("SHA-256")));
  }
}
