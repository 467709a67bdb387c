package dev.countersign.benchmarks;

import dev.countersign.protocol.PartnerProfile;
import dev.countersign.signatures.ReceivedSignature;
import dev.countersign.signatures.fields.Dictionary;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * Reads the two fields of a signature. The yardstick looks at each of their characters once, which
 * every parser must do.
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
public class ParseBenchmark {
  @Param public Message message;

  private SigningLoad requests;

  @Setup
  public void sign() {
    Partner partner = new Partner(Providers.named(Providers.JDK));
    requests = SigningLoad.of(message, partner, Instant.now());
  }

  private static List<String> input(ReceivedRequest request) {
    return request.fieldLines("signature-input");
  }

  private static List<String> signature(ReceivedRequest request) {
    return request.fieldLines("signature");
  }

  @Benchmark
  public Dictionary parseSignatureInput() {
    return Dictionary.parse(input(requests.next().request()));
  }

  @Benchmark
  public void parseBothFields(Blackhole blackhole) {
    ReceivedRequest request = requests.next().request();
    blackhole.consume(Dictionary.parse(input(request)));
    blackhole.consume(Dictionary.parse(signature(request)));
  }

  @Benchmark
  public ReceivedSignature readProfile() {
    return PartnerProfile.REQUEST.read(requests.next().request()).checkProfile();
  }

  @Benchmark
  public int lookAtBothFields() {
    ReceivedRequest request = requests.next().request();
    return sum(input(request)) + sum(signature(request));
  }

  private static int sum(List<String> lines) {
    int sum = 0;
    for (String line : lines) {
      for (int i = 0; i < line.length(); i++) {
        sum = 31 * sum + line.charAt(i);
      }
    }
    return sum;
  }
}
