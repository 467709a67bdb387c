package dev.countersign.benchmarks;

import dev.countersign.signatures.base.SignatureBase;
import dev.countersign.signatures.base.SignatureInput;
import dev.countersign.signatures.base.StructuredFieldRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Builds the bytes to be signed. The yardstick, {@link #append}, does what every builder must do:
 * it appends the same lines and converts them to bytes.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"-Xms512m", "-Xmx512m"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // set by JMH
public class BaseBenchmark {
  @Param public Message message;

  private ReceivedRequest request;
  private SignatureInput input;
  private StructuredFieldRegistry types;
  private List<String> lines;

  @Setup
  public void read() {
    Partner partner = new Partner(Providers.named(Providers.JDK));
    request = SigningLoad.of(message, partner, Instant.now()).next().request();
    String signatureInput = request.fieldLines("signature-input").get(0);
    input = SignatureInput.parse(signatureInput.substring(signatureInput.indexOf('=') + 1));
    types = StructuredFieldRegistry.registered();
    lines = SignatureBase.of(input, request, types).text().lines().toList();
  }

  @Benchmark
  public byte[] build() {
    return SignatureBase.of(input, request, types).bytes();
  }

  @Benchmark
  public byte[] append() {
    StringBuilder text = new StringBuilder(320);
    for (String line : lines) {
      text.append(line).append('\n');
    }
    text.setLength(text.length() - 1);
    return text.toString().getBytes(StandardCharsets.US_ASCII);
  }
}
