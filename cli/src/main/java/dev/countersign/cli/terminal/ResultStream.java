package dev.countersign.cli.terminal;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Locale;

/**
 * Standard output for use in a pipe. If the reader has closed the pipe, writing throws {@link
 * PipeClosedException} at once, through any writer on top of this stream.
 */
final class ResultStream extends OutputStream {
  private final OutputStream stream;

  ResultStream(OutputStream stream) {
    this.stream = stream;
  }

  @Override
  public void write(int b) {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    try {
      stream.write(bytes, offset, length);
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  @Override
  public void flush() {
    try {
      stream.flush();
    } catch (IOException failed) {
      throw failure(failed);
    }
  }

  /** Only flushes: the process closes its own streams. */
  @Override
  public void close() {
    flush();
  }

  private static RuntimeException failure(IOException failed) {
    String message = String.valueOf(failed.getMessage());
    return message.toLowerCase(Locale.ROOT).contains("pipe")
        ? new PipeClosedException(failed)
        : new CliException(
            ExitCode.FAILED, "output_failed", "standard output cannot be written: " + message);
  }
}
