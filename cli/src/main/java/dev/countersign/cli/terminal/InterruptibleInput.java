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
 * An input stream whose caller can be interrupted while it waits for input. {@link
 * Thread#interrupt()} does not end a read from a terminal or a pipe. Therefore a separate thread
 * reads, and the caller waits for that thread.
 *
 * <p>After an interruption, input that the separate thread still reads is lost. This does no harm,
 * because the command is about to end.
 */
public final class InterruptibleInput extends InputStream {
  private static final int MAX_READ_SIZE = 64 * 1024;

  private final InputStream in;
  private @Nullable ExecutorService executor;

  public InterruptibleInput(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
  }

  /**
   * Reads bytes like {@link InputStream#read(byte[], int, int)}.
   *
   * @throws CliException with {@link ExitCode#INTERRUPTED} when the caller was interrupted
   */
  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, bytes.length);
    if (length == 0) {
      return 0;
    }
    byte[] part = new byte[Math.min(length, MAX_READ_SIZE)];
    int count = await(executor().submit(() -> in.read(part)));
    if (count > 0) {
      System.arraycopy(part, 0, bytes, offset, count);
    }
    return count;
  }

  private ExecutorService executor() {
    if (executor == null) {
      executor =
          Executors.newSingleThreadExecutor(Thread.ofPlatform().daemon().name("input").factory());
    }
    return executor;
  }

  private static int await(Future<Integer> count) throws IOException {
    try {
      return count.get();
    } catch (InterruptedException e) {
      throw CliException.interrupted();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Error error) {
        throw error;
      }
      throw e.getCause() instanceof IOException failure ? failure : new IOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    if (executor != null) {
      executor.shutdownNow();
    }
    in.close();
  }
}
