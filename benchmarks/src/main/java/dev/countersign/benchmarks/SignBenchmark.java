package dev.countersign.benchmarks;

import dev.countersign.signatures.MessageSigner;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
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
 * Signs a request, from its parts to all headers. The yardstick does only the RSA operation and, if
 * there is a body, the digest.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
    value = 1,
    jvmArgsAppend = {"--enable-native-access=ALL-UNNAMED", "-Xms512m", "-Xmx512m"})
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // set by JMH
public class SignBenchmark {
  @Param({Providers.JDK, Providers.NATIVE})
  public String provider;

  @Param public Message message;

  private Partner partner;
  private MessageSigner signer;
  private RawRsa raw;
  private SigningLoad requests;
  private byte[] body;
  private int number;

  @Setup(Level.Trial)
  public void makeKey() {
    partner = new Partner(Providers.named(provider));
    signer = partner.signer();
    raw = partner.raw();
    body = message.newBody();
    requests = SigningLoad.of(message, partner, Instant.now());
  }

  @Benchmark
  public Map<String, String> sign() {
    number = (number + 1) % SigningLoad.REQUESTS;
    return message.signable(number, body, Instant.now(), partner.crypto()).signedHeaders(signer);
  }

  @Benchmark
  public byte[] signRaw(Blackhole blackhole) throws GeneralSecurityException {
    if (message.hasBody()) {
      blackhole.consume(raw.digest(body));
    }
    return raw.sign(requests.next().base());
  }
}
