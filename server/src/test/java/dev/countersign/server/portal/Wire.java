package dev.countersign.server.portal;

import dev.countersign.server.RawRequest;
import dev.countersign.server.RawResponse;
import dev.countersign.server.TestService;
import dev.countersign.server.operators.OperatorStore;
import dev.countersign.server.operators.sessions.SessionStore;
import java.net.InetAddress;
import java.util.stream.Collectors;

/** Requests to the portal as bytes, for requests that no client would send. */
final class Wire {
  static final String SESSION = "__Host-countersign-session";
  static final String CSRF = "__Host-countersign-csrf";

  private Wire() {}

  /** A GET with these header lines, which may contain another Host. */
  static RawResponse get(int port, String target, String... headers) {
    return send(port, "GET", target, "", headers);
  }

  /** A POST of a form with these header lines. */
  static RawResponse post(int port, String target, String body, String... headers) {
    return send(
        port,
        "POST",
        target,
        body,
        concat(headers, "Content-Type: application/x-www-form-urlencoded"));
  }

  /** Any request; the body is sent in UTF-8. */
  static RawResponse send(int port, String method, String target, String body, String... headers) {
    boolean named = false;
    StringBuilder text = new StringBuilder(method + " " + target + " HTTP/1.1\r\n");
    for (String header : headers) {
      named |= header.startsWith("Host:");
      text.append(header).append("\r\n");
    }
    text.append(named ? "" : "Host: localhost:" + port + "\r\n");
    int length = body.getBytes(java.nio.charset.StandardCharsets.UTF_8).length;
    if (!method.equals("GET")) {
      text.append("Content-Length: ").append(length).append("\r\n");
    }
    return RawRequest.send(port, text + "\r\n" + body);
  }

  private static String[] concat(String[] headers, String more) {
    String[] all = java.util.Arrays.copyOf(headers, headers.length + 1);
    all[headers.length] = more;
    return all;
  }

  /** A Cookie header with all cookies of a client. */
  static String cookies(PortalClient client) {
    return "Cookie: "
        + client.cookies().entrySet().stream()
            .map(cookie -> cookie.getKey() + "=" + cookie.getValue())
            .collect(Collectors.joining("; "));
  }

  /** Puts a new session of an account into a client, without hashing a password. */
  static PortalClient enter(TestService service, PortalClient client, String name) {
    String token =
        service
            .part(SessionStore.class)
            .start(
                service.part(OperatorStore.class).named(name),
                InetAddress.getLoopbackAddress(),
                "test")
            .token();
    client.cookies().put(SESSION, token);
    return client;
  }
}
