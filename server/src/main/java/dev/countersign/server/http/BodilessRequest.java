package dev.countersign.server.http;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.Reader;

/**
 * A request for a health probe or an open path, without the body that the sender may have
 * announced. The code behind {@link SignatureFilter} does not wait for the body. A Tomcat valve
 * discards the body after the answer.
 */
final class BodilessRequest extends HttpServletRequestWrapper {
  BodilessRequest(HttpServletRequest request) {
    super(request);
  }

  @Override
  public ServletInputStream getInputStream() {
    return new EmptyStream();
  }

  @Override
  public BufferedReader getReader() {
    return new BufferedReader(Reader.nullReader());
  }

  @Override
  public int getContentLength() {
    return 0;
  }

  @Override
  public long getContentLengthLong() {
    return 0;
  }

  private static final class EmptyStream extends ServletInputStream {
    @Override
    public int read() {
      return -1;
    }

    @Override
    public boolean isFinished() {
      return true;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new IllegalStateException("the request is not asynchronous");
    }
  }
}
