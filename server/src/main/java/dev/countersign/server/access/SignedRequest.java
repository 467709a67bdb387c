package dev.countersign.server.access;

import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request whose signature and body have verified: the only view of it that a handler gets.
 *
 * <p>It offers what the signature covers and nothing else: the method, the target URI and the body.
 */
public final class SignedRequest {
  private static final String ATTRIBUTE = SignedRequest.class.getName();

  private final CallingClient client;
  private final String method;
  private final String targetUri;
  private final byte[] body;

  SignedRequest(CallingClient client, String method, String targetUri, byte[] body) {
    this.client = client;
    this.method = method;
    this.targetUri = targetUri;
    this.body = body;
  }

  /** The verified request behind a servlet request. */
  public static SignedRequest of(HttpServletRequest request) {
    if (request.getAttribute(ATTRIBUTE) instanceof SignedRequest signed) {
      return signed;
    }
    throw new IllegalStateException("no verified signature: the signature filter did not run");
  }

  void attachTo(HttpServletRequest request) {
    request.setAttribute(ATTRIBUTE, this);
  }

  /** Who called. */
  public CallingClient client() {
    return client;
  }

  public String method() {
    return method;
  }

  /** The absolute URI as the caller spelled it, with its query (RFC 9421 section 2.2.2). */
  public String targetUri() {
    return targetUri;
  }

  /** The query as called, still percent-encoded; null where the URI has none. */
  public @Nullable String rawQuery() {
    int question = targetUri.indexOf('?');
    return question < 0 ? null : targetUri.substring(question + 1);
  }

  public int bodyLength() {
    return body.length;
  }

  /** The body, which equals its signed digest; empty where there is none. */
  public InputStream body() {
    return new ByteArrayInputStream(body);
  }

  byte[] bodyBytes() {
    return Arrays.copyOf(body, body.length);
  }
}
