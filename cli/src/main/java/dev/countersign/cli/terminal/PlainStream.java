package dev.countersign.cli.terminal;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.countersign.protocol.PlainText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;

/**
 * UTF-8 output for a terminal, without control codes. Each flush decodes and sends the waiting
 * bytes, so do not flush in the middle of a character.
 */
final class PlainStream extends OutputStream {
  private final OutputStream terminal;
  private final ByteArrayOutputStream waiting = new ByteArrayOutputStream();

  PlainStream(OutputStream terminal) {
    this.terminal = terminal;
  }

  @Override
  public void write(int b) {
    waiting.write(b);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) {
    waiting.write(bytes, offset, length);
  }

  @Override
  public void flush() throws IOException {
    String text = waiting.toString(UTF_8).replace("\r\n", "\n");
    terminal.write(PlainText.lines(text).getBytes(UTF_8));
    waiting.reset();
    terminal.flush();
  }

  @Override
  public void close() throws IOException {
    flush();
  }
}
