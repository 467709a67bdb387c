package dev.countersign.cli.terminal;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Input whose reader can be interrupted. {@link Thread#interrupt()} does not end a read from a
 * terminal or a pipe, so a separate thread reads and the caller waits for it.
 *
 * <p>After an interruption, input that the separate thread still reads is lost, which does no harm
 * because the command is about to end.
 */
public final class InterruptibleInput extends InputStream {
  private static final int LARGEST_PART = 64 * 1024;

  private final InputStream in;
  private @Nullable ExecutorService reader;

  public InterruptibleInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  /**
   * Reads as {@link InputStream#read(byte[], int, int)} does.
   *
   * @throws CliException with {@link ExitCode#INTERRUPTED} when the caller was interrupted
   */
  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    byte[] part = new byte[Math.min(length, LARGEST_PART)];
    int count = await(reader().submit(() -> in.read(part)));
    if (count > 0) {
      System.arraycopy(part, 0, bytes, offset, count);
    }
    return count;
  }

  private ExecutorService reader() {
    if (reader == null) {
      reader =
          Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("input").factory());
    }
    return reader;
  }

  private static int await(Future<Integer> read) throws IOException {
    try {
      return read.get();
    } catch (InterruptedException woken) {
      throw CliException.interrupted();
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw failed.getCause() instanceof IOException failure ? failure : new IOException(failed);
    }
  }

  @Override
  public void close() throws IOException {
    if (reader != null) {
      reader.shutdownNow();
    }
    in.close();
  }
}
