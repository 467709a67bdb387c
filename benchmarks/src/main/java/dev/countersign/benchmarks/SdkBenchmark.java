package dev.countersign.benchmarks;

import dev.countersign.client.RequestSigner;
import dev.countersign.client.keys.PrivateKeyFile;
import dev.countersign.signatures.keys.CryptoProvider;
import dev.countersign.signatures.keys.RsaPrivateKeys;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPairGenerator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Signs as an application does with the SDK: turns an {@code HttpRequest} into a signed one, with
 * the key in a file and the best available provider.
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
public class SdkBenchmark {
  private static final int KEY_BITS = 2048; // as in openssl speed rsa2048

  private Path keyFile;
  private RequestSigner signer;
  private HttpRequest[] requests;
  private int number;

  @Setup(Level.Trial)
  public void makeKey() throws IOException {
    KeyPairGenerator generator = CryptoProvider.jdk().keyPairGenerator("RSA");
    generator.initialize(KEY_BITS);
    keyFile =
        Files.createTempFile(
            "benchmark",
            ".key",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    Files.writeString(keyFile, RsaPrivateKeys.toPem(generator.generateKeyPair().getPrivate()));
    signer = RequestSigner.of(Partner.CLIENT_ID, PrivateKeyFile.of(keyFile));
    requests = new HttpRequest[SigningLoad.REQUESTS];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = HttpRequest.newBuilder(URI.create(Message.GET.targetUri(i))).build();
    }
  }

  @TearDown(Level.Trial)
  public void removeKey() throws IOException {
    Files.delete(keyFile);
  }

  @Benchmark
  public HttpRequest sdkSign() {
    number = (number + 1) % requests.length;
    return signer.sign(requests[number]);
  }
}
