package dev.countersign.signatures.httpclient;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.countersign.signatures.contract.NaiveRequest;
import dev.countersign.signatures.contract.WireMessage;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A large body is digested while it passes, and the bytes sent afterwards are those digested. */
class LargeBodyTest {
  private static final int LARGE = 300_000;

  @TempDir Path folder;

  private static byte[] bytes(int length) {
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) {
      bytes[i] = (byte) (i * 31);
    }
    return bytes;
  }

  private static HttpRequest signed(RawServer server, BodyPublisher body) {
    return SignedHttp.SIGNER.sign(
        HttpClients.request(server.url()).POST(body).build(), SignedHttp.NOW);
  }

  private static void sendAndVerify(BodyPublisher body, byte[] expected) throws Exception {
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpClients.PLAIN.send(signed(server, body), BodyHandlers.discarding());
      WireMessage wire = server.request();
      byte[] received = wire.content().getBytes(ISO_8859_1);

      assertThat(received).isEqualTo(expected);
      SignedHttp.VERIFIER.verify(new NaiveRequest("http", wire), received);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 65_535, 65_536, 65_537, 131_072, LARGE})
  void sign_bytesOfAnyLength_verifyFromTheWire(int length) throws Exception {
    sendAndVerify(BodyPublishers.ofByteArray(bytes(length)), bytes(length));
  }

  @Test
  void sign_file_verifiesFromTheWire() throws Exception {
    Path file = Files.write(folder.resolve("body"), bytes(LARGE));

    sendAndVerify(BodyPublishers.ofFile(file), bytes(LARGE));
  }

  @Test
  void sign_partsOfKnownLength_verifyFromTheWire() throws Exception {
    List<byte[]> parts = List.of(bytes(100_000), bytes(1), bytes(100_000));
    BodyPublisher publisher =
        BodyPublishers.fromPublisher(BodyPublishers.ofByteArrays(parts), 200_001);

    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpClients.PLAIN.send(signed(server, publisher), BodyHandlers.discarding());

      assertThat(server.request().content()).hasSize(200_001);
    }
  }

  @Test
  void sign_large_readsItOnceAndHoldsNothing() throws Exception {
    Path file = Files.write(folder.resolve("body"), bytes(LARGE));
    AtomicInteger readings = new AtomicInteger();
    BodyPublisher counted = counted(BodyPublishers.ofFile(file), readings);
    HttpRequest request = HttpClients.request("http://a.example/").POST(counted).build();

    HttpRequest signed = SignedHttp.SIGNER.sign(request, SignedHttp.NOW);

    assertThat(readings).hasValue(1);
    assertThat(signed.bodyPublisher().orElseThrow().contentLength()).isEqualTo(LARGE);
    assertThat(received(signed.bodyPublisher().orElseThrow(), 1).bytes()).isEqualTo(bytes(LARGE));
    assertThat(readings).hasValue(2);
  }

  @Test
  void send_fileThatChangedSince_failsAndNeverEnds() throws Exception {
    Path file = Files.write(folder.resolve("body"), bytes(LARGE));
    try (RawServer server = RawServer.answering(RawServer.OK)) {
      HttpRequest signed = signed(server, BodyPublishers.ofFile(file));
      byte[] other = bytes(LARGE);
      other[0]++;
      Files.write(file, other);

      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> HttpClients.PLAIN.send(signed, BodyHandlers.discarding()))
          .withStackTraceContaining("returned different bytes from those that were signed");
    }
  }

  @Test
  void publish_otherBytes_holdsTheLastPartBack() throws Exception {
    List<byte[]> parts = new ArrayList<>(List.of(bytes(50_000), bytes(50_000)));
    HttpRequest signed =
        SignedHttp.SIGNER.sign(
            HttpClients.request("http://a.example/")
                .POST(BodyPublishers.fromPublisher(BodyPublishers.ofByteArrays(parts), 100_000))
                .build(),
            SignedHttp.NOW);
    byte[] other = bytes(50_000);
    other[1]++;
    parts.set(0, other);

    Received received = received(signed.bodyPublisher().orElseThrow(), Long.MAX_VALUE);

    assertThat(received.failure)
        .hasMessageContaining("returned different bytes from those that were signed");
    assertThat(received.bytes().length).isLessThan(100_000);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 7, Long.MAX_VALUE})
  void publish_byAnyDemand_neverExceedsIt(long atOnce) throws Exception {
    HttpRequest signed =
        SignedHttp.SIGNER.sign(
            HttpClients.request("http://a.example/")
                .POST(BodyPublishers.ofByteArray(bytes(LARGE)))
                .build(),
            SignedHttp.NOW);

    Received received = received(signed.bodyPublisher().orElseThrow(), atOnce);

    assertThat(received.failure).isNull();
    assertThat(received.excess).isFalse();
    assertThat(received.completions).isEqualTo(1);
    assertThat(received.bytes()).isEqualTo(bytes(LARGE));
  }

  private static BodyPublisher counted(BodyPublisher publisher, AtomicInteger readings) {
    return new BodyPublisher() {
      @Override
      public long contentLength() {
        return publisher.contentLength();
      }

      @Override
      public void subscribe(Flow.Subscriber<? super ByteBuffer> subscriber) {
        readings.incrementAndGet();
        publisher.subscribe(subscriber);
      }
    };
  }

  private static Received received(BodyPublisher publisher, long atOnce) {
    Received received = new Received(atOnce);
    publisher.subscribe(received);
    return received;
  }

  /** Requests this many parts at once, and more after receiving them. */
  private static final class Received implements Flow.Subscriber<ByteBuffer> {
    private final long atOnce;
    private final List<byte[]> parts = new ArrayList<>();
    private Flow.Subscription subscription;
    private long demand;
    private boolean excess;
    private int completions;
    private Throwable failure;

    Received(long atOnce) {
      this.atOnce = atOnce;
    }

    byte[] bytes() {
      byte[] whole = new byte[parts.stream().mapToInt(part -> part.length).sum()];
      int at = 0;
      for (byte[] part : parts) {
        System.arraycopy(part, 0, whole, at, part.length);
        at += part.length;
      }
      return Arrays.copyOf(whole, at);
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
      this.subscription = subscription;
      demand = atOnce;
      subscription.request(atOnce);
    }

    @Override
    public void onNext(ByteBuffer part) {
      excess |= demand == 0;
      byte[] copy = new byte[part.remaining()];
      part.get(copy);
      parts.add(copy);
      if (--demand == 0) {
        demand = atOnce;
        subscription.request(atOnce);
      }
    }

    @Override
    public void onError(Throwable reason) {
      failure = reason;
    }

    @Override
    public void onComplete() {
      completions++;
    }
  }
}
