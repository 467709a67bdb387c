package dev.countersign.benchmarks;

import dev.countersign.signatures.MessageVerifier;
import dev.countersign.signatures.VerifiedSignature;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SignatureException;
import java.time.Instant;
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

/**
 * Verifies a request, without the network. The yardstick does only the RSA operation and, if there
 * is a body, the digest.
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
public class VerifyBenchmark {
  @Param({Providers.JDK, Providers.NATIVE})
  public String provider;

  @Param public Message message;

  private Partner partner;
  private MessageVerifier verifier;
  private RawRsa raw;
  private SigningLoad requests;
  private byte[] body;
  private byte[] digest;

  @Setup(Level.Trial)
  public void register() {
    partner = new Partner(Providers.named(provider));
    verifier = partner.verifier();
    raw = partner.raw();
    body = message.newBody();
    digest = raw.digest(body);
  }

  /** Signs the requests anew each time, so that no signature expires during a long run. */
  @Setup(Level.Iteration)
  public void sign() {
    requests = SigningLoad.of(message, partner, Instant.now());
  }

  @Benchmark
  public VerifiedSignature verify() {
    return verifier.verify(requests.next().request(), body);
  }

  @Benchmark
  public boolean verifyRaw() throws GeneralSecurityException {
    SigningLoad.Signed signed = requests.next();
    if (message.hasBody() && !MessageDigest.isEqual(digest, raw.digest(body))) {
      throw new SignatureException("the body does not match its digest");
    }
    if (!raw.verify(signed.base(), signed.signature())) {
      throw new SignatureException("the yardstick does not verify");
    }
    return true;
  }
}
