package dev.countersign.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InterruptibleInputTest {

  @Test
  void read_ofAnInterruptedThread_isAFailureAndNotTheEnd() throws IOException {
    try (PipedOutputStream silent = new PipedOutputStream();
        InputStream input = new InterruptibleInput(new PipedInputStream(silent))) {
      Thread.currentThread().interrupt();

      assertThatThrownBy(input::read)
          .isInstanceOfSatisfying(
              CliException.class,
              failure -> assertThat(failure.exitCode()).isEqualTo(ExitCode.INTERRUPTED));
    } finally {
      assertThat(Thread.interrupted()).isFalse();
    }
  }

  @Test
  void read_toTheEnd_givesEveryByte() throws IOException {
    byte[] bytes = new byte[200_000];
    new Random(1).nextBytes(bytes);

    try (InputStream input = new InterruptibleInput(new ByteArrayInputStream(bytes))) {
      assertThat(input.read()).isEqualTo(Byte.toUnsignedInt(bytes[0]));
      assertThat(input.readAllBytes()).hasSize(199_999).endsWith(bytes[199_998], bytes[199_999]);
      assertThat(input.read()).isEqualTo(-1);
    }
  }

  @Test
  void read_thatFails_failsAlike() throws IOException {
    IOException gone = new IOException("gone");
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw gone;
          }
        };

    try (InputStream input = new InterruptibleInput(broken)) {
      assertThatThrownBy(input::read).isSameAs(gone);
    }
  }
}
