package dev.countersign.client.answers;

import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.BodySubscribers;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** Collects the bytes of a body, and gives up as soon as there are more than allowed. */
final class BoundedBody implements BodySubscriber<byte[]> {
  private final BodySubscriber<byte[]> whole = BodySubscribers.ofByteArray();
  private final ResponseInfo response;
  private final long limit;
  private long length;
  private Flow.@Nullable Subscription subscription;

  BoundedBody(ResponseInfo response, long limit) {
    this.response = response;
    this.limit = limit;
  }

  @Override
  public CompletionStage<byte[]> getBody() {
    return whole.getBody();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    whole.onSubscribe(subscription);
  }

  @Override
  public void onNext(List<ByteBuffer> parts) {
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    if (length <= limit) {
      whole.onNext(parts);
      return;
    }
    if (subscription != null) {
      subscription.cancel();
    }
    whole.onError(new AnswerTooLargeException(response.statusCode(), limit));
  }

  @Override
  public void onError(Throwable failure) {
    whole.onError(failure);
  }

  @Override
  public void onComplete() {
    whole.onComplete();
  }
}
